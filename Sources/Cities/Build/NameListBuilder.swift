import Foundation

/// Collects the names of cities, each spelling once, and makes a ``NameList`` of them.
struct NameListBuilder {
  private struct Entry {
    /// The first eight bytes of the key, the first one in the highest bits; they decide the order of
    /// most pairs.
    var head: UInt64
    var keyStart: UInt32
    var keyCount: UInt32
    var city: UInt32
    /// The position in `spellings`, 0 for none.
    var spelling: UInt32
    var form: NameList.Form
  }

  private var keys: [UInt8] = []
  /// The spellings of a name are in the order of preference, which the stable sort keeps.
  private var entries: [Entry] = []
  /// The entries of the main name of each city; the first entry has the key of the name.
  private var main: [Range<Int>] = []
  private var spellings = [""]
  private var folding = NameKey()

  var byteCount: Int { keys.count }

  /// Adds the names of the next city with their further keys, except alternate names with a key of the
  /// main name.
  mutating func add(_ name: String, alternates: some Sequence<String>) {
    let city = UInt32(main.count)
    let start = keys.count
    folding.append(name.utf8, to: &keys)
    append(from: start, .main, of: city)
    var mainKeys = [Array(keys[start...])]
    for key in NameKey.furtherKeys(of: name, key: mainKeys[0]) {
      append(key, .furtherMain, of: city)
      mainKeys.append(key)
    }
    main.append(entries.count - mainKeys.count..<entries.count)
    var byKey: [[UInt8]: Set<[UInt8]>] = [:]
    var further: [[UInt8]: String] = [:]
    for alternate in alternates {
      var key: [UInt8] = []
      folding.append(alternate.utf8, to: &key)
      guard key.contains(where: { $0 != 0x20 }) else { continue }
      for other in NameKey.furtherKeys(of: alternate, key: key) where !mainKeys.contains(other) {
        further[other] = min(alternate, further[other] ?? alternate)
      }
      if !mainKeys.contains(key) { byKey[key, default: []].insert(Array(alternate.utf8)) }
    }
    for (key, variants) in byKey { add(variants, key, of: city) }
    for (key, spelling) in further where byKey[key] == nil {
      append(
        key, NameKey.key(of: spelling) == Array(spelling.utf8) ? .furtherAsKey : .further,
        spelling: spelling, of: city)
    }
  }

  private mutating func append(
    _ key: [UInt8], _ form: NameList.Form, spelling: String? = nil, of city: UInt32
  ) {
    if let spelling { spellings.append(spelling) }
    let start = keys.count
    keys.append(contentsOf: key)
    append(from: start, form, of: city)
  }

