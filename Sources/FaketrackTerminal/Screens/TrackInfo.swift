import Cities
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
  /// The cities whose clocks tell when the way began and ended.
  package var start: City?
  package var end: City?

  package init(
    file: String, overview: GPXOverview, cities: [String]?, start: City? = nil, end: City? = nil
  ) {
    self.file = file
    self.overview = overview
    self.cities = cities
    self.start = start
    self.end = end
  }

  /// The facts of one of many tracks as one object, and why they are not of the whole.
  package static func json(track: String, _ info: TrackInfo?, _ failure: Failure?) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [("track", .string(track))]
    members += info?.members ?? []
    if let failure { members.append(("error", .string(failure.message))) }
    return .object(members)
  }

  /// The facts as one object.
  package var json: JSONValue { .object(members) }

  private var members: [(key: String, value: JSONValue)] {
    let tracks = overview.statistics
    let way = overview.way
    let bounds = way.bounds.map { bounds -> JSONValue in
      [
        "minLatitude": .number(bounds.minLatitude), "minLongitude": .number(bounds.minLongitude),
        "maxLatitude": .number(bounds.maxLatitude), "maxLongitude": .number(bounds.maxLongitude),
      ]
    }
    return [
      ("file", .string(file)),
      ("tracks", .integer(overview.tracks)),
      ("routes", .integer(overview.routes)),
      ("waypoints", .integer(overview.waypoints)),
      ("segments", .integer(tracks.segments)),
      ("points", .integer(tracks.points)),
      ("skipped", .integer(overview.issues.skipped)),
      ("length", .rounded(way.length, places: 3)),
      ("duration", .rounded(way.duration, places: 3)),
      ("movingTime", .rounded(way.movingTime, places: 3)),
      ("ascent", .rounded(way.ascent, places: 1)),
      ("descent", .rounded(way.descent, places: 1)),
      ("bounds", bounds ?? .null),
      ("start", .text(way.start.flatMap(GPXTime.string))),
      ("end", .text(way.end.flatMap(GPXTime.string))),
      ("cities", cities.map { .array($0.map(JSONValue.string)) } ?? .null),
    ]
  }

  /// The facts for reading, a line each.
  package func text(style: TerminalStyle) -> String {
    let tracks = overview.statistics
    let way = overview.way
    var rows = [
      ("tracks", "\(overview.tracks), \(Quantity.count(tracks.segments, "segment"))"),
      ("routes", Quantity.grouped(overview.routes)),
      ("waypoints", Quantity.grouped(overview.waypoints)),
      ("points", Quantity.grouped(tracks.points)),
    ]
    if overview.issues.skipped > 0 {
      rows.append(("skipped", Quantity.grouped(overview.issues.skipped)))
    }
    rows.append(("length", Quantity.distance(way.length)))
    if let duration = way.duration {
      let moving = way.movingTime.map { ", \(Quantity.duration($0)) of it moving" } ?? ""
      rows.append(("duration", Quantity.duration(duration) + moving))
    }
    rows.append(("ascent", "\(DecimalText.fixed(way.ascent, places: 0)) m"))
    rows.append(("descent", "\(DecimalText.fixed(way.descent, places: 0)) m"))
    if let bounds = way.bounds {
      let south = DecimalText.fixed(bounds.minLatitude, places: 5)
      let west = DecimalText.fixed(bounds.minLongitude, places: 5)
      let north = DecimalText.fixed(bounds.maxLatitude, places: 5)
      let east = DecimalText.fixed(bounds.maxLongitude, places: 5)
      rows.append(("bounds", "\(south), \(west) to \(north), \(east)"))
    }
    if let from = way.start.flatMap({ style.clocks.time($0, near: start) }),
      let to = way.end.flatMap({ style.clocks.time($0, near: end) })
    {
      rows.append(("time", LocalTime.text(from: from, to: to)))
    }
    if let cities, !cities.isEmpty { rows.append(("cities", cities.joined(separator: ", "))) }
    let lines = rows.map { name, value in
      "  " + style.dim(name.padded(toColumns: 10)) + value.safeForTerminal
    }
    return ([style.bold(file.safeForTerminal)] + lines).joined(separator: "\n") + "\n"
  }
}
