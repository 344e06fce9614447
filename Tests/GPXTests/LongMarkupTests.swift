import Foundation
import Testing

@testable import GPX

/// Comments, processing instructions, CDATA sections and white space of any length are read in
/// constant memory: most of them never reaches the C library.
@Suite struct LongMarkupTests {
  struct Markup: Sendable, CustomTestStringConvertible {
    var start: String
    var end: String
    /// A part of the content, which is repeated.
    var filler: String
    var testDescription: String { "\(start)\(filler)\(end)" }

    init(_ start: String, _ filler: String, _ end: String) {
      self.start = start
      self.filler = filler
      self.end = end
    }

    func text(_ length: Int) -> String {
      start + String(repeating: filler, count: length / filler.utf8.count) + end
    }
  }

  static let samples = [
    Markup("<!--", "x", "-->"), Markup("<!--", "- > ] ?\n", "-->"), Markup("<!-- -", "é🚶", "-->"),
    Markup("<?p ", "x?", "?>"), Markup("<?p ", "?-]>\n<wpt/>", "?>"),
    Markup("<name><![CDATA[", "]] >", "]]></name>"), Markup("<name><![CDATA[", "]", "]]></name>"),
    Markup("<name><![CDATA[", "<!-- ?> é🚶€\n", "]]></name>"),
  ]

  private static let longest = 3 * GPXReader.maximumTextLength / 2

  @Test(arguments: samples)
  func readsOnBehindIt(markup: Markup) throws {
    let text =
      "<gpx><wpt lat='1' lon='2'/>\n\(markup.text(Self.longest))\n<wpt lat='x' lon='1'¦/>\n"
      + "<wpt lat='3' lon='4'/></gpx>"
    let place = try #require(Place(of: "¦", in: text))
    let bytes = Array(text.replacing("¦", with: "").utf8)
    for sizes in [[1 << 20], [4_093, 1, 2, 65_536]] {
      let recording = Recording(from: PiecewiseSource(bytes, sizes: sizes))
      #expect(recording.error == nil)
      #expect(recording.waypoints.count == 2)
      let issues = recording.issues.filter(\.skipsPoint)
      #expect(issues.map(\.line) == [place.line])
      #expect(issues.map(\.column) == [place.column])
    }
  }

  @Test(arguments: samples)
  func knowsTheLineButNotTheColumnRightBehindIt(markup: Markup) throws {
    let text = "<gpx>\n\(markup.text(Self.longest))<wpt/>\n</gpx>"
    let issue = try #require(Recording(text).issues.last)
    let lines = text.utf8.count { $0 == 0x0A }
    #expect(issue.line == lines)
    #expect(issue.column == nil)
  }

  @Test(arguments: samples)
  func doesNotDependOnTheExactLength(markup: Markup) throws {
    // Around the length at which bytes begin to be dropped, and where the buffers end.
    let limit = GPXReader.maximumTextLength
    for length in [limit - 300, limit, limit + 4_000, limit + 65_537] {
      let text = "<gpx>\(markup.text(length))<wpt lat='1' lon='2'/></gpx>"
      let recording = Recording(text)
      #expect(recording.error == nil, "\(length)")
      #expect(recording.waypoints.count == 1, "\(length)")
    }
  }

  @Test(arguments: samples)
  func seesWhenTheFileEndsInIt(markup: Markup) {
    let open = Markup(markup.start, markup.filler, "")
    let text = "<gpx><wpt lat='1' lon='2'/>\n\(open.text(Self.longest))"
    let recording = Recording(text)
    #expect(recording.error?.cause == .truncated)
    #expect(recording.error?.line == text.utf8.count { $0 == 0x0A } + 1)
    #expect(recording.error?.column == nil)
    #expect(recording.waypoints.count == 1)
  }

