import Testing

@testable import FaketrackWeb

@Suite struct FormFieldsTests {
  @Test(arguments: [
    ("track=1", "track", "1"), ("a=1&track=2", "track", "2"), ("track=1&track=2", "track", "1"),
    ("name=Bad+Belzig", "name", "Bad Belzig"), ("name=Z%C3%BCrich", "name", "Zürich"),
    ("a%20b=c%2Bd", "a b", "c+d"), ("empty=", "empty", ""), ("flag", "flag", ""),
    ("a=b=c", "a", "b=c"), ("bad=%zz", "bad", nil), ("other=1", "track", nil), ("", "track", nil),
    ("&&=x&&", "", "x"),
  ])
  func readsWhatBrowsersSend(_ body: String, name: String, value: String?) {
    #expect(FormFields(Array(body.utf8))[name] == value)
  }

  @Test func bytesThatAreNoTextAreLeftOut() {
    #expect(FormFields([UInt8(ascii: "a"), UInt8(ascii: "="), 0xFF])["a"] == nil)
  }
}

@Suite struct MultipartFileTests {
  private static let type = "multipart/form-data; boundary=XX"

  private func body(_ text: String) -> [UInt8] {
    Array(text.replacing("\n", with: "\r\n").utf8)
  }

  @Test func findsTheFileAmongOtherFields() throws {
    let body = body(
      """
      --XX
      Content-Disposition: form-data; name="note"

      hello
      --XX
      Content-Disposition: form-data; name="file"; filename="walk.gpx"
      Content-Type: application/gpx+xml

      <gpx/>
      --X not the end
      --XX--

      """)
    let file = try #require(MultipartFile(body: body, type: Self.type))
    #expect(file.name == "walk.gpx")
    #expect(String(decoding: file.bytes, as: UTF8.self) == "<gpx/>\r\n--X not the end")
  }

  @Test func keepsEveryByteOfTheFile() throws {
    let bytes = (0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let head = body("--XX\nContent-Disposition: form-data; name=\"f\"; filename=\"b\"\n\n")
    let file = try #require(
      MultipartFile(body: head + bytes + body("\n--XX--\n"), type: Self.type))
    #expect(file.bytes == bytes)
  }

  @Test(arguments: [
    ("", "multipart/form-data; boundary=XX"),
    ("--XX", "multipart/form-data; boundary=XX"),
    ("--XX\n\n", "multipart/form-data; boundary=XX"),
    (
      "--XX\nContent-Disposition: form-data; filename=\"a\"\n\nno end",
      "multipart/form-data; boundary=XX"
    ),
    (
      "--XX\nContent-Disposition: form-data; name=\"a\"\n\nx\n--XX--",
      "multipart/form-data; boundary=XX"
    ),
    ("--\n\n\n--", "multipart/form-data; boundary="),
    (
      "--XX\nContent-Disposition: form-data; filename=\"a\"\n\nx\n--XX--", "text/plain; boundary=XX"
    ),
    ("--XX\nContent-Disposition: form-data; filename=\"a\"\n\nx\n--XX--", "multipart/form-data"),
  ])
  func whatIsPutTogetherOtherwiseHoldsNoFile(_ text: String, type: String) {
    #expect(MultipartFile(body: body(text), type: type) == nil)
  }

  @Test func cutAnywhereItNeverBreaks() {
    let whole = body(
      "--XX\nContent-Disposition: form-data; name=\"f\"; filename=\"b\"\n\ncontent\n--XX--\n")
    for length in 0..<whole.count {
      let file = MultipartFile(body: Array(whole.prefix(length)), type: Self.type)
      #expect(file == nil || file?.bytes == Array("content".utf8))
    }
  }

  @Test func anEmptyFileIsFound() throws {
    let body = body("--XX\nContent-Disposition: form-data; filename=\"a\"\n\n\n--XX--")
    #expect(try #require(MultipartFile(body: body, type: Self.type)).bytes.isEmpty)
  }
}
