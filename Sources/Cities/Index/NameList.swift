import CCities
import FaketrackSupport
import Foundation

/// All names of all cities, main and alternate, in the order of their keys; of equal keys, by country
/// code, then by id.
///
/// The names with a prefix are consecutive in this order, so a search is two binary searches. Keys are
/// front coded: each is stored as the number of bytes that it shares with the one before, and the
/// rest of it. A block of ``blockSize`` names starts with a complete key, so blocks can be searched
/// without reading the keys in between. The text of a block has for each name:
///
/// | bytes | content |
/// | --- | --- |
/// | 1 | the numbers of shared bytes (high half) and of other bytes (low half); 15 for 15 or more |
/// | 0 ... | the part above 15 of each, as 7 bits to a byte, the lowest first |
/// | … | the rest of the key |
/// | … | for a name whose ``Form/hasText``: the length of its text, as 7 bits to a byte, and the text |
struct NameList {
  static let blockSize = 16
  /// The longest prefix in ``shortestPrefixes``, in bytes.
  static let longestPrefix = 127
  /// The bits of a number in ``rows`` that hold the row.
  static let rowBits: UInt32 = 28

  /// The spelling of a name, which its key lacks: the spelling in the record of its city, the key, the key
  /// with capitals at the start of words, so with hyphens for spaces, composed (NFC), or with Arabic
  /// letters for Persian ones; or a spelling in the text of the block.
  ///
  /// An entry with a further key has the spelling in the record (`furtherMain`), or a spelling in the
  /// text of the block (`further`), or one that is the key of its name (`furtherAsKey`).
  enum Form: UInt32 {
    case main, asKey, titled, hyphenated, composed, arabic, spelled
    case furtherMain, further, furtherAsKey

    var isMain: Bool { self == .main || self == .furtherMain }

    var hasText: Bool { self == .spelled || self == .further || self == .furtherAsKey }

    /// Whether the name is its own key, as transliterations by machine are.
    var isAsKey: Bool { self == .asKey || self == .furtherAsKey }
  }

  /// For each name the row of its city, and the ``Form`` in the bits above.
  let rows: UnsafeBufferPointer<UInt32>
  /// For each name, the bytes of the shortest prefix that finds its city by this name.
  ///
  /// - A main name has 0.
  /// - A further key of a main name has a negative number: one more byte than the key shares with the
  ///   main name, or with an earlier further key of the main name.
  /// - An alternate name has one more byte than the name shares with a key of the main name, or with an
  ///   earlier alternate name of the city.
  ///
  /// So a prefix of n bytes finds each city once: by the name where this is from -n to n, and by its
  /// main name where this is from -n to 0.
  let shortestPrefixes: UnsafeBufferPointer<Int8>
  let blocks: TextList

  var count: Int { rows.count }

  @inline(__always)
  func row(_ name: Int) -> UInt32 { rows[name] & (1 << Self.rowBits - 1) }

  func isMain(_ name: Int) -> Bool { form(name).isMain }

  func form(_ name: Int) -> Form {
    Form(rawValue: rows[name] >> Self.rowBits) ?? .asKey
  }

  /// Whether all rows and blocks exist; linear. The content of a block is checked when it is read.
  func isWellFormed(cities: Int) -> Bool {
    blocks.isWellFormed && rows.indices.allSatisfy { row($0) < cities }
  }
}

// Reading
extension NameList {
  /// A name as its block stores it.
  private struct Entry {
    /// The number of bytes that the key shares with the one before.
    let shared: Int
    let rest: UnsafeBufferPointer<UInt8>
    let spelling: UnsafeBufferPointer<UInt8>?
  }

  /// Reads names in order, from the start of a block on.
  private struct Reader {
    private let list: NameList
    /// The next name to read.
    private(set) var name: Int
    private var text: Slice<UnsafeBufferPointer<UInt8>>

