import Foundation
import GPX
import Testing

@Suite struct GPXErrorTests {
  @Test(arguments: [
    (
      GPXError(.truncated, file: "a.gpx", line: 3, column: 7),
      "a.gpx:3:7: the file ends in the middle"
    ),
    (GPXError(.truncated, file: "a.gpx", line: 3), "a.gpx:3: the file ends in the middle"),
    (GPXError(.truncated, file: "a.gpx", column: 7), "a.gpx: the file ends in the middle"),
    (GPXError(.truncated, file: "a.gpx"), "a.gpx: the file ends in the middle"),
    (GPXError(.truncated, line: 3), "line 3: the file ends in the middle"),
    (GPXError(.truncated, line: 3, column: 7), "line 3:7: the file ends in the middle"),
    (GPXError(.truncated), "the file ends in the middle"),
    (GPXError(.nulBytes, file: "\u{1B}[2Jx"), "[2Jx: NUL bytes where text should be"),
    (GPXError(.tooDeep, file: "a\nb"), "a b: elements are nested more than 128 deep"),
  ])
  func saysWhere(error: GPXError, description: String) {
    #expect(error.description == description)
    #expect("\(error)" == description)
  }

  @Test(arguments: [
    (
      GPXError.Cause.unreadable(errno: ENOENT), "cannot be read: No such file or directory",
      "Check the name and the permissions of the file."
    ),
    (
      .unreadable(errno: EACCES), "cannot be read: Permission denied",
      "Check the name and the permissions of the file."
    ),
    (
      .unwritable(errno: ENOSPC), "cannot be written: No space left on device",
      "Check the free space and the permissions of the folder."
    ),
    (.notGPX(.jpeg), "this is a JPEG image, not GPX", "Give a GPX 1.0 or 1.1 file."),
    (
      .documentType, "a document type declaration (<!DOCTYPE>) is refused",
      "Remove the <!DOCTYPE> line if you trust the file."
    ),
    (
      .notWellFormed("no end tag"), "not well-formed XML: no end tag",
      "Export the file again, or fix this line in a text editor."
    ),
    (
      .truncated, "the file ends in the middle",
      "Copy or download the file again; what comes before the break has been read."
    ),
    (
      .nulBytes, "NUL bytes where text should be",
      "Copy or download the file again; what comes before the break has been read."
    ),
    (
      .tooDeep, "elements are nested more than 128 deep",
      "No recorder writes this; do not trust the file."
    ),
    (
      .markupTooLong, "a tag is longer than 8 MiB",
      "No recorder writes this; do not trust the file."
    ),
    (
      .tooManyNames, "too many names of elements, attributes or namespaces",
      "No recorder writes this; do not trust the file."
    ),
    (
      .truncatedGzip, "the compressed file ends in the middle",
      "Copy or download the file again; what comes before the break has been read."
    ),
    (
      .damagedGzip, "the compressed data is damaged",
      "Copy or download the file again; what comes before the break has been read."
    ),
    (
      .issue(
        GPXIssue(
          GPXIssue.Kind(.latitude, .empty), point: .trackPoint, line: 1, skipsPoint: true)),
      "track point: latitude is empty",
      "Fix the point, or read without strict to skip what cannot be used."
    ),
  ])
  func saysWhyAndWhatToDo(cause: GPXError.Cause, description: String, suggestion: String) {
    #expect(cause.description == description)
    #expect(GPXError(cause, file: "a.gpx", line: 2).description == "a.gpx:2: \(description)")
    #expect(GPXError(cause).recoverySuggestion == suggestion)
  }

  /// The place of an error is where the mark `¦` stands in the text.
  @Test(arguments: [
    ("<gpx>\n<wpt lat='1' lon='2'/>¦", GPXError.Cause.truncated),
    ("<gpx>\n<trk>\n  <name>x¦", .truncated), ("<gpx>\n\n\n¦", .truncated),
    ("<gpx/>\n<!-- c -->¦\0\0", .nulBytes),
    ("<!DOCTYPE gpx¦><gpx/>", .documentType), ("\n\n<!DOCTYPE gpx ¦[]><gpx/>", .documentType),
    ("<?xml version='1.0'?>\n<!-- x -->\n<kml¦>", .notGPX(.kml)),
    ("<gpx>\n<wpt lat='x' lon='1'¦/>", .issue(issue(.latitude, .notANumber, 2, 21, "x", true))),
    (
      "<gpx>\n<wpt lat='1' lon='1'>\n<ele>x</ele>¦",
      .issue(issue(.elevation, .notANumber, 3, 13, "x", false))
    ),
    (
      "<gpx>\n<wpt lat='1' lon='1'><time/>¦",
      .issue(issue(.time, .empty, 2, 29, nil, false))
    ),
  ])
  func namesTheExactPlace(marked: String, cause: GPXError.Cause) throws {
    let place = try #require(Place(of: "¦", in: marked))
    let text = marked.replacingOccurrences(of: "¦", with: "")
    let error = try #require(Recording(text, isStrict: true).error)
    #expect(error.cause == cause)
    #expect(error.line == place.line)
    #expect(error.column == place.column)
    #expect(error.file == "test.gpx")
    // An input without a name gives an error without one.
    let nameless = Recording(.bytes(Array(text.utf8)), isStrict: true)
    #expect(nameless.error?.file == nil)
    #expect(nameless.error?.line == place.line)
  }

  private static func issue(
    _ part: GPXIssue.Part, _ problem: GPXIssue.Problem, _ line: Int, _ column: Int, _ text: String?,
    _ skipsPoint: Bool
  ) -> GPXIssue {
    GPXIssue(
      GPXIssue.Kind(part, problem), point: .waypoint, line: line, column: column, text: text,
      skipsPoint: skipsPoint)
  }
}

/// A place in a text as errors name it.
struct Place: Equatable {
  var line: Int
  var column: Int

  /// The place of the first occurrence of a mark; nil if there is none.
  init?(of mark: String, in text: String) {
    guard let range = text.range(of: mark) else { return nil }
    // By scalars, since a carriage return and a line feed are one character.
    let lines = text[..<range.lowerBound].unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false)
    line = lines.count
    column = (lines.last?.count ?? 0) + 1
  }
}
