import FaketrackFeatures
import Foundation
import Testing

@testable import FaketrackWeb

@Suite struct FormFieldsTests {
  @Test(arguments: [
    ("track=1", "track", "1"), ("a=1&track=2", "track", "2"), ("track=1&track=2", "track", "1"),
    ("name=Bad+Belzig", "name", "Bad Belzig"), ("name=Z%C3%BCrich", "name", "Zürich"),
    ("name=Z%c3%bcrich", "name", "Zürich"), ("a%20b=c%2Bd", "a b", "c+d"), ("empty=", "empty", ""),
    ("flag", "flag", ""), ("a=b=c", "a", "b=c"), ("a=%3D%26", "a", "=&"), ("bad=%zz", "bad", nil),
    ("bad=%", "bad", nil), ("bad=%4", "bad", nil), ("bad=%FF", "bad", nil),
    ("%zz=1&a=2", "a", "2"), ("bad=%zz&bad=2", "bad", "2"), ("other=1", "track", nil),
    ("", "track", nil), ("&&=x&&", "", "x"), ("TRACK=1", "track", nil), ("a=1;b=2", "a", "1;b=2"),
    ("a=%00", "a", "\0"), ("a=\u{1F6B6}", "a", "\u{1F6B6}"),
  ])
  func readsWhatBrowsersSend(_ body: String, name: String, value: String?) {
    #expect(FormFields(Array(body.utf8))[name] == value)
  }

  @Test func bytesThatAreNoTextAreLeftOut() {
    let equals = UInt8(ascii: "=")
    let fields = FormFields([UInt8(ascii: "a"), equals, 0xFF, UInt8(ascii: "&"), 0xC3, equals, 1])
    #expect(fields == FormFields([]))
  }

  @Test func manyFieldsAreRead() {
    let body = (0..<2_000).map { "f\($0)=\($0)" }.joined(separator: "&")
    let fields = FormFields(Array(body.utf8))
    #expect(fields["f0"] == "0" && fields["f1999"] == "1999" && fields["f2000"] == nil)
  }
}

@Suite struct HeaderParametersTests {
  @Test(arguments: [
    ("form-data; name=\"file\"", "name", "file"), ("form-data; name=file", "name", "file"),
    ("form-data;name=file;filename=a.gpx", "filename", "a.gpx"),
    ("form-data; filename=\"a;b.gpx\"; name=\"x;y\"", "filename", "a;b.gpx"),
    ("form-data; filename=\"a;b.gpx\"; name=\"x;y\"", "name", "x;y"),
    ("form-data; filename=\"say \\\"hi\\\".gpx\"", "filename", "say \"hi\".gpx"),
    ("form-data; filename=\"C:\\\\walks\\\\a.gpx\"", "filename", "C:\\walks\\a.gpx"),
    ("form-data; filename=\"C:\\walks\\a.gpx\"", "filename", "C:\\walks\\a.gpx"),
    ("form-data; filename=\"a=b.gpx\"", "filename", "a=b.gpx"),
    ("form-data; FileName = \"a.gpx\"", "filename", "a.gpx"),
    ("form-data; filename=\"Föhr 東京.gpx\"", "filename", "Föhr 東京.gpx"),
    ("form-data; filename=\"\"", "filename", ""), ("form-data; filename=", "filename", ""),
    ("form-data; filename", "filename", nil), ("form-data; filename; name=a", "name", "a"),
    ("form-data", "name", nil), ("", "name", nil), (";;;", "name", nil),
    ("form-data; name=a; name=b", "name", "a"), ("form-data; name=a ; x=1", "name", "a"),
    ("form-data; filename=\"no end", "filename", "no end"),
    ("form-data; filename=\"a\"junk; name=b", "name", "b"),
    ("form-data; filename=\"a\\\"; name=b", "filename", "a\"; name=b"),
    ("multipart/form-data; boundary=\"a b;c\"", "boundary", "a b;c"),
    ("multipart/form-data; boundary=XX; charset=utf-8", "boundary", "XX"),
    ("form-data; \u{301}name=a; filename=\"\u{301}b\"", "filename", "\u{301}b"),
  ])
  func readsParameters(_ header: String, name: String, value: String?) {
    #expect(HeaderParameters(header.utf8)[name] == value)
  }