    @inline(__always)
    init(_ list: NameList, block: Int) {
      self.list = list
      name = block * NameList.blockSize
      text = list.blocks.text[list.blocks.start(of: block)...]
    }

    /// The next name; `nil` at the end, or where the text is invalid.
    @inline(__always)
    mutating func next() -> Entry? {
      guard name < list.count, let header = text.popFirst(),
        let shared = number(startingWith: header >> 4),
        let count = number(startingWith: header & 15),
        let rest = bytes(count)
      else { return nil }
      var spelling: UnsafeBufferPointer<UInt8>?
      if list.form(name).hasText {
        guard let count = number(), let bytes = bytes(count) else { return nil }
        spelling = bytes
      }
      name += 1
      return Entry(shared: shared, rest: rest, spelling: spelling)
    }

    @inline(__always)
    private mutating func number(startingWith half: UInt8) -> Int? {
      half < 15 ? Int(half) : number().map { $0 + 15 }
    }

    private mutating func number() -> Int? {
      var value = 0
      var shift = 0
      while let byte = text.popFirst(), shift < 28 {
        value |= Int(byte & 0x7F) << shift
        if byte < 0x80 { return value }
        shift += 7
      }
      return nil
    }

    @inline(__always)
    private mutating func bytes(_ count: Int) -> UnsafeBufferPointer<UInt8>? {
      guard count <= text.count else { return nil }
      let bytes = UnsafeBufferPointer(rebasing: text.prefix(count))
      text = text.dropFirst(count)
      return bytes
    }
  }

  /// Reads names with their complete keys.
  private struct KeyReader {
    private var reader: Reader
    private(set) var key: [UInt8] = []

    init(_ list: NameList, block: Int) {
      reader = Reader(list, block: block)
    }

    /// The name that was read last.
    var name: Int { reader.name - 1 }

    mutating func next() -> Entry? {
      guard let entry = reader.next(), entry.shared <= key.count else { return nil }
      key.removeLast(key.count - entry.shared)
      key.append(contentsOf: entry.rest)
      return entry
    }
  }

  /// The spellings of an alternate name that is the first with its key for its city, the preferred
  /// one first.
  func spellings(of name: Int) -> [String] {
    var reader = KeyReader(self, block: name / Self.blockSize)
    var spellings: [String] = []
    var key: [UInt8] = []
    while let entry = reader.next() {
      guard reader.name >= name else { continue }
      if reader.name == name { key = reader.key }
      guard row(reader.name) == row(name), reader.key == key else { break }
      spellings.append(text(of: reader.name, entry, key: key))
    }
    return spellings
  }

  private func text(of name: Int, _ entry: Entry, key: [UInt8]) -> String {
    if let spelling = entry.spelling { return String(decoding: spelling, as: UTF8.self) }
    return Self.spelling(of: String(decoding: key, as: UTF8.self), form(name))
  }

  /// The spelling that a form derives from a key.
  static func spelling(of key: String, _ form: Form) -> String {
    switch form {
    case .titled: titled(key)
    case .hyphenated: titled(key).replacing(" ", with: "-")
    case .composed: key.precomposedStringWithCanonicalMapping
    case .arabic: key.replacing("\u{6CC}", with: "\u{64A}").replacing("\u{6A9}", with: "\u{643}")
    case .main, .asKey, .spelled, .furtherMain, .further, .furtherAsKey: key
    }
  }

  /// Calls `body` with the row of its city and the spelling of each alternate name; linear.
  func forEachAlternateName(_ body: (_ row: Int, _ spelling: String) -> Void) {
    guard count > 0 else { return }
    var reader = KeyReader(self, block: 0)
    while let entry = reader.next() {
      if isMain(reader.name) { continue }
      body(Int(row(reader.name)), text(of: reader.name, entry, key: reader.key))
    }
  }

  /// Calls `body` with each name and its key; linear.
  func forEachKey(_ body: (_ name: Int, _ key: [UInt8]) -> Void) {
    guard count > 0 else { return }
    var reader = KeyReader(self, block: 0)
    while reader.next() != nil { body(reader.name, reader.key) }
  }

