import Cities
import Foundation
import GPX
import Geodesy
import Locations
import PhotoSearch
import Testing
import WorldCities

@testable import FaketrackFeatures

/// Walks for the tests of the app.
enum Walks {
  /// A walk of 3.6 km from Potsdam, up a hill and down again.
  static let gpx: String = {
    let start = Coordinate(validLatitude: 52.4009, longitude: 13.0591)
    let points = (0...40).map { number in
      let place = start.destination(distance: Double(number) * 50, bearing: Double(number) * 4)
      let elevation = 35 + 40 * (1 - abs(Double(number) - 20) / 20)
      return "<trkpt lat=\"\(place.latitude)\" lon=\"\(place.longitude)\">"
        + "<ele>\(elevation)</ele></trkpt>"
    }
    return "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
  }()

  static func entries() async -> [TrackCatalog.Entry] {
    let catalog = TrackCatalog([
      Track(.bytes(Array(gpx.utf8), name: "hill.gpx")),
      Track(.bytes(Array("<gpx/>".utf8), name: "broken.gpx")),
    ])
    for entry in catalog.entries { _ = await catalog.shape(of: entry.id) }
    return catalog.entries
  }

  /// The entry of ``gpx``.
  static func entry() throws -> TrackCatalog.Entry {
    let input = GPXInput.bytes(Array(gpx.utf8), name: "hill.gpx")
    return TrackCatalog.Entry(
      id: 1, name: "hill.gpx", shape: .loaded(try TrackShape(reading: Track(input))))
  }

  static func state(
    _ phase: TrackingEvent? = nil, meters: Double = 700,
    authorization: AuthorizationStatus = .authorizedWhenInUse, error: String? = nil
  ) throws -> TrackingState {
    var state = TrackingState(track: 1, speed: .realTime)
    state.apply(.reset(track: 1))
    state.entry = try entry()
    state.apply(.started(at: 0))
    state.apply(.updated([.authorization(authorization)]))
    let start = Coordinate(validLatitude: 52.4009, longitude: 13.0591)
    for number in 0...Int(meters / 100) where authorization.isAuthorized {
      let distance = Double(number) * 100
      let place = start.destination(distance: distance, bearing: Double(number) * 8)
      let fix = Fix(
        place, time: Date(timeIntervalSince1970: 1_777_622_400 + distance), elevation: 40,
        course: 45, distance: distance)
      let photo = error == nil ? try photo(number, at: place) : nil
      let city = CityIndex.world.nearest(1, to: place).first
      state.apply(.updated([.location(fix)], city: city))
      state.apply(
        .visited([Visit(index: number, fix: fix, city: city, photo: photo, error: error)]))
    }
    if let phase { state.apply(phase) }
    return state
  }

  /// A walk with a receiver.
  ///
  /// - Parameter meters: the distance walked; `nil` without a fix.
  static func live(_ event: TrackingEvent? = nil, meters: Double? = 700) throws -> TrackingState {
    var state =
      try meters.map { try Walks.state(meters: $0) } ?? TrackingState(track: 1, speed: .realTime)
    if meters == nil {
      state.apply(.started(at: 0))
      state.apply(.updated([.authorization(.authorizedWhenInUse)]))
    }
    var track = TrackShapeBuilder(walkingSpeed: 1.3)
    for point in try entry().shape.value?.points ?? [] where point.distance <= meters ?? -1 {
      track.add(Fix(point.coordinate, elevation: point.elevation))
    }
    state.entry = TrackCatalog.Entry(
      id: 1, name: "gpsd://localhost:2947", shape: .loaded(track.shape), isLive: true)
    if let event { state.apply(event) }
    return state
  }

  private static func photo(_ number: Int, at place: Coordinate) throws -> Photo {
    Photo(
      id: "\(number)", title: "Photo \(number) 東京", owner: "Änne",
      imageURL: try #require(URL(string: "https://photos.example/\(number).jpg")), coordinate: place
    )
  }
}