  @Test(arguments: [
    ("UTF-8''walk.gpx", "walk.gpx"), ("utf-8'de'Spree%20Weg.gpx", "Spree Weg.gpx"),
    ("UTF-8''F%C3%B6hr%3B%20%22.gpx", "Föhr; \".gpx"), ("UTF-8''it's.gpx", "it's.gpx"),
    ("ISO-8859-1''F%F6hr.gpx", nil), ("UTF-8''%FF", nil), ("walk.gpx", nil), ("UTF-8'walk", nil),
    ("", nil),
  ])
  func readsExtendedText(_ value: String, text: String?) {
    #expect(HeaderParameters.extendedText(value) == text)
  }

  @Test func cutAnywhereItNeverBreaks() {
    let header = Array("form-data; name=\"a\\\"b\"; filename*=UTF-8''x; filename=\"c;d\"".utf8)
    for length in 0...header.count {
      let parameters = HeaderParameters(header.prefix(length))
      #expect((parameters["name"]?.count ?? 0) <= 3)
      #expect((parameters["filename"]?.count ?? 0) <= 3)
    }
  }
}

@Suite struct MultipartFileTests {
  private static let type = "multipart/form-data; boundary=XX"

  private func body(_ text: String) -> [UInt8] {
    Array(text.replacing("\n", with: "\r\n").utf8)
  }

  /// A body with one file under this disposition.
  private func file(_ disposition: String) throws -> MultipartFile? {
    try MultipartFile.all(
      in: body("--XX\nContent-Disposition: \(disposition)\n\n<gpx/>\n--XX--\n"), type: Self.type
    ).first
  }

  @Test(arguments: [
    ("form-data; name=\"file\"; filename=\"walk.gpx\"", "walk.gpx"),
    ("form-data; name=\"file\"; filename=\"a;b;c.gpx\"", "a;b;c.gpx"),
    ("form-data; filename=\"; filename=other\"; name=\"file\"", "; filename=other"),
    ("form-data; name=\"file\"; filename=\"my \\\"best\\\" walk.gpx\"", "my \"best\" walk.gpx"),
    ("form-data; name=\"file\"; filename=\"Müggelsee – 東京 🚶.gpx\"", "Müggelsee – 東京 🚶.gpx"),
    ("form-data; name=\"file\"; filename=walk.gpx", "walk.gpx"),
    (
      "form-data; name=\"file\"; filename=\"fallback.gpx\"; filename*=UTF-8''F%C3%B6hr%3B.gpx",
      "Föhr;.gpx"
    ),
    (
      "form-data; name=\"file\"; filename*=UTF-8''F%C3%B6hr.gpx; filename=\"fallback.gpx\"",
      "Föhr.gpx"
    ),
    (
      "form-data; name=\"file\"; filename=\"fallback.gpx\"; filename*=ISO-8859-1''F%F6hr.gpx",
      "fallback.gpx"
    ),
    ("form-data; name=\"file\"; filename=\"\"", ""),
  ])
  func readsTheNameOfTheFile(_ disposition: String, name: String) throws {
    let file = try #require(try self.file(disposition))
    #expect(file.name == name)
    #expect(file.bytes == Array("<gpx/>".utf8))
  }

  @Test(arguments: ["form-data; name=\"filename\"", "form-data; name=\"a; filename=b\"", ""])
  func aFieldIsNoFile(_ disposition: String) throws {
    #expect(try file(disposition) == nil)
  }

