import CCities
import FaketrackSupport

/// All names of all cities, in the order of their keys; of equal keys, by country code, then by id.
///
/// The names with a prefix are neighbors in this order, so a search is two binary searches. Keys are
/// front coded: each is stored as the number of bytes that it shares with the one before, and the
/// rest of it. A block of ``blockSize`` names starts with a whole key, so that the blocks can be
/// searched without reading what lies between. The text of a block has for each name:
///
/// | bytes | content |
/// | --- | --- |
/// | 1 | the bytes shared with the key before (high half) and those of the rest (low half); 15 for more |
/// | 0 ... | what is above 15 of each, as 7 bits to a byte, the lowest first |
/// | … | the rest of the key |
/// | … | for a ``Form/spelled`` name: its length, as 7 bits to a byte, and its text |
struct NameList {
  /// The number of names in a block.
  static let blockSize = 16
  /// The longest prefix that ``shortestPrefixes`` can tell, in bytes.
  static let longestPrefix = 255
  /// The bits of a number in ``rows`` that hold the row.
  static let rowBits: UInt32 = 28

  /// How a name is written, as its key does not tell.
  enum Form: UInt32 {
    /// The city's own name, which its record holds.
    case own
    /// As its key.
    case asKey
    /// As its key, with capitals at the start of words.
    case titled
    /// As the text says.
    case spelled
  }

  /// For each name the row of its city, and the ``Form`` in the bits above.
  let rows: UnsafeBufferPointer<UInt32>
  /// For each name, how many bytes a prefix has at least that finds its city by this name: 0 for the
  /// city's own name, otherwise one more than the name shares with the own name or with another one
  /// before it.
  ///
  /// So a prefix of n bytes finds each city once: by that of its names where this is at most n.
  let shortestPrefixes: UnsafeBufferPointer<UInt8>
  /// Where each block ends in ``text``.
  let blockEnds: UnsafeBufferPointer<UInt32>
  let text: UnsafeBufferPointer<UInt8>

  /// The number of names.
  var count: Int { rows.count }

  /// The row of the city with a name.
  @inline(__always)
  func row(_ name: Int) -> UInt32 { rows[name] & (1 << Self.rowBits - 1) }

  /// Whether a name is the own name of its city.
  func isOwn(_ name: Int) -> Bool { form(name) == .own }

  private func form(_ name: Int) -> Form {
    Form(rawValue: rows[name] >> Self.rowBits) ?? .asKey
  }

  /// Whether all rows are below `cities` and all blocks lie in the text; linear.
  ///
  /// What the text says is checked whenever it is read.
  func isWellFormed(cities: Int) -> Bool {
    TextList(ends: blockEnds, text: text).isWellFormed
      && rows.indices.allSatisfy { row($0) < cities }
  }
}

// Reading
extension NameList {
  /// A name as the text has it.
  private struct Entry {
    /// The bytes that the key shares with the one before.
    let shared: Int
    /// The other bytes of the key.
    let rest: UnsafeBufferPointer<UInt8>
    /// The name, if it is spelled out.
    let spelling: UnsafeBufferPointer<UInt8>?
  }

  /// Reads the names of a block in order.
  private struct BlockReader {
    let list: NameList
    /// The next name to read.
    var name: Int
    /// The end of the block.
    let end: Int
    private var text: Slice<UnsafeBufferPointer<UInt8>>

    @inline(__always)
    init(_ list: NameList, block: Int) {
      self.list = list
      name = block * NameList.blockSize
      end = min(name + NameList.blockSize, list.count)
      let start = block == 0 ? 0 : Int(list.blockEnds[block - 1])
      text = list.text[start..<Int(list.blockEnds[block])]
    }

    /// The next name of the block; `nil` at its end, or where the text breaks off.
    @inline(__always)
    mutating func next() -> Entry? {
      guard name < end, let header = text.popFirst(),
        let shared = number(startingWith: header >> 4),
        let count = number(startingWith: header & 15),
        let rest = bytes(count)
      else { return nil }
      var spelling: UnsafeBufferPointer<UInt8>?
      if list.form(name) == .spelled {
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

  /// Reads names and their keys in order, from the start of a block on.
  private struct KeyReader {
    private var block: BlockReader
    private(set) var key: [UInt8] = []

    init(_ list: NameList, block: Int) {
      self.block = BlockReader(list, block: block)
    }

    /// The name whose entry was read last.
    var name: Int { block.name - 1 }

    mutating func next() -> Entry? {
      if block.name == block.end, block.end < block.list.count {
        block = BlockReader(block.list, block: block.end / NameList.blockSize)
      }
      let isHead = block.name.isMultiple(of: NameList.blockSize)
      guard let entry = block.next(), entry.shared <= (isHead ? 0 : key.count) else { return nil }
      key.removeLast(key.count - entry.shared)
      key.append(contentsOf: entry.rest)
      return entry
    }
  }

  /// The ways in which a name other than a city's own is written, the preferred one first.
  ///
  /// - Parameter name: the first with its key for its city.
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
    let text = String(decoding: key, as: UTF8.self)
    return form(name) == .titled ? Self.titled(text) : text
  }

  /// Calls `body` with each name and its key; linear.
  func forEachKey(_ body: (_ name: Int, _ key: [UInt8]) -> Void) {
    guard count > 0 else { return }
    var reader = KeyReader(self, block: 0)
    while reader.next() != nil { body(reader.name, reader.key) }
  }

  /// Text with a capital at the start of each word.
  static func titled(_ text: String) -> String {
    var result = ""
    var isStart = true
    for scalar in text.unicodeScalars {
      if isStart {
        result += scalar.properties.uppercaseMapping
      } else {
        result.unicodeScalars.append(scalar)
      }
      isStart = scalar == " " || scalar == "-"
    }
    return result
  }
}

// Searching
extension NameList {
  /// How a key, cut to the length of a prefix, compares with the prefix.
  private enum Comparison {
    case below
    case same
    case above
  }

