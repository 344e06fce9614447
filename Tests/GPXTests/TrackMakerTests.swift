import FaketrackSupport
import Foundation
import GPX
import Geodesy
import Testing

@Suite struct TrackMakerTests {
  private static let potsdam = Coordinate.clamped(latitude: 52.39886, longitude: 13.06566)
  private static let berlin = Coordinate.clamped(latitude: 52.52437, longitude: 13.41053)
  private static let hamburg = Coordinate.clamped(latitude: 53.55073, longitude: 9.99302)

  private static func speeds(_ fixes: [Fix]) -> [Double] {
    zip(fixes, fixes.dropFirst()).map { first, last in
      let seconds = first.time.flatMap { last.time?.timeIntervalSince($0) } ?? 0
      return first.coordinate.distance(to: last.coordinate) / seconds
    }
  }

  private static func length(_ fixes: [Fix]) -> Double {
    zip(fixes, fixes.dropFirst()).reduce(0) {
      $0 + $1.0.coordinate.distance(to: $1.1.coordinate)
    }
  }

  @Test(arguments: TrackMaker.Means.allCases, 0..<4)
  func leadsFromRestToRestAtThePaceOfTheMeans(means: TrackMaker.Means, seed: UInt64) throws {
    let fixes = try TrackMaker(through: [Self.potsdam, Self.berlin], by: means, seed: seed).fixes()
    let speeds = Self.speeds(fixes)
    #expect(fixes.first?.coordinate == Self.potsdam)
    #expect(fixes.last?.coordinate == Self.berlin)
    #expect(speeds.allSatisfy { $0 <= means.maximumSpeed + 0.02 })
    #expect(try #require(speeds.first) < 0.3 * (speeds.max() ?? 0))
    #expect(try #require(speeds.last) < 0.3 * (speeds.max() ?? 0))
    let detour = Self.length(fixes) / Self.potsdam.distance(to: Self.berlin)
    #expect((1...1.12).contains(detour))
    #expect(
      fixes.allSatisfy { $0.elevation == nil && $0.speed == nil && $0.horizontalAccuracy == nil })
  }

  @Test(arguments: [100.0, 5_000, 42_195], 0..<6)
  func aWayAroundHasItsLengthAndComesHome(distance: Double, seed: UInt64) throws {
    let fixes = try TrackMaker(around: Self.potsdam, distance: distance, by: .bike, seed: seed)
      .fixes()
    #expect(fixes.first?.coordinate == Self.potsdam)
    #expect(fixes.last?.coordinate == Self.potsdam)
    #expect(abs(Self.length(fixes) / distance - 1) < 0.01)
    let farthest = fixes.map { $0.coordinate.distance(to: Self.potsdam) }.max() ?? 0
    #expect((0.2 * distance...0.5 * distance).contains(farthest))
  }

  @Test func leadsThroughEachPlaceInOrder() throws {
    let places = [Self.potsdam, Self.berlin, Self.hamburg, Self.potsdam]
    var maker = TrackMaker(through: places, by: .car)
    maker.interval = .seconds(2)
    var rest = try maker.fixes()[...]
    for place in places {
      let index = try #require(rest.firstIndex { $0.coordinate.distance(to: place) < 60 })
      rest = rest[index...]
    }
  }

  @Test(arguments: [TrackMaker.Means.walk, .train], [0, 3])
  func pausesAtStopsAndATrainAtPlaces(means: TrackMaker.Means, stops: Int) throws {
    let between = Self.potsdam.interpolated(to: Self.berlin, fraction: 0.5)
    var maker = TrackMaker(through: [Self.potsdam, between, Self.berlin], by: means, seed: 3)
    maker.stops = stops
    let fixes = try maker.fixes()
    var (pauses, rest) = (0, 0)
    for speed in Self.speeds(fixes) {
      rest = speed < 1e-6 ? rest + 1 : 0
      if rest == 15 { pauses += 1 }
    }
    #expect(pauses == stops + (means == .train ? 1 : 0))
  }

  @Test(arguments: TrackMaker.Means.allCases, [1, 4, 37, 100])
  func pausesOnShortWays(means: TrackMaker.Means, stops: Int) throws {
    for (seed, meters) in [(0, 1.0), (3, 20), (4, 100), (7, 1_100)] {
      var maker = TrackMaker(
        through: [Self.potsdam, Self.potsdam.destination(distance: meters, bearing: 10)],
        by: means, seed: UInt64(seed))
      (maker.stops, maker.interval) = (stops, .seconds(5))
      #expect(try maker.fixes().count > 12 * stops / 5)
    }
  }

  @Test func isSlowerInBends() throws {
    let corner = Self.potsdam.destination(distance: 1_000, bearing: 90)
    let maker = TrackMaker(
      through: [Self.potsdam, corner, corner.destination(distance: 1_000, bearing: 255)], by: .car)
    let fixes = try maker.fixes()
    let near = zip(fixes, Self.speeds(fixes)).filter {
      $0.0.coordinate.distance(to: corner) < 15
    }
    #expect(try #require(near.map(\.1).min()) < 6)
  }

  @Test func theSameValuesMakeTheSameTrack() throws {
    func track(_ seed: UInt64) throws -> [Fix] {
      try TrackMaker(around: Self.potsdam, distance: 2_000, seed: seed).fixes()
    }
    #expect(try track(1) == track(1))
    #expect(try track(1) != track(2))
  }

  @Test func timesBeginAtTheStartAndAreAnIntervalApart() throws {
    var maker = TrackMaker(around: Self.potsdam, distance: 500)
    maker.start = Date(timeIntervalSince1970: 100)
    maker.interval = .milliseconds(2_500)
    let times = try maker.fixes().map { try #require($0.time).timeIntervalSince1970 }
    #expect(times == times.indices.map { 100 + 2.5 * Double($0) })
  }

  @Test func valuesOutOfRangeAreMovedIntoIt() {
    var maker = TrackMaker(through: [])
    (maker.stops, maker.interval) = (-1, .zero)
    #expect(maker.stops == 0)
    #expect(maker.interval == .milliseconds(100))
    maker.stops = .max
    #expect(maker.stops == 100)
  }

  @Test func aLongWayWithManyStopsIsMadeAtALongInterval() throws {
    let sydney = Coordinate.clamped(latitude: -33.86785, longitude: 151.20732)
    var maker = TrackMaker(through: [Self.berlin, sydney])
    (maker.stops, maker.interval) = (100, .seconds(70))
    let fixes = try maker.fixes()
    #expect(fixes.count > 150_000)
    #expect(Self.speeds(fixes).allSatisfy { $0 <= TrackMaker.Means.walk.maximumSpeed })
    #expect(fixes.last?.coordinate == sydney)
  }

  @Test func saysWhyThereIsNoTrack() {
    #expect(throws: TrackMakerError.tooFewPlaces) {
      try TrackMaker(through: [Self.potsdam]).fixes()
    }
    #expect(throws: TrackMakerError.samePlaces(index: 1)) {
      try TrackMaker(through: [Self.berlin, Self.potsdam, Self.potsdam]).fixes()
    }
    #expect(throws: TrackMakerError.self) {
      try TrackMaker(around: Self.potsdam, distance: .nan).fixes()
    }
    #expect(throws: TrackMakerError.unusableDistance(99)) {
      try TrackMaker(around: Self.potsdam, distance: 99).fixes()
    }
    do {
      _ = try TrackMaker(through: [Self.potsdam, Self.hamburg, Self.potsdam]).fixes()
      Issue.record("there are too many fixes")
    } catch TrackMakerError.tooManyFixes(let count, let least) {
      #expect(count > TrackMaker.maximumCount)
      #expect(least == .seconds(2))
    } catch {
      Issue.record(error)
    }
  }

  @Test func theDocumentSaysThatItWasMade() throws {
    let document = try TrackMaker(around: Self.potsdam, distance: 300, name: "A & B").document()
    let text = String(decoding: document.data(creator: "test"), as: UTF8.self)
    #expect(text.contains("<name>A &amp; B</name>"))
    #expect(document.metadata.details[.description]?.contains("faketrack") == true)
    let read = try GPXDocument(data: Data(text.utf8))
    #expect(read.tracks.map(\.name) == ["A & B"])
    #expect(read.fixes == document.fixes)
    #expect(read.issues.isEmpty)
  }
}
