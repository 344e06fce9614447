import FaketrackSupport
import GPX
import Geodesy

extension OutputFormat {
  /// The GPX waypoints that Xcode plays, one a second, at the pace of their times.
  package static let xcode = OutputFormat(
    "xcode", summary: "A GPX waypoint each second, with its time, for Xcode to play.",
    showsPhotos: false, distanceFilter: 0, interval: 1, frame: gpx.frame
  ) { _ in XcodeRenderer() }
}

private struct XcodeRenderer: VisitRenderer {
  private var writer = GPXWriter()

  mutating func append(_ visit: Visit, to text: inout TextBuffer) {
    let fix = visit.fix
    let elevation = fix.elevation?.rounded(places: 6)
    writer.write(
      waypoint: GPXWaypoint(Fix(fix.coordinate, time: fix.time, elevation: elevation)))
    writer.move(to: &text)
  }
}