  /// The names whose keys start with a prefix; logarithmic.
  func names(withPrefix prefix: [UInt8]) -> Range<Int> {
    guard !prefix.isEmpty else { return 0..<count }
    return prefix.withUnsafeBytes { prefix in
      let first = boundary(prefix) { $0 == .below }
      return first..<boundary(prefix, from: first / Self.blockSize) { $0 != .above }
    }
  }

  /// Of the names with a prefix, those whose key it is; logarithmic.
  func exact(_ names: Range<Int>, _ prefix: [UInt8]) -> Range<Int> {
    guard !prefix.isEmpty else { return 0..<0 }
    // No text is between a text and the same one with the lowest byte behind it.
    let end = (prefix + [0]).withUnsafeBytes { longer in
      boundary(longer, from: names.lowerBound / Self.blockSize) { $0 == .below }
    }
    return names.clamped(to: 0..<end)
  }

  /// The first name for which `isBefore` is false, which it stays from there on.
  ///
  /// - Parameter from: a block whose first name is not behind the result.
  @inline(__always)
  private func boundary(
    _ prefix: UnsafeRawBufferPointer, from: Int = 0, isBefore: (Comparison) -> Bool
  ) -> Int {
    func isBlockBefore(_ block: Int) -> Bool {
      isBefore(Self.compare(head(of: block), prefix, from: 0).result)
    }
    // In steps that double, since the end of a range is mostly near its start.
    var low = from
    var high = from
    while high < blockEnds.count, isBlockBefore(high) {
      low = high + 1
      high += high - from + 1
    }
    low = (low..<min(high, blockEnds.count)).partitionPoint(isBlockBefore)
    // The blocks from `low` on start with a name that is not before the boundary.
    guard low > 0 else { return 0 }
    var reader = BlockReader(self, block: low - 1)
    // The bytes that the key before has in common with the prefix.
    var common = 0
    var last = Comparison.below
    while let entry = reader.next() {
      if entry.shared < common {
        // It differs from the one before, and is behind it, where that one was like the prefix.
        last = .above
        common = entry.shared
      } else if entry.shared == common, last != .above {
        (common, last) = Self.compare(entry.rest, prefix, from: common)
      }
      guard isBefore(last) else { return reader.name - 1 }
    }
    return min(low * Self.blockSize, count)
  }

  /// The key of the first name of a block.
  @inline(__always)
  private func head(of block: Int) -> UnsafeBufferPointer<UInt8> {
    let start = block == 0 ? 0 : Int(blockEnds[block - 1])
    let bytes = UnsafeBufferPointer(rebasing: text[start..<Int(blockEnds[block])])
    // All of the key is behind the first byte, unless it is too long for that.
    if let count = bytes.first, count < min(15, bytes.count) {
      return UnsafeBufferPointer(rebasing: bytes[1..<1 + Int(count)])
    }
    var reader = BlockReader(self, block: block)
    return reader.next()?.rest ?? UnsafeBufferPointer(rebasing: bytes[..<0])
  }

  /// Compares the rest of a key, of which `start` bytes are those of the prefix, with the prefix.
  ///
  /// - Returns: the number of bytes that the key and the prefix have in common, and the result.
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
    /// What ``NameList/shortestPrefixes`` has for those that count.
    let shortestPrefixes: ClosedRange<UInt8>
  }

  /// The names by which a prefix finds cities, each city once: those that are the prefix itself, then
  /// longer own names, then longer other names.
  ///
  /// - Parameters:
  ///   - names: all with the prefix.
  ///   - exact: those of them that are the prefix.
  func parts(of names: Range<Int>, exact: Range<Int>, prefixCount: Int) -> [Part] {
    let longest = UInt8(min(prefixCount, Self.longestPrefix))
    let longer = max(names.lowerBound, exact.upperBound)..<names.upperBound
    let parts = [
      Part(names: exact, shortestPrefixes: 0...longest),
      Part(names: longer, shortestPrefixes: 0...0),
    ]
    return longest > 0 ? parts + [Part(names: longer, shortestPrefixes: 1...longest)] : parts
  }

  /// The number of cities with one of these names, which are all with a prefix of so many bytes.
  ///
  /// Linear, about 0.03 ns for a name.
  func cityCount(_ names: Range<Int>, prefixCount: Int) -> Int {
    guard let first = shortestPrefixes.baseAddress else { return 0 }
    return name_list_count(
      first + names.lowerBound, names.count, UInt8(min(prefixCount, Self.longestPrefix)))
  }

  /// Calls `body` with the names in a part in order, until it returns `false`; linear.
  @inline(__always)
  func forEachCity(_ part: Part, _ body: (Int) -> Bool) {
    for name in part.names where part.shortestPrefixes.contains(shortestPrefixes[name]) {
      guard body(name) else { return }
    }
  }
}
