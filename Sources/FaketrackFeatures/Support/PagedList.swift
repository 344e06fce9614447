/// The newest elements of an endless list, in pages that copies of the list share. A copy is O(pages).
package struct PagedList<Element: Hashable & Sendable>: Hashable, Sendable {
  private static var pageSize: Int { 64 }

  /// The approximate number of remembered elements.
  private let limit: Int
  private var full: [[Element]] = []
  private var newest: [Element] = []
  /// The number of elements that are no longer remembered.
  package private(set) var forgotten = 0

  package init(limit: Int) {
    self.limit = limit
  }

  /// The number of added elements, including forgotten ones.
  package var count: Int { forgotten + full.count * Self.pageSize + newest.count }

  /// Adds an element; forgets the oldest page if there are too many.
  package mutating func append(_ element: Element) {
    guard limit > 0 else { return }
    newest.append(element)
    guard newest.count == Self.pageSize else { return }
    full.append(newest)
    newest = []
    if (full.count - 1) * Self.pageSize >= limit {
      full.removeFirst()
      forgotten += Self.pageSize
    }
  }

  /// The element with a number, counted from 0; `nil` for one that is not remembered.
  package subscript(number: Int) -> Element? {
    guard (forgotten..<count).contains(number) else { return nil }
    let (page, place) = (number - forgotten).quotientAndRemainder(dividingBy: Self.pageSize)
    return page < full.count ? full[page][place] : newest[place]
  }

  /// The remembered elements, the oldest first, in the pages that copies share.
  package var pages: [[Element]] { full + [newest] }

  package var elements: some Sequence<Element> { pages.joined() }
}