  private mutating func add(_ variants: Set<[UInt8]>, _ key: [UInt8], of city: UInt32) {
    let start = keys.count
    keys.append(contentsOf: key)
    let text = String(decoding: key, as: UTF8.self)
    func spelling(_ form: NameList.Form) -> [UInt8] {
      Array(NameList.spelling(of: text, form).utf8)
    }
    let titled = spelling(.titled)
    let rarer: [NameList.Form] = [.hyphenated, .composed, .arabic]
    // With accents before without, capitalized before other cases.
    func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
      let (m, n) = (a.count { $0 >= 0x80 }, b.count { $0 >= 0x80 })
      if m != n { return m > n }
      if (a == titled) != (b == titled) { return a == titled }
      return a.lexicographicallyPrecedes(b)
    }
    for name in variants.sorted(by: precedes) {
      let form: NameList.Form =
        name == key
        ? .asKey
        : name == titled ? .titled : rarer.first { spelling($0) == name } ?? .spelled
      if form == .spelled { spellings.append(String(decoding: name, as: UTF8.self)) }
      append(from: start, form, of: city)
    }
  }

  private mutating func append(from start: Int, _ form: NameList.Form, of city: UInt32) {
    let head = keys[start...].prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let count = keys.count - start
    entries.append(
      Entry(
        head: head << UInt64(8 * (8 - min(count, 8))), keyStart: UInt32(truncatingIfNeeded: start),
        keyCount: UInt32(count), city: city,
        spelling: form.hasText ? UInt32(spellings.count - 1) : 0, form: form))
  }

  /// The numbers of the cities in the order of ``IndexSections/records``.
  func order(_ records: [CityRecord]) -> [UInt32] {
    keys.withUnsafeBytes { keys in
      (0..<UInt32(records.count)).sorted { a, b in
        let (p, q) = (records[Int(a)], records[Int(b)])
        if p.knownPopulation != q.knownPopulation { return p.knownPopulation > q.knownPopulation }
        return Self.precedes(
          entries[main[Int(a)].lowerBound], entries[main[Int(b)].lowerBound], keys, records)
      }
    }
  }

  /// - Parameter rows: the row of the city with each number.
  func list(_ records: [CityRecord], rows: [UInt32]) -> EncodedNames {
    var sorted = entries
    var list = EncodedNames()
    keys.withUnsafeBytes { keys in
      sorted.sort { Self.precedes($0, $1, keys, records) }
      func key(_ entry: Entry) -> UnsafeRawBufferPointer {
        let start = Int(entry.keyStart)
        return UnsafeRawBufferPointer(rebasing: keys[start..<start + Int(entry.keyCount)])
      }
      // The last alternate name of each city so far.
      var last = [UInt32](repeating: .max, count: rows.count)
      for (position, entry) in sorted.enumerated() {
        let city = Int(entry.city)
        let entryKey = key(entry)
        var shortestPrefix = 0
        if entry.form != .main {
          for other in entries[main[city]]
          where other.form == .main || !entry.form.isMain
            || Self.precedes(other, entry, keys, records)
          {
            shortestPrefix = max(shortestPrefix, 1 + Self.common(entryKey, key(other)))
          }
          if !entry.form.isMain, last[city] != .max {
            let common = Self.common(entryKey, key(sorted[Int(last[city])]))
            shortestPrefix = max(shortestPrefix, 1 + common)
          }
          // No prefix in the range of the format would find it.
          guard shortestPrefix <= NameList.longestPrefix else { continue }
          if !entry.form.isMain { last[city] = UInt32(position) }
        }
        list.append(
          entryKey, row: rows[city], form: entry.form,
          spelling: entry.spelling > 0 ? spellings[Int(entry.spelling)] : nil,
          shortestPrefix: Int8(entry.form.isMain ? -shortestPrefix : shortestPrefix))
      }
    }
    return list
  }

  /// By the key, then by country code, then by id.
  private static func precedes(
    _ a: Entry, _ b: Entry, _ keys: UnsafeRawBufferPointer, _ records: [CityRecord]
  ) -> Bool {
    if a.head != b.head { return a.head < b.head }
    let (m, n) = (Int(a.keyCount), Int(b.keyCount))
    if let base = keys.baseAddress {
      let difference = memcmp(base + Int(a.keyStart), base + Int(b.keyStart), min(m, n))
      if difference != 0 { return difference < 0 }
    }
    if m != n { return m < n }
    let (p, q) = (records[Int(a.city)], records[Int(b.city)])
    return (p.country, p.id) < (q.country, q.id)
  }

  /// The length of the longest common prefix of two keys.
  static func common(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    let count = min(a.count, b.count)
    return (0..<count).first { a[$0] != b[$0] } ?? count
  }
}

/// The sections of a ``NameList``.
struct EncodedNames {
  private(set) var rows: [UInt32] = []
  private(set) var shortestPrefixes: [Int8] = []
  private(set) var blockEnds: [UInt32] = []
  private(set) var text: [UInt8] = []
  private var lastKey: [UInt8] = []

  /// Adds the next name in the order of keys.
  fileprivate mutating func append(
    _ key: UnsafeRawBufferPointer, row: UInt32, form: NameList.Form, spelling: String?,
    shortestPrefix: Int8
  ) {
    if rows.count.isMultiple(of: NameList.blockSize) {
      lastKey.removeAll(keepingCapacity: true)
      blockEnds.append(0)
    }
    let shared = lastKey.withUnsafeBytes { NameListBuilder.common($0, key) }
    let rest = key[shared...]
    text.append(UInt8(min(shared, 15) << 4 | min(rest.count, 15)))
    if shared >= 15 { append(number: shared - 15) }
    if rest.count >= 15 { append(number: rest.count - 15) }
    text.append(contentsOf: rest)
    if let spelling {
      append(number: spelling.utf8.count)
      text.append(contentsOf: spelling.utf8)
    }
    rows.append(row | form.rawValue << NameList.rowBits)
    shortestPrefixes.append(shortestPrefix)
    blockEnds[blockEnds.count - 1] = UInt32(truncatingIfNeeded: text.count)
    lastKey.removeAll(keepingCapacity: true)
    lastKey.append(contentsOf: key)
  }

  private mutating func append(number: Int) {
    var rest = number
    while rest >= 0x80 {
      text.append(UInt8(rest & 0x7F | 0x80))
      rest >>= 7
    }
    text.append(UInt8(rest))
  }
}
