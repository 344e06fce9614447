/// The keys of a name as people type it, beside the key of the name itself: with abbreviations of the
/// words that have one, without apostrophes, with "aa" for "å", and without 市 at the end.
extension NameKey {
  /// The words that are often abbreviated, with the shortest form of each.
  private static let abbreviations: [ArraySlice<UInt8>: ArraySlice<UInt8>] = {
    let words = [
      "saint": "st", "sainte": "st", "sankt": "st", "ste": "st", "st.": "st", "mount": "mt",
      "mt.": "mt", "fort": "ft", "ft.": "ft", "santa": "sta", "sta.": "sta", "santo": "sto",
      "sto.": "sto",
    ]
    func bytes(_ word: String) -> ArraySlice<UInt8> { Array(word.utf8)[...] }
    return Dictionary(uniqueKeysWithValues: words.map { (bytes($0), bytes($1)) })
  }()

  private static let space = UInt8(ascii: " ")
  private static let apostrophe = UInt8(ascii: "'")
  private static let cityCharacter = Array("市".utf8)

  /// The key of the start of a name: each word with a space or hyphen after it is abbreviated.
  static func key(ofPrefix prefix: String) -> [UInt8] {
    abbreviated(prefix: key(of: prefix))
  }

  /// Whether a word of a key begins like one that has an abbreviation.
  private static func mayHaveAbbreviation(_ key: [UInt8]) -> Bool {
    var isStart = true
    for (letter, next) in zip(key, key.dropFirst()) {
      if isStart {
        switch (letter, next) {
        case (UInt8(ascii: "s"), UInt8(ascii: "t")), (UInt8(ascii: "s"), UInt8(ascii: "a")),
          (UInt8(ascii: "m"), UInt8(ascii: "o")), (UInt8(ascii: "m"), UInt8(ascii: "t")),
          (UInt8(ascii: "f"), UInt8(ascii: "o")), (UInt8(ascii: "f"), UInt8(ascii: "t")):
          return true
        default: break
        }
      }
      isStart = letter == space
    }
    return false
  }

  /// A key in which each word with a space after it is abbreviated.
  static func abbreviated(prefix key: [UInt8]) -> [UInt8] {
    guard mayHaveAbbreviation(key) else { return key }
    var words = key.split(separator: space, omittingEmptySubsequences: false)
    for index in words.indices.dropLast() {
      words[index] = abbreviations[words[index]] ?? words[index]
    }
    return Array(words.joined(separator: [space]))
  }

  /// The further keys of a name, each once, with up to four words abbreviated; linear in its length.
  ///
  /// Each ``abbreviated(prefix:)`` start of a name is the start of one of its keys.
  ///
  /// - Parameter key: the key of the name.
  static func furtherKeys(of name: some StringProtocol, key: [UInt8]) -> [[UInt8]] {
    // A name with "å" has more bytes than its key.
    let isPlain = name.utf8.count == key.count && !key.contains(apostrophe)
    if isPlain, key.last != cityCharacter.last, !mayHaveAbbreviation(key) { return [] }
    var spellings = [key]
    if let key = keyWritingRings(of: name) { spellings.append(key) }
    if key.count > cityCharacter.count, key.suffix(cityCharacter.count) == cityCharacter[...] {
      spellings.append(key.dropLast(cityCharacter.count))
    }
    for key in spellings where key.contains(apostrophe) {
      spellings.append(key.filter { $0 != apostrophe })
    }
    var keys: [[UInt8]] = []
    for further in spellings.flatMap({ [$0] + abbreviated($0) })
    where further != key && !keys.contains(further) && further.contains(where: { $0 != space }) {
      keys.append(further)
    }
    return keys
  }

  /// A key with its first word that has an abbreviation abbreviated, then with the second one too, and
  /// so on.
  private static func abbreviated(_ key: [UInt8]) -> [[UInt8]] {
    var words = key.split(separator: space, omittingEmptySubsequences: false)
    return words.indices.filter { abbreviations[words[$0]] != nil }.prefix(4).map { index in
      words[index] = abbreviations[words[index]] ?? words[index]
      return Array(words.joined(separator: [space]))
    }
  }

  /// The key of a name with "aa" for each "å"; `nil` if it has none.
  private static func keyWritingRings(of name: some StringProtocol) -> [UInt8]? {
    let ringed: [Character] = ["å", "Å"]
    // The first bytes of "å" and "Å" in UTF-8, of a combining ring, and of the sign for ångström.
    guard name.utf8.contains(where: { $0 == 0xC3 || $0 == 0xCC || $0 == 0xE2 }),
      name.contains(where: ringed.contains)
    else { return nil }
    return key(of: String(name.flatMap { ringed.contains($0) ? "aa" : String($0) }))
  }
}