  @Test(arguments: ["\0", "\u{1}", "--"])
  func leavesTheJudgmentOfItsContentToTheLibrary(fault: String) throws {
    let long = String(repeating: "x\n", count: GPXReader.maximumTextLength)
    let recording = Recording("<gpx><wpt lat='1' lon='2'/><!--\(long)\(fault)\(long)--></gpx>")
    let error = try #require(recording.error)
    #expect(error.line == GPXReader.maximumTextLength + 1)
    #expect((error.cause == .nulBytes) == (fault == "\0"))
    #expect(recording.waypoints.count == 1)
  }

  @Test(arguments: [false, true])
  func dropsWhiteSpaceOutsideOfTheRoot(isFirst: Bool) throws {
    let blank = String(repeating: " \t\r\n", count: Self.longest / 4)
    let root = "<gpx><wpt lat='x' lon='1'/></gpx>"
    let recording = Recording(isFirst ? "\(blank)\n\(root)" : "\(root)\(blank)")
    #expect(recording.error == nil)
    #expect(recording.issues.map(\.line) == [isFirst ? Self.longest / 4 + 2 : 1])
    // What is no white space is still not allowed there.
    let garbage = Recording(isFirst ? "\(blank)x\(root)" : "\(root)\(blank)\nx")
    let error = try #require(garbage.error)
    #expect(error.line == Self.longest / 4 + (isFirst ? 1 : 2))
    guard case .notWellFormed = error.cause.kind else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func cutsADescriptionInACDATASectionWhereItWouldCutAnyOther() {
    let text = String(repeating: "<p>🚶</p>", count: GPXReader.maximumTextLength / 8)
    for (start, end) in [("<![CDATA[", "]]>"), ("", "")] {
      let content = start.isEmpty ? text.replacing("<", with: "&lt;") : text
      let recording = Recording(gpx("<trk><desc>\(start)\(content)\(end)</desc></trk>"))
      let description = recording.details.last?.1[.description] ?? ""
      #expect(text.hasPrefix(description))
      #expect(
        (GPXReader.maximumTextLength - 3...GPXReader.maximumTextLength).contains(
          description.utf8.count))
      #expect(recording.issues.map(\.kind) == [GPXIssue.Kind(.text, .tooLong)])
    }
  }

  @Test func reportsBytesThatAreNotUTF8InWhatItDrops() {
    let long = Array(String(repeating: "x\n", count: GPXReader.maximumTextLength).utf8)
    let bytes = Array("<gpx><!--".utf8) + long + [0xA0] + long + Array("--></gpx>".utf8)
    let recording = Recording(bytes)
    #expect(recording.error == nil)
    #expect(recording.issues.map(\.kind) == [GPXIssue.Kind(.encoding, .invalidBytes)])
    #expect(recording.issues.map(\.line) == [GPXReader.maximumTextLength + 1])
  }

  @Test func namesTheLineOfBytesThatAreNotUTF8InALongTag() {
    // The buffer of the library moves while it grows.
    let lines = String(repeating: "x\n", count: 300_000)
    let part = Array(lines.utf8) + [0xA0]
    for start in ["<a b='", "<!--", "<name>"] {
      let bytes = Array("<gpx>\(start)".utf8) + part + part + part + Array(lines.utf8)
      let recording = Recording(bytes)
      #expect(recording.error?.cause == .truncated)
      #expect(recording.error?.line == 1_200_001)
      #expect(recording.issues.map(\.line) == [300_001, 600_001, 900_001])
    }
  }

  @Test(arguments: ["ISO-8859-1", "UTF-16"])
  func boundsACommentInAnotherEncoding(encoding: String) throws {
    for (length, isAllowed) in [(2 << 20, true), (GPXReader.maximumMarkupLength + 10_000, false)] {
      let text =
        "<?xml version='1.0' encoding='\(encoding)'?><gpx><wpt lat='1' lon='2'/>"
        + Markup("<!--", "x", "-->").text(encoding == "UTF-16" ? length / 2 : length) + "</gpx>"
      let data = try #require(
        text.data(using: encoding == "UTF-16" ? .utf16LittleEndian : .isoLatin1))
      let recording = Recording(Array(data))
      #expect(recording.error?.cause == (isAllowed ? nil : .markupTooLong))
      #expect(recording.waypoints.count == 1)
    }
  }
}