  @Test func findsTheFilesAmongOtherFields() throws {
    let body = body(
      """
      --XX
      Content-Disposition: form-data; name="note"

      hello
      --XX
      Content-Type: application/gpx+xml
      content-disposition: form-data; name="file"; filename="walk.gpx"

      <gpx/>
      --X not the end
      --XX
      Content-Disposition: form-data; name="second"; filename="other.gpx"

      <other/>
      --XX--

      """)
    let files = try MultipartFile.all(in: body, type: Self.type)
    #expect(files.map(\.name) == ["walk.gpx", "other.gpx"])
    #expect(
      files.map { String(decoding: $0.bytes, as: UTF8.self) }
        == ["<gpx/>\r\n--X not the end", "<other/>"])
  }

  @Test func thePreambleIsSkipped() throws {
    let body = body(
      "preamble\n--XX\nContent-Disposition: form-data; filename=\"a\"\n\nx\n--XX--\nepilogue")
    #expect(try MultipartFile.all(in: body, type: Self.type).first?.bytes == Array("x".utf8))
  }

  @Test func keepsEveryByteOfTheFile() throws {
    let bytes = (0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let head = body("--XX\nContent-Disposition: form-data; name=\"f\"; filename=\"b\"\n\n")
    let file = try #require(
      try MultipartFile.all(in: head + bytes + body("\n--XX--\n"), type: Self.type).first)
    #expect(file.bytes == bytes)
  }

  @Test func aBoundaryInQuotesMayHoldAnything() throws {
    let body = body("--a b;c\nContent-Disposition: form-data; filename=\"a\"\n\nx\n--a b;c--")
    let files = try MultipartFile.all(
      in: body, type: "Multipart/Form-Data; boundary=\"a b;c\"")
    #expect(files.map(\.bytes) == [Array("x".utf8)])
  }

  @Test(arguments: [
    ("", "multipart/form-data; boundary=XX"),
    ("--XX", "multipart/form-data; boundary=XX"),
    ("--XX--", "multipart/form-data; boundary=XX"),
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
    (
      "--XX\nContent-Disposition: form-data; filename=\"a\"\n\nx\n--XX--",
      "multipart/form-data; boundary=\(String(repeating: "X", count: 71))"
    ),
  ])
  func malformedBodiesHaveNoFile(_ text: String, type: String) throws {
    #expect(try MultipartFile.all(in: body(text), type: type).isEmpty)
  }

  @Test func withoutATypeThereIsNoFile() throws {
    #expect(try MultipartFile.all(in: body("--XX\n\n\n--XX--"), type: nil).isEmpty)
  }

  @Test func aHeadBeyondItsLimitIsRefused() throws {
    let padding = String(repeating: "a", count: 5_000)
    #expect(try file("form-data; filename=\"\(padding)\"") == nil)
    #expect(try file("form-data; filename=\"\(padding.prefix(3_000))\"") != nil)
  }

  @Test func aFormOfTooManyPartsIsAFailure() throws {
    let part = "--XX\nContent-Disposition: form-data; name=\"a\"\n\n\n"
    let file = "--XX\nContent-Disposition: form-data; filename=\"a\"\n\nx\n--XX--"
    let many = String(repeating: part, count: 999)
    #expect(try MultipartFile.all(in: body(many + file), type: Self.type).count == 1)
    #expect {
      try MultipartFile.all(in: body(many + part + file), type: Self.type)
    } throws: { ($0 as? Failure)?.message == "the form has more than 1,000 parts" }
  }

  @Test func aFormOfTooManyFilesIsAFailure() throws {
    let file = "--XX\nContent-Disposition: form-data; filename=\"a\"\n\nx\n"
    let many = String(repeating: file, count: 100)
    #expect(try MultipartFile.all(in: body(many + "--XX--"), type: Self.type).count == 100)
    #expect {
      try MultipartFile.all(in: body(many + file + "--XX--"), type: Self.type)
    } throws: { ($0 as? Failure)?.message == "the form has more than 100 files" }
  }

  @Test func cutAnywhereItNeverBreaks() throws {
    let whole = body(
      "--XX\nContent-Disposition: form-data; name=\"f\"; filename=\"b;\\\"\"\n\ncontent\n--XX--\n")
    for length in 0..<whole.count {
      let file = try MultipartFile.all(in: Array(whole.prefix(length)), type: Self.type).first
      #expect(file == nil || file?.bytes == Array("content".utf8))
    }
  }

  @Test func damagedAnywhereItNeverBreaks() throws {
    let whole = body(
      "--XX\nContent-Disposition: form-data; name=\"f\"; filename=\"b\"\n\ncontent\n--XX--\n")
    for position in whole.indices {
      for byte: UInt8 in [0, UInt8(ascii: "\""), UInt8(ascii: ";"), 0xFF] {
        var damaged = whole
        damaged[position] = byte
        let file = try MultipartFile.all(in: damaged, type: Self.type).first
        #expect((file?.bytes.count ?? 0) <= whole.count)
      }
    }
  }

  @Test func anEmptyFileIsFound() throws {
    let body = body("--XX\nContent-Disposition: form-data; filename=\"a\"\n\n\n--XX--")
    #expect(try MultipartFile.all(in: body, type: Self.type).map(\.bytes) == [[]])
  }
}
