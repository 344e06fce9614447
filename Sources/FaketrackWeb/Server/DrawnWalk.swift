import Cities
import Dispatch
import FaketrackFeatures
import FaketrackServer
import FaketrackServices
import FaketrackSupport
import GPX

/// A walk that is drawn on the page, as fields of a form or a query: `place=Potsdam&place=52.5,13.4&by=bike`.
struct DrawnWalk: Sendable {
  static let path = "/draw"

  /// A file of the walk: `GET /draw/walk.gpx` and the like.
  enum File: String, CaseIterable {
    /// The track to save.
    case gpx = "walk.gpx"
    /// The places and the track, as the script of the page reads them.
    case preview = "walk.json"

    var address: String { "\(DrawnWalk.path)/\(rawValue)" }
  }

  let places: [String]
  let means: TrackMaker.Means

  /// - Returns: `nil` for a means that is none.
  init?(_ fields: FormFields) {
    let name = fields["by"] ?? ""
    guard let means = name.isEmpty ? .walk : TrackMaker.Means(rawValue: name) else { return nil }
    self.means = means
    places = fields.values(of: "place").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  static let unknownMeans = WebResponse.text(
    "by is walk, run, bike, car, train or plane.", status: .badRequest)

  var track: MadeTrack { MadeTrack(along: places, by: means) }

  /// The address with the fields as its query.
  func address(_ path: String) -> String {
    places.reduce(path.withQueryItem("by=\(means.rawValue)")) {
      $0.withQueryItem("place=\($1.percentEncoded)")
    }
  }

  /// The places on the map, and the track that leads along them, once there are two.
  struct Preview: Hashable, Sendable {
    var places: [MadeTrack.Place] = []
    var shape: TrackShape?
  }

  /// Makes the walk to show it.
  ///
  /// - Throws: ``Failure`` for a place that is not known, or a track that cannot be made.
  func preview(in index: CityIndex) async throws(Failure) -> Preview {
    try await Self.make {
      let places = try track.places(in: index)
      guard places.count > 1 else { return Preview(places: places) }
      return Preview(places: places, shape: try TrackShape(reading: try track.track(in: index)))
    }
  }

  func answer(_ file: File, _ index: CityIndex, in units: Units) async -> WebResponse {
    do throws(Failure) {
      switch file {
      case .preview: return .json(PreviewFile(try await preview(in: index), in: units))
      case .gpx:
        let document = try await Self.make { try track.document(in: index) }
        return .file(
          .bytes(Array(document.data(creator: "faketrack"))), named: file.rawValue,
          type: "application/gpx+xml")
      }
    } catch {
      return .text(error, status: .unprocessableEntity)
    }
  }

  private static func make<Value: Sendable>(
    _ make: @Sendable @escaping () throws -> Value
  ) async throws(Failure) -> Value {
    do {
      return try await makers.pass {
        try await DispatchQueue(label: "faketrack.draw").blocking(make)
      }
    } catch {
      throw Failure(error)
    }
  }

  /// A long walk takes a core for a second.
  private static let makers = RequestGate(limit: 2)
}

private struct PreviewFile: Encodable {
  struct Place: Encodable {
    let latitude: Double
    let longitude: Double
    /// The words under the field.
    let name: String?
  }

  let places: [Place]
  let facts: String?
  let track: MapTrack?

  init(_ preview: DrawnWalk.Preview, in units: Units) {
    places = preview.places.map {
      Place(
        latitude: $0.coordinate.latitude, longitude: $0.coordinate.longitude,
        name: DrawPage.name(of: $0))
    }
    facts = preview.shape?.facts(in: units)
    track = preview.shape.map { MapTrack($0, zone: nil) }
  }
}