  private static func titled(_ text: String) -> String {
    var result = ""
    var isStart = true
    for scalar in text.unicodeScalars {
      if isStart {
        result += scalar.properties.uppercaseMapping
      } else {
        result.unicodeScalars.append(scalar)
      }
      isStart = scalar == " "
    }
    return result
  }
}

// Searching
extension NameList {
  /// The order of a key, cut to the length of a prefix, and the prefix.
  private enum Comparison {
    case below, same, above
  }

  /// The names with a prefix; logarithmic.
  func names(withPrefix prefix: [UInt8]) -> Range<Int> {
    guard !prefix.isEmpty else { return 0..<count }
    return prefix.withUnsafeBytes { prefix in
      let first = boundary(prefix) { $0 == .below }
      return first..<boundary(prefix, from: first / Self.blockSize) { $0 != .above }
    }
  }

  /// The names with a prefix that is their whole key; logarithmic.
  func exact(_ names: Range<Int>, _ prefix: [UInt8]) -> Range<Int> {
    guard !prefix.isEmpty else { return 0..<0 }
    // The text that follows a text immediately in the order is the same one with a zero byte appended.
    let end = (prefix + [0]).withUnsafeBytes { longer in
      boundary(longer, from: names.lowerBound / Self.blockSize) { $0 == .below }
    }
    return names.clamped(to: 0..<end)
  }

  /// The first name for which `isBefore` is false, from a block at or before it on.
  @inline(__always)
  private func boundary(
    _ prefix: UnsafeRawBufferPointer, from: Int = 0, isBefore: (Comparison) -> Bool
  ) -> Int {
    func isBlockBefore(_ block: Int) -> Bool {
      isBefore(Self.compare(head(of: block), prefix, from: 0).result)
    }
    let low = (from..<blocks.count).partitionPoint(isBlockBefore)
    // The blocks from `low` on start with a name that is not before the boundary.
    guard low > 0 else { return 0 }
    let end = min(low * Self.blockSize, count)
    var reader = Reader(self, block: low - 1)
    // The number of bytes that the key before shares with the prefix.
    var common = 0
    var last = Comparison.below
    while reader.name < end, let entry = reader.next() {
      if entry.shared < common {
        // It differs from the key before, and is greater, where that one was equal to the prefix.
        last = .above
        common = entry.shared
      } else if entry.shared == common, last != .above {
        (common, last) = Self.compare(entry.rest, prefix, from: common)
      }
      guard isBefore(last) else { return reader.name - 1 }
    }
    return end
  }

  @inline(__always)
  private func head(of block: Int) -> UnsafeBufferPointer<UInt8> {
    let bytes = blocks[block]
    // A short key follows the first byte.
    if let count = bytes.first, count < min(15, bytes.count) {
      return UnsafeBufferPointer(rebasing: bytes[1..<1 + Int(count)])
    }
    var reader = Reader(self, block: block)
    return reader.next()?.rest ?? UnsafeBufferPointer(rebasing: bytes[..<0])
  }

  /// Compares the rest of a key with the prefix, which is equal to the key for `start` bytes, and
  /// counts the bytes that they share.
  @inline(__always)
  private static func compare(
    _ rest: UnsafeBufferPointer<UInt8>, _ prefix: UnsafeRawBufferPointer, from start: Int
  ) -> (common: Int, result: Comparison) {
    guard start < prefix.count else { return (start, .same) }
    let compared = min(rest.count, prefix.count - start)
    for position in 0..<compared where rest[position] != prefix[start + position] {
      return (start + position, rest[position] < prefix[start + position] ? .below : .above)
    }
    return (start + compared, start + compared == prefix.count ? .same : .below)
  }

