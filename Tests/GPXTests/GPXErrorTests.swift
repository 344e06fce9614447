import Foundation
import GPX
import Testing

@Suite struct GPXErrorTests {
  @Test(arguments: [
    (
      GPXError(.truncated, file: "a.gpx", line: 3, column: 7),
      "a.gpx:3:7: the file ends in the middle"
    ),
    (GPXError(.truncated, file: "a.gpx"), "a.gpx: the file ends in the middle"),
    (GPXError(.truncated, line: 3), "line 3: the file ends in the middle"),
    (GPXError(.notGPX(.jpeg)), "this is a JPEG image, not GPX"),
    (
      GPXError(.notGPX(.xml(root: "osm")), file: "b"),
      "b: this is XML with the root element <osm>, not GPX"
    ),
    (GPXError(.tooDeep), "elements are nested more than 128 deep"),
    (
      GPXError(.unreadable(errno: ENOENT), file: "c"),
      "c: cannot be read: No such file or directory"
    ),
    (GPXError(.nulBytes, file: "\u{1B}[2Jx"), "\u{FFFD}[2Jx: NUL bytes where text should be"),
  ])
  func saysWhereAndWhy(error: GPXError, description: String) {
    #expect(error.description == description)
  }

  @Test(arguments: [
    GPXError.Cause.unreadable(errno: EACCES), .notGPX(.zip), .notGPX(.kml), .documentType,
    .notWellFormed("x"), .truncated, .nulBytes, .tooDeep, .markupTooLong, .truncatedGzip,
    .damagedGzip,
    .issue(GPXIssue(GPXIssue.Kind(.latitude, .empty), line: 1, skipsPoint: true)),
  ])
  func saysWhatToDo(cause: GPXError.Cause) {
    #expect(GPXError(cause).recoverySuggestion?.isEmpty == false)
  }
}
