import Testing

@testable import FaketrackFeatures

@Suite struct CSVReaderTests {
  private func records(
    _ bytes: [UInt8], separator: Character = ","
  ) throws -> [CSVReader.Record] {
    var reader = CSVReader(bytes, columns: 2, separator: separator.asciiValue ?? 0)
    var records: [CSVReader.Record] = []
    while let record = try reader.next() { records.append(record) }
    return records
  }

  @Test(
    arguments: [
      ("", []),
      ("a,b", [["a", "b"]]),
      ("a,b\n", [["a", "b"]]),
      ("a,b\r\nc,d\re,f\n", [["a", "b"], ["c", "d"], ["e", "f"]]),
      ("\n\r\n\ra,b\n\n\nc,d", [["a", "b"], ["c", "d"]]),
      (",\n", [["", ""]]),
      ("a,\n,b", [["a", ""], ["", "b"]]),
      ("a,", [["a", ""]]),
      ("a, b ", [["a", " b "]]),
      (#""a","b""#, [["a", "b"]]),
      (#""","""#, [["", ""]]),
      (#""a,b","c""d""""#, [["a,b", #"c"d""#]]),
      ("\"a\nb\",\"c\r\nd\re\"\nf,g", [["a\nb", "c\r\nd\re"], ["f", "g"]]),
      (#"a,  "b"  "#, [["a", "b"]]),
      (#"a,say "b" now"#, [["a", #"say "b" now"#]]),
      ("\u{E4},\u{1F600}", [["\u{E4}", "\u{1F600}"]]),
      ("a;b,c\td", [["a;b", "c\td"]]),
    ] as [(String, [[String]])])
  func readsRecords(text: String, fields: [[String]]) throws {
    #expect(try records(Array(text.utf8)).map(\.fields) == fields)
  }

  @Test(arguments: [";", "\t"] as [Character])
  func separatesByAnotherCharacter(separator: Character) throws {
    let text = "a,b\(separator)\"c\(separator)d\""
    #expect(
      try records(Array(text.utf8), separator: separator).map(\.fields)
        == [["a,b", "c\(separator)d"]])
  }

  @Test func aRecordHasTheLineAtWhichItBegins() throws {
    let text = "\r\n\"a\nb\",\"c\r\nd\"\r\n\re,f"
    #expect(try records(Array(text.utf8)).map(\.line) == [2, 6])
  }

  @Test(
    arguments: [
      ("a", 1, .tooFewFields),
      ("a,b\n\nc\n", 3, .tooFewFields),
      ("a,b,c", 1, .tooManyFields),
      ("a,b,", 1, .tooManyFields),
      ("\"a\nb\",c\n\"d\ne\",f,g", 3, .tooManyFields),
      ("a,\"b", 1, .openQuote),
      ("\"\n\n\",b\na,\"\n\n", 4, .openQuote),
      ("\"", 1, .openQuote),
      ("a,\"\"\"", 1, .openQuote),
      ("\"a\nb\"c,d", 2, .textAfterQuote),
      ("a,\"b\" \"c\"", 1, .textAfterQuote),
    ] as [(String, Int, CSVReader.InvalidRecord.Reason)])
  func refusesAnInvalidRecord(
    text: String, line: Int, reason: CSVReader.InvalidRecord.Reason
  ) {
    #expect(throws: CSVReader.InvalidRecord(line: line, reason: reason)) {
      try records(Array(text.utf8))
    }
  }

  @Test(
    arguments: [
      ([0x61, 0x2C, 0xE4], 1), ([0x0A, 0x22, 0x0A, 0xFF, 0x22, 0x2C, 0x61], 2),
      ([0xFF, 0xFE, 0x61, 0x00, 0x2C, 0x00], 1),
    ] as [([UInt8], Int)])
  func refusesBytesThatAreNotUTF8(bytes: [UInt8], line: Int) {
    #expect(throws: CSVReader.InvalidRecord(line: line, reason: .notUTF8)) {
      try records(bytes)
    }
  }
}
