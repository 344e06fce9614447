import Cities
import FaketrackTestSupport
import Foundation
import GPX
import Geodesy
import Locations
import PhotoSearch
import Testing
import WorldCities

/// No number that a caller hands to a library, and none that a file holds, ends the process.
@Suite struct AbsurdNumberTests {
  static let numbers: [Double] = [
    .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    .leastNonzeroMagnitude, -1, -0.0, 0, 1e-9, 1e15, 9.3e18, 1e19, 1e30,
  ]
  static let integers: [Int] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
  private static let place = Coordinate.clamped(latitude: 52.4, longitude: 13.06)
  private static let fixes = (0..<30).map { number in
    Fix(
      place.destination(distance: Double(number) * 90, bearing: 45),
      time: Date(timeIntervalSince1970: Double(number) * 60))
  }

  @Test(arguments: numbers) func geodesy(number: Double) throws {
    let place = Self.place
    let isPosition = abs(number) <= 90
    #expect(((try? Coordinate(latitude: number, longitude: number)) != nil) == isPosition)
    for coordinate in [
      place.destination(distance: number, bearing: 45),
      place.destination(distance: 45, bearing: number),
      place.interpolated(to: .clamped(latitude: 0, longitude: 0), fraction: number),
    ] {
      #expect(abs(coordinate.latitude) <= 90)
      #expect(abs(coordinate.longitude) <= 180)
      #expect(place.distance(to: coordinate).isFinite)
    }
  }

  @Test(arguments: numbers) func photoSearch(number: Double) async throws {
    let search = SamplePhotoSearch()
    let query = PhotoQuery(center: Self.place, radius: number)
    #expect(query.radius > 0)
    _ = try await search.photos(for: query)
    _ = PhotoSearchKey(identity: "", query: query).text
    let picker = PhotoPicker(
      search, settings: .init(radius: number, distanceFilter: number, failuresBeforeGivingUp: 0))
    _ = await picker.pick(for: Self.place, index: 0)
  }

  @Test(arguments: integers) func pagesAndCapacities(integer: Int) async throws {
    let search = SamplePhotoSearch()
    let query = PhotoQuery(center: Self.place, radius: 500, page: integer)
    _ = try? await search.photos(for: query)
    let cache = PhotoPipeline(search, capacity: integer, timeToLive: .seconds(clamping: 1e30))
    _ = try? await cache.photos(for: query)
    let picker = PhotoPicker(search, settings: .init(failuresBeforeGivingUp: integer))
    _ = await picker.pick(for: Self.place, index: integer)
  }

  @Test(arguments: numbers) func nearestCities(number: Double) throws {
    let found = CityIndex.world.nearest(3, to: Self.place, within: number)
    #expect(found.count <= 3)
    var cursor = NearestCityCursor(.world, within: number)
    _ = cursor.nearest(to: Self.place)
  }

  @Test(arguments: integers) func cityPages(integer: Int) throws {
    let index = CityIndex.world
    #expect(index.nearest(min(integer, 9), to: Self.place, within: 1e6).count <= 9)
    for order in CityQuery.Order.allCases {
      let page = index.search(
        CityQuery(prefix: "pots", order: order, offset: integer, limit: integer))
      #expect(page.cities.count <= page.total)
    }
    _ = index.cities(similarTo: "Potsdm", limit: min(integer, 9))
    #expect(index[id: integer] == nil || integer == 1)
  }

  @Test(arguments: numbers) func replay(number: Double) async throws {
    #expect((ReplaySpeed(multiple: number) != nil) == (number > 0 && number.isFinite))
    let positions: [ReplayPosition] = [.meters(number), .elapsed(.seconds(clamping: number))]
    for position in positions {
      let provider = ReplayLocationProvider(
        Self.fixes, distanceFilter: number, speed: .max,
        authorization: [
          .change(to: .notDetermined, at: .start),
          .change(to: .authorizedAlways, at: .elapsed(.seconds(clamping: number))),
          .change(to: .denied, at: .meters(number)),
        ],
        options: ReplayOptions(
          walkingSpeed: number, start: position, noise: number,
          outages: [.init(from: .meters(number), to: position)]))
      do {
        for try await _ in provider.updates() {}
      } catch is ReplayError {
        // The start may be beyond the end of the track.
      }
    }
  }

  @Test(arguments: numbers) func replayUpToAPlace(number: Double) async throws {
    for position in [.meters(number), .elapsed(.seconds(clamping: number))] as [ReplayPosition] {
      let provider = ReplayLocationProvider(
        Self.fixes, clock: VirtualClock(), options: ReplayOptions(end: position))
      let reading = Task { for try await _ in provider.updates() {} }
      do { try await provider.advance(to: position) } catch is AdvanceError {}
      try await provider.advance(to: .end)
      reading.cancel()
      _ = await reading.result
    }
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(1), .seconds(clamping: 1e30)])
  func durations(duration: Duration) async throws {
    let clock = VirtualClock()
    clock.advance(by: duration)
    clock.advance(by: .seconds(clamping: 1e30))
    clock.advance(by: duration)
    #expect(clock.now.duration(to: .init(offset: .zero)) <= .zero)
    let provider = ReplayLocationProvider(
      Array(Self.fixes.prefix(2)), speed: .max,
      options: ReplayOptions(interpolation: .interval(max(duration, .seconds(1)))))
    for try await _ in provider.updates() {}
  }

  @Test(arguments: numbers) func fixes(number: Double) throws {
    let times = [
      Date(timeIntervalSince1970: number), Date(timeIntervalSinceReferenceDate: -number),
      Date(timeIntervalSince1970: 0), nil,
    ]
    let fixes = times.map {
      Fix(Self.place, time: $0, elevation: number, speed: number, course: number)
    }
    let track = GPXTrack(segments: [GPXSegment(fixes.map { GPXWaypoint($0) })])
    _ = try GPXDocument(data: GPXDocument(tracks: [track]).data(creator: "test"))
    let statistics = TrackStatistics(fixes)
    #expect(statistics.durationSeconds?.isNaN != true || number.isNaN)
    #expect(statistics.movingSeconds?.isNaN != true)
    #expect(!statistics.ascent.isNaN)
  }
}
