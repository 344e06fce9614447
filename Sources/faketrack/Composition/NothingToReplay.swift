import FaketrackFeatures
import GPX

/// A file without a usable point of the source that was asked for.
struct NothingToReplay: FailureConvertible {
  /// What messages call the file.
  var name: String
  var contents: GPXFixReader.Summary
  /// How many points could not be used.
  var skipped: Int

  var failure: Failure {
    Failure(message: "\(name): nothing to replay: \(list)", hint: hint, kind: .unusableInput)
  }

  /// `3 routes without points, 12 waypoints`.
  private var list: String {
    let parts = [
      path("track", contents.tracks, .trackPoint), path("route", contents.routes, .routePoint),
      contents.points[.waypoint].map { Quantity.count($0, "waypoint") },
    ].compactMap(\.self)
    return parts.isEmpty ? "no tracks, routes or waypoints" : parts.joined(separator: ", ")
  }

  private func path(_ noun: String, _ number: Int, _ kind: GPXPointKind) -> String? {
    guard let points = contents.points[kind] else {
      let adjective = skipped > 0 ? "usable " : ""
      return number == 0 ? nil : "\(Quantity.count(number, noun)) without \(adjective)points"
    }
    // A point may lie outside of any track or route.
    return number == 0
      ? Quantity.count(points, "\(kind)")
      : "\(Quantity.count(number, noun)) with \(Quantity.count(points, "point"))"
  }

  private var hint: String {
    let sources: [GPXSource] = [.tracks, .routes, .waypoints]
    if let source = sources.first(where: { $0.kind.flatMap { contents.points[$0] } != nil }) {
      return "Walk its \(source) with --source \(source)."
    }
    return skipped > 0
      ? "Mend the points that the warnings name, or give another file."
      : "Give a file with points."
  }
}