  /// Names among which a search finds each city at most once.
  struct Part {
    let names: Range<Int>
    /// The ``NameList/shortestPrefixes`` of the names that count.
    let shortestPrefixes: ClosedRange<Int8>
    /// Whether only the first name of a city counts, of names that have the same key.
    var isOfOneKey = false
    /// The cities that an earlier part finds.
    var excluded = RowSet()
  }

  /// The names by which a prefix finds cities, each city once: those that are the prefix itself, then
  /// longer main names, then longer alternate names.
  ///
  /// - Parameters:
  ///   - names: the names with the prefix.
  ///   - prefixCount: the bytes of the prefix.
  ///   - exact: the names that are the prefix.
  func parts(of names: Range<Int>, prefixCount: Int, exact: Range<Int>) -> [Part] {
    let longest = Self.prefix(prefixCount)
    let first = Part(names: exact, shortestPrefixes: -longest...longest)
    return [first] + longerParts(of: names, longest, after: exact, RowSet())
  }

  /// The names by which a prefix with a space at its end finds cities, each city once: those that are the
  /// prefix without the space, then those that go on after the space.
  ///
  /// - Parameter exact: the names that are the prefix without the space.
  func parts(ofWord names: Range<Int>, prefixCount: Int, exact: Range<Int>) -> [Part] {
    let first = Part(
      names: exact, shortestPrefixes: -Self.prefix(.max)...Self.prefix(.max), isOfOneKey: true)
    var found = RowSet()
    for name in exact { found.insert(row(name)) }
    return [first] + longerParts(of: names, Self.prefix(prefixCount), after: exact, found)
  }

  private func longerParts(
    of names: Range<Int>, _ longest: Int8, after exact: Range<Int>, _ excluded: RowSet
  ) -> [Part] {
    // In a forged index, the names with the prefix can end before those that are the prefix.
    let start = min(max(names.lowerBound, exact.upperBound), names.upperBound)
    let longer = start..<names.upperBound
    let main = Part(names: longer, shortestPrefixes: -longest...0, excluded: excluded)
    guard longest > 0 else { return [main] }
    return [main, Part(names: longer, shortestPrefixes: 1...longest, excluded: excluded)]
  }

  private static func prefix(_ count: Int) -> Int8 { Int8(min(count, longestPrefix)) }

  /// The number of cities with one of these names, which are all names with a prefix of `prefixCount`
  /// bytes; linear, about 0.03 ns a name.
  func cityCount(_ names: Range<Int>, prefixCount: Int) -> Int {
    guard let first = shortestPrefixes.baseAddress else { return 0 }
    return name_list_count(first + names.lowerBound, names.count, Self.prefix(prefixCount))
  }

  /// The number of cities that a part finds; linear, about 2 ns a name.
  func cityCount(_ part: Part) -> Int {
    var count = 0
    forEachCity(part) { _ in
      count += 1
      return true
    }
    return count
  }

  /// Calls `body` with the names of a part in order, until it returns `false`; linear.
  @inline(__always)
  func forEachCity(_ part: Part, _ body: (Int) -> Bool) {
    let (excludes, isOfOneKey) = (!part.excluded.isEmpty, part.isOfOneKey)
    for name in part.names where part.shortestPrefixes.contains(shortestPrefixes[name]) {
      if excludes, part.excluded.contains(row(name)) { continue }
      if isOfOneKey, name > part.names.lowerBound, row(name) == row(name - 1) { continue }
      guard body(name) else { return }
    }
  }
}

/// Rows, in a bit for each row up to the greatest.
struct RowSet {
  private var words: [UInt64] = []

  var isEmpty: Bool { words.isEmpty }

  mutating func insert(_ row: UInt32) {
    let word = Int(row >> 6)
    if word >= words.count {
      words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
    }
    words[word] |= 1 << UInt64(row & 63)
  }

  @inline(__always)
  func contains(_ row: UInt32) -> Bool {
    let word = Int(row >> 6)
    return word < words.count && words[word] >> UInt64(row & 63) & 1 == 1
  }
}
