/// The smallest few of many elements, in memory that belongs to someone else.
struct BoundedHeap<Element: Comparable> {
  private let storage: UnsafeMutableBufferPointer<Element>
  private(set) var count = 0

  /// Keeps as many elements as `storage` has room for, at least one.
  init(_ storage: UnsafeMutableBufferPointer<Element>) {
    self.storage = storage
  }

  var isFull: Bool { count == storage.count }

  /// The greatest of the elements that are kept; there has to be one.
  var greatest: Element { storage[0] }

  /// The greatest of the elements but one; there have to be two.
  var nextToGreatest: Element {
    count > 2 && storage[1] < storage[2] ? storage[2] : storage[1]
  }

  subscript(position: Int) -> Element { storage[position] }

  /// Keeps an element if there is room or a greater one that it can replace; logarithmic.
  @inline(__always)
  mutating func insert(_ element: Element) {
    if !isFull {
      var hole = count
      count += 1
      while hole > 0, storage[(hole - 1) / 2] < element {
        storage[hole] = storage[(hole - 1) / 2]
        hole = (hole - 1) / 2
      }
      storage[hole] = element
    } else if element < storage[0] {
      sink(element)
    }
  }

  /// Removes and returns the greatest element; there has to be one.
  mutating func removeGreatest() -> Element {
    let greatest = storage[0]
    count -= 1
    if count > 0 { sink(storage[count]) }
    return greatest
  }

  /// Orders the elements within the storage, the smallest first; returns how many, and keeps none.
  mutating func sort() -> Int {
    let found = count
    while count > 0 {
      let greatest = removeGreatest()
      storage[count] = greatest
    }
    return found
  }

  /// Puts an element in place of the greatest one.
  private mutating func sink(_ element: Element) {
    var hole = 0
    while true {
      var child = 2 * hole + 1
      guard child < count else { break }
      if child + 1 < count, storage[child] < storage[child + 1] { child += 1 }
      guard element < storage[child] else { break }
      storage[hole] = storage[child]
      hole = child
    }
    storage[hole] = element
  }
}
