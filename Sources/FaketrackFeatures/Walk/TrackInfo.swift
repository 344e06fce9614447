import Cities
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
  /// The places of the user's own photos; `nil` where they are left out.
  package var photos: PlacementReport?

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

  package var json: JSONValue { .object(members) }

  /// The columns of a table of many files.
  package static let columns = [
    "file", "tracks", "routes", "waypoints", "segments", "points", "skipped", "length", "duration",
    "movingTime", "ascent", "descent", "bounds.minLatitude", "bounds.minLongitude",
    "bounds.maxLatitude", "bounds.maxLongitude", "start", "end", "cities",
  ]

  private var members: [(key: String, value: JSONValue)] {
    let tracks = overview.statistics
    let statistics = overview.walked.statistics
    let bounds = statistics.bounds.map { bounds -> JSONValue in
      [
        "minLatitude": .number(bounds.minimumLatitude),
        "minLongitude": .number(bounds.minimumLongitude),
        "maxLatitude": .number(bounds.maximumLatitude),
        "maxLongitude": .number(bounds.maximumLongitude),
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
      ("length", .rounded(statistics.length, places: 3)),
      ("duration", .rounded(statistics.durationSeconds, places: 3)),
      ("movingTime", .rounded(statistics.movingSeconds, places: 3)),
      ("ascent", .rounded(statistics.hasElevations ? statistics.ascent : nil, places: 1)),
      ("descent", .rounded(statistics.hasElevations ? statistics.descent : nil, places: 1)),
      ("bounds", bounds ?? .null),
      ("start", .text(statistics.start.flatMap(GPXTime.string))),
      ("end", .text(statistics.end.flatMap(GPXTime.string))),
      ("cities", cities.map { .array($0.map(JSONValue.string)) } ?? .null),
    ] + (photos.map { [("photos", json(of: $0))] } ?? [])
  }

  private func json(of photos: PlacementReport) -> JSONValue {
    .object([
      ("pictures", .integer(photos.pictures)),
      (
        "placed",
        .object(
          PhotoPlacement.Rule.allCases.map { rule in
            (rule.rawValue, .integer(photos.rules[rule] ?? 0))
          })
      ),
      (
        "unplaced",
        .array(
          photos.unplaced.map { ["path": .string($0.path), "reason": .string($0.reason)] })
      ),
      ("suggestedCameraOffset", .rounded(photos.suggestedOffsets.first?.seconds, places: 0)),
    ])
  }
}
