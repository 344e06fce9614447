import FaketrackFeatures
import FaketrackSupport
import GPX
import Geodesy

/// The facts of a track file, for `info`.
package struct TrackInfo: Sendable {
  package var file: String
  package var overview: GPXOverview
  /// The cities along the tracks in order; `nil` where they are left out.
  package var cities: [String]?

  package init(file: String, overview: GPXOverview, cities: [String]?) {
    self.file = file
    self.overview = overview
    self.cities = cities
  }

  /// The facts as one object.
  package var json: JSONValue {
    let statistics = overview.statistics
    let bounds = statistics.bounds.map { bounds -> JSONValue in
      [
        "minLatitude": .number(bounds.minLatitude), "minLongitude": .number(bounds.minLongitude),
        "maxLatitude": .number(bounds.maxLatitude), "maxLongitude": .number(bounds.maxLongitude),
      ]
    }
    return [
      "file": .string(file),
      "tracks": .integer(overview.tracks),
      "routes": .integer(overview.routes),
      "waypoints": .integer(overview.waypoints),
      "segments": .integer(statistics.segments),
      "points": .integer(statistics.points),
      "skipped": .integer(overview.issues.skipped),
      "length": .rounded(statistics.length, places: 3),
      "duration": .rounded(statistics.duration, places: 3),
      "movingTime": .rounded(statistics.movingTime, places: 3),
      "ascent": .rounded(statistics.ascent, places: 1),
      "descent": .rounded(statistics.descent, places: 1),
      "bounds": bounds ?? .null,
      "start": .text(statistics.start.flatMap(GPXTime.string)),
      "end": .text(statistics.end.flatMap(GPXTime.string)),
      "cities": cities.map { .array($0.map(JSONValue.string)) } ?? .null,
    ]
  }

  /// The facts for reading, a line each.
  package func text(style: TerminalStyle) -> String {
    let statistics = overview.statistics
    var rows = [
      ("tracks", "\(overview.tracks), \(Quantity.count(statistics.segments, "segment"))"),
      ("routes", Quantity.grouped(overview.routes)),
      ("waypoints", Quantity.grouped(overview.waypoints)),
      ("points", Quantity.grouped(statistics.points)),
    ]
    if overview.issues.skipped > 0 {
      rows.append(("skipped", Quantity.grouped(overview.issues.skipped)))
    }
    rows.append(("length", Quantity.distance(statistics.length)))
    if let duration = statistics.duration, let moving = statistics.movingTime {
      rows.append(
        ("duration", "\(Quantity.duration(duration)), \(Quantity.duration(moving)) of it moving"))
    }
    rows.append(("ascent", "\(DecimalText.fixed(statistics.ascent, places: 0)) m"))
    rows.append(("descent", "\(DecimalText.fixed(statistics.descent, places: 0)) m"))
    if let bounds = statistics.bounds {
      let south = DecimalText.fixed(bounds.minLatitude, places: 5)
      let west = DecimalText.fixed(bounds.minLongitude, places: 5)
      let north = DecimalText.fixed(bounds.maxLatitude, places: 5)
      let east = DecimalText.fixed(bounds.maxLongitude, places: 5)
      rows.append(("bounds", "\(south), \(west) to \(north), \(east)"))
    }
    if let start = statistics.start.flatMap(GPXTime.string),
      let end = statistics.end.flatMap(GPXTime.string)
    {
      rows.append(("time", "\(start) to \(end)"))
    }
    if let cities, !cities.isEmpty { rows.append(("cities", cities.joined(separator: ", "))) }
    let lines = rows.map { name, value in
      "  " + style.dim(name.padded(toColumns: 10)) + value.safeForTerminal
    }
    return ([style.bold(file.safeForTerminal)] + lines).joined(separator: "\n") + "\n"
  }
}
