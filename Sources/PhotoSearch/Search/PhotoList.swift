import Geodesy

/// The photos of a page, each of which is made when it is asked for.
///
/// All texts are in one buffer, so that a photo takes about 0.3 KB and copying a list takes none.
public struct PhotoList: Hashable, Sendable {
  /// A photo without its texts.
  struct Entry: Hashable, Sendable {
    /// Where its texts begin in ``PhotoList/texts``.
    let start: UInt32
    /// Where the id ends and the title begins, and so on.
    let idEnd: UInt32
    let titleEnd: UInt32
    let ownerEnd: UInt32
    let imageEnd: UInt32
    /// Where the address of the page ends; it is empty if there is no page.
    let pageEnd: UInt32
    /// A place in ``PhotoList/licenses``.
    let license: UInt32?
    let coordinate: Coordinate?
    let taken: PhotoDate?
  }

  let entries: [Entry]
  /// The texts of all photos, one after the other in UTF-8.
  let texts: [UInt8]
  /// The different licenses, in the order in which photos first have them.
  let licenses: [PhotoLicense]
  /// The places of the photos in the ascending order of their ids.
  private let order: [UInt32]

  /// - Parameter ids: the ids of the photos, which are all different.
  init(
    _ entries: [Entry], texts: [UInt8], licenses: [PhotoLicense], ids: [String]
  ) {
    self.entries = entries
    self.texts = texts
    self.licenses = licenses
    order = entries.indices.sorted { ids[$0] < ids[$1] }.map { UInt32($0) }
  }

  /// The id of the photo at a place.
  func id(at place: Int) -> String {
    text(entries[place].start, entries[place].idEnd)
  }

  /// All ids.
  var ids: some Sequence<String> { indices.lazy.map { id(at: $0) } }

  func coordinate(at place: Int) -> Coordinate? { entries[place].coordinate }

  /// The places of the photos in the ascending order of their ids.
  var ascending: some Sequence<Int> { order.lazy.map { Int($0) } }

  private func text(_ start: UInt32, _ end: UInt32) -> String {
    String(decoding: texts[Int(start)..<Int(end)], as: UTF8.self)
  }
}

extension PhotoList: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { entries.count }

  /// Makes the photo at a place.
  public subscript(place: Int) -> Photo {
    let entry = entries[place]
    let page = text(entry.imageEnd, entry.pageEnd)
    return Photo(
      id: text(entry.start, entry.idEnd),
      title: text(entry.idEnd, entry.titleEnd),
      owner: text(entry.titleEnd, entry.ownerEnd),
      license: entry.license.map { licenses[Int($0)] },
      url: AddressText(checked: text(entry.ownerEnd, entry.imageEnd)).url,
      page: page.isEmpty ? nil : AddressText(checked: page).url,
      coordinate: entry.coordinate,
      taken: entry.taken)
  }
}

extension PhotoList: CustomStringConvertible {
  public var description: String { Array(self).description }
}

extension PhotoList {
  /// Collects the photos of a list.
  struct Builder {
    private var entries: [Entry] = []
    private var texts: [UInt8] = []
    private var licenses: [PhotoLicense] = []
    private var ids: [String] = []
    private var known: Set<String> = []

    /// Creates a builder with room for some photos.
    init(capacity: Int = 0) {
      entries.reserveCapacity(capacity)
      texts.reserveCapacity(capacity * 200)
      ids.reserveCapacity(capacity)
      known.reserveCapacity(capacity)
    }

    /// Adds a photo unless there is one with its id.
    ///
    /// - Returns: whether it was added.
    @discardableResult
    mutating func append(
      id: String, title: String, owner: String, license: PhotoLicense?, image: AddressText,
      page: AddressText?, coordinate: Coordinate?, taken: PhotoDate?
    ) -> Bool {
      guard known.insert(id).inserted else { return false }
      ids.append(id)
      entries.append(
        Entry(
          start: UInt32(texts.count), idEnd: append(id), titleEnd: append(title),
          ownerEnd: append(owner), imageEnd: append(image.text), pageEnd: append(page?.text ?? ""),
          license: license.map { place(of: $0) }, coordinate: coordinate, taken: taken))
      return true
    }

    /// Adds a text.
    ///
    /// - Returns: where it ends.
    private mutating func append(_ text: String) -> UInt32 {
      texts.append(contentsOf: text.utf8)
      return UInt32(texts.count)
    }

    private mutating func place(of license: PhotoLicense) -> UInt32 {
      if let place = licenses.firstIndex(of: license) { return UInt32(place) }
      licenses.append(license)
      return UInt32(licenses.count - 1)
    }

    /// The list of what was added.
    func finish() -> PhotoList {
      PhotoList(entries, texts: texts, licenses: licenses, ids: ids)
    }
  }
}
