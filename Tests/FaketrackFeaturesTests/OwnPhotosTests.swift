import Cities
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import GPX
import Geodesy
import Locations
import Testing
import WorldCities

@testable import FaketrackFeatures

/// Tracks with a fix every 30 s, each 44 m north of the one before.
@Suite struct OwnPhotosTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func add(_ name: String, _ change: (inout PictureFixture) -> Void = { _ in }) throws {
    var fixture = PictureFixture()
    change(&fixture)
    try home.file("photos/\(name)", Data(fixture.jpeg))
  }

  private func photos(
    _ change: (inout OwnPhotos.Times) -> Void = { _ in }
  ) throws -> OwnPhotos {
    var times = OwnPhotos.Times()
    change(&times)
    return try OwnPhotos(folder: home.path("photos"), times: times, index: .world)
  }

  static func gpx(
    from start: String = "2026-05-01T08:00:00Z", longitude: Double = 13.06, latitude: Double = 52.4,
    count: Int = 241
  ) throws -> GPXInput {
    let begin = try #require(try? Date(start, strategy: .iso8601))
    let points = (0..<count).map { number in
      let time = (begin + 30 * Double(number)).formatted(.iso8601)
      return
        "<trkpt lat=\"\(latitude + 0.0004 * Double(number))\" lon=\"\(longitude)\"><time>\(time)"
        + "</time></trkpt>"
    }
    return .bytes(
      Array("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8), name: "walk.gpx")
  }

  private func album(_ photos: OwnPhotos, on input: GPXInput? = nil) throws -> PhotoAlbum {
    let input = try input ?? Self.gpx()
    return PhotoAlbum(photos, on: Track(input), radius: 500)
  }

  private func report(_ photos: OwnPhotos, on input: GPXInput? = nil) throws -> PlacementReport {
    try album(photos, on: input).placement()
  }

  /// The rule and the latitude of the only picture.
  private func place(_ report: PlacementReport) throws -> (PhotoPlacement.Rule, Double) {
    let picture = try #require(report.placed.first, "\(report.unplaced)")
    return (picture.rule, picture.coordinate.latitude)
  }

  @Test func aPositionComesBeforeTheClock() throws {
    try add("a.jpg") {
      $0.position = (52.42, 13.061)
      $0.original = "2019:01:01 00:00:00"
      $0.offset = "+01:00"
    }
    let (rule, latitude) = try place(report(photos()))
    #expect(rule == .position && latitude == 52.42)
  }

  @Test func picturesOfAPrivateAreaHaveNoPlaceNextToIt() throws {
    // Ten minutes after the start, and so 880 m to the north.
    try add("home.jpg") {
      $0.original = "2026:05:01 10:10:00"
      $0.offset = "+02:00"
    }
    try add("later.jpg") {
      $0.original = "2026:05:01 10:20:00"
      $0.offset = "+02:00"
    }
    let home = CircularRegion(
      identifier: "", center: try Coordinate(latitude: 52.408, longitude: 13.06), radius: 200)
    let report = try PhotoAlbum(
      photos(), on: Track(Self.gpx(), without: PrivateAreas([home])), radius: 500
    ).placement()
    #expect(report.placed.map(\.photo.id) == ["later.jpg"])
    #expect(report.unplaced.map(\.reason) == ["taken in an area of --privacy"])
    let distance = try #require(report.placed.first?.distance)
    // The gap adds nothing.
    #expect((1_200...1_400).contains(distance), "\(distance)")
  }

  @Test func aPositionOfAnotherWalkIsNotTaken() throws {
    try add("far.jpg") { $0.position = (52.42, 13.2) }
    try add("other.jpg") {
      $0.position = (52.42, 13.06)
      $0.gpsDate = "2026:04:01"
      $0.gpsTime = [8, 0, 0]
    }
    let unplaced = try report(photos()).unplaced.map(\.reason)
    #expect(
      unplaced == ["its position is more than 500 m away", "taken 720 h 00 min before the track"])
  }

  @Test func theReceiversClockComesBeforeTheCameras() throws {
    try add("a.jpg") {
      $0.gpsDate = "2026:05:01"
      $0.gpsTime = [9, 0, 15]
      $0.original = "2026:05:01 11:30:00"
    }
    let (rule, latitude) = try place(report(photos()))
    #expect(rule == .gpsTime && abs(latitude - (52.4 + 0.0004 * 120.5)) < 1e-6)
  }

  @Test(arguments: [
    // Berlin in summer and winter, an offset of another zone, and Potsdam at the end of summer time.
    ("2026-05-01T08:00:00Z", 13.06, "2026:05:01 11:00:15", nil, 120.5),
    ("2026-12-01T08:00:00Z", 13.06, "2026:12:01 10:00:15", nil, 120.5),
    ("2026-05-01T08:00:00Z", 13.06, "2026:05:01 18:00:15", "+09:00", 120.5),
    ("2026-10-25T00:30:00Z", 13.06, "2026:10:25 02:45:00", nil, 30),
    // An hour that does not exist, by a clock that has not been set yet.
    ("2026-03-29T00:30:00Z", 13.06, "2026:03:29 02:15:00", nil, 90),
    // New York, and Adelaide with half an hour.
    ("2026-05-01T14:00:00Z", -74.0, "2026:05:01 11:00:15", nil, 120.5),
  ]) func theZoneIsThatOfTheNearestCity(
    start: String, longitude: Double, time: String, offset: String?, fixes: Double
  ) throws {
    try add("a.jpg") {
      $0.original = time
      $0.offset = offset
    }
    let latitude = longitude < 0 ? 40.7 : 52.4
    let report = try report(
      photos(), on: Self.gpx(from: start, longitude: longitude, latitude: latitude))
    let (rule, found) = try place(report)
    #expect(rule == (offset == nil ? .trackZone : .offsetTime))
    #expect(abs(found - (latitude + 0.0004 * fixes)) < 1e-6)
  }

  /// The flight is over the ocean at 12:20 by the clocks of Europe, off the coast of Halifax at 12:20 by
  /// Halifax's clocks, and near New York at 12:20 by New York's clocks, an hour later.
  @Test func aCityNearbyComesBeforeAFarOne() throws {
    try add("a.jpg") { $0.original = "2026:07:01 12:20:00" }
    let begin = try Date("2026-07-01T08:00:00Z", strategy: .iso8601)
    let points = (0...512).map { minute in
      let share = Double(minute) / 512
      let time = (begin + 60 * Double(minute)).formatted(.iso8601)
      return "<trkpt lat=\"\(50.03 - 9.39 * share)\" lon=\"\(8.57 - 82.35 * share)\"><time>\(time)"
        + "</time></trkpt>"
    }
    let gpx = "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    let report = try report(photos(), on: .bytes(Array(gpx.utf8), name: "flight.gpx"))
    #expect(try abs(place(report).1 - (50.03 - 9.39 * 500 / 512)) < 1e-6)
  }

  @Test func aGapOfMoreThanHalfAnHourPlacesNothing() throws {
    try add("a.jpg") { $0.original = "2026:05:01 12:29:00" }
    try add("b.jpg") { $0.original = "2026:05:01 12:31:00" }
    try add("c.jpg")
    let report = try report(photos())
    #expect(report.placed.map(\.picture.id) == ["a.jpg"])
    #expect(
      report.unplaced.map(\.reason) == ["taken 31 min after the track", "no position and no time"])
    #expect(report.summary == "1 of 3 placed (trackZone 1)")
  }

  @Test func clocksAreCorrected() throws {
    try add("a.jpg") { $0.original = "2026:05:01 09:00:15" }
    let shifted = try report(photos { $0.offsets = [.init(seconds: 7_200)] })
    #expect(abs(try place(shifted).1 - (52.4 + 0.0004 * 120.5)) < 1e-6)
    let date = Date(timeIntervalSince1970: 1_777_626_000).timeIntervalSinceReferenceDate
    // The clock shows 9:00 UTC, or 11:00 along the track.
    for (shown, expected) in [
      (OwnPhotos.Times.Sync.Shown.universal(date), PhotoPlacement.Rule.offsetTime),
      (.local(date + 7_200), .trackZone),
    ] {
      let synced = try report(photos { $0.syncs = [.init(name: "a.jpg", shown: shown)] })
      let (rule, latitude) = try place(synced)
      #expect(rule == expected && abs(latitude - (52.4 + 0.0004 * 120)) < 1e-6)
    }
    #expect(throws: Failure.self) {
      try photos { $0.syncs = [.init(name: "b.jpg", shown: .universal(date))] }
    }
  }

  @Test func eachCameraHasItsClock() throws {
    try add("a.jpg") { ($0.original, $0.model) = ("2026:05:01 09:30:15", "EOS R6") }
    try add("b.jpg") { ($0.original, $0.model) = ("2026:05:01 12:30:15", "Z 6") }
    try add("c.jpg") {
      ($0.original, $0.offset, $0.model) = ("2026:05:01 11:00:15", "+02:00", "Pixel")
    }
    /// The numbers of the fixes that the pictures are at.
    func fixes(_ report: PlacementReport) -> [Double] {
      report.placed.map { (($0.coordinate.latitude - 52.4) / 0.0004).rounded(places: 2) }
    }
    #expect(
      try report(photos()).suggestion?.hasSuffix(
        "--camera-offset \"EOS R6:+1h\" --camera-offset \"Z 6:-1h\"?") == true)
    let offsets = try report(
      photos { $0.offsets = [.init(camera: "eos r6", seconds: 3_600), .init(seconds: -3_600)] })
    #expect(fixes(offsets) == [60.5, 180.5, 120.5])
    #expect(offsets.suggestion == nil)
    let start = Date(timeIntervalSince1970: 1_777_624_215).timeIntervalSinceReferenceDate
    let synced = try report(
      photos {
        $0.syncs = [
          .init(name: "a.jpg", shown: .universal(start)),
          .init(name: "b.jpg", shown: .local(start + 10_800)),
        ]
      })
    #expect(fixes(synced) == [60.5, 180.5, 120.5])
    #expect {
      try photos { $0.offsets = [.init(camera: "R6 II", seconds: 1)] }
    } throws: { error in
      (error as? Failure)?.hint == "The cameras are EOS R6, Pixel, Z 6."
    }
  }

  @Test func namesAndDatesCountOnlyIfTheyMay() throws {
    try add("IMG_20260501_110015.jpg")
    #expect(try report(photos()).placed.isEmpty)
    let (rule, latitude) = try place(report(photos { $0.isLoose = true }))
    #expect(rule == .looseTime && abs(latitude - (52.4 + 0.0004 * 120.5)) < 1e-6)
  }

  @Test func filesBesideAPictureCompleteItAndOthersAreCounted() throws {
    try add("a.jpg") { $0.original = "2026:05:01 11:00:15" }
    try home.file(
      "photos/a.jpg.json", Data(#"{"geoData":{"latitude":52.42,"longitude":13.06}}"#.utf8))
    for name in ["b.cr2", "c.CR2", "notes", "captions.csv", "metadata.json"] {
      try home.file("photos/\(name)", Data("{}".utf8))
    }
    let photos = try photos()
    let (rule, latitude) = try place(report(photos))
    #expect(rule == .position && latitude == 52.42)
    #expect(photos.unread == ["cr2": 2, "": 1, "json": 1])
  }

  @Test func aWrongClockIsNoticed() throws {
    for minute in [10, 50] {
      try add("\(minute).jpg") { $0.original = "2026:05:01 12:\(minute):00" }
    }
    #expect(try report(photos()).suggestedOffsets == [.init(seconds: -3_600)])
    #expect(try report(photos { $0.offsets = [.init(seconds: -3_600)] }).suggestedOffsets.isEmpty)
  }

  @Test func photosHaveTheirTitlesOrElseTheNamesOfTheirFiles() throws {
    let titles = [
      "sunset": "Sunset at the sea", "plain": nil, "camera": "SONY DSC", "name": "DSC01234",
      "coordinates": "Photo at 52.41, 13.09",
    ]
    for (name, title) in titles {
      try add("\(name).jpg") {
        $0.position = (52.42, 13.06)
        $0.description = title
      }
    }
    let photos = try report(photos()).placed.map(\.photo)
    #expect(
      photos.map(\.title) == [
        "camera.jpg", "coordinates.jpg", "name.jpg", "plain.jpg", "Sunset at the sea",
      ])
    #expect(photos.compactMap(\.captionTitle) == ["Sunset at the sea"])
  }

  @Test func foldersAreReadWithoutFollowingLinksOrWaiting() throws {
    try add("b/a.jpg") { $0.original = "2026:05:01 10:00:15" }
    try home.file("photos/notes.txt", "no picture")
    try home.file("photos/bad.jpg", "no picture")
    try FileManager.default.createSymbolicLink(
      atPath: home.path("photos/loop"), withDestinationPath: ".")
    mkfifo(home.path("photos/pipe.jpg"), 0o600)
    let photos = try photos()
    #expect(photos.pictures.map(\.id) == ["b/a.jpg"])
    #expect(photos.unreadable.map(\.reason).sorted().count == 2)
    #expect(throws: Failure.self) { try OwnPhotos(folder: home.path("none"), index: .world) }
  }

  @Test func eachIsShownOnceAtItsNearestLocationInTheOrderOfTime() async throws {
    try add("z.jpg") { $0.original = "2026:05:01 10:00:05" }
    try add("a.jpg") { $0.original = "2026:05:01 10:00:10" }
    // Half of the third location's way, and beyond the last one.
    try add("c.jpg") { $0.original = "2026:05:01 10:03:20" }
    try add("d.jpg") { $0.original = "2026:05:01 12:05:00" }
    let visits = try await visits(of: photos())
    let shown = visits.filter { $0.photo != nil }
    #expect(shown.map { $0.photo?.id } == ["z.jpg", "a.jpg", "c.jpg", "d.jpg"])
    #expect(shown.map { $0.placement?.isFurther } == [false, true, false, false])
    #expect(visits.map(\.index) == Array(visits.indices))
    for visit in shown.dropLast() { #expect(try #require(visit.photoDistance) <= 51) }
    #expect(shown.last?.index == visits.last?.index)
    #expect(shown.first?.photo?.taken?.description == "2026-05-01T10:00:05")
  }

  @Test func aReversedWalkShowsThemInReverse() async throws {
    try add("a.jpg") { $0.original = "2026:05:01 10:30:05" }
    try add("b.jpg") { $0.original = "2026:05:01 11:30:05" }
    let visits = try await visits(of: photos(), ReplayOptions(isReversed: true))
    let shown = visits.filter { $0.photo != nil }
    #expect(shown.map { $0.photo?.id } == ["b.jpg", "a.jpg"])
    for visit in shown { #expect(try #require(visit.photoDistance) <= 51) }
  }

  @Test func aPartShowsItsOwn() async throws {
    try add("a.jpg") { $0.original = "2026:05:01 10:10:05" }
    try add("b.jpg") { $0.original = "2026:05:01 11:00:05" }
    let visits = try await visits(
      of: photos(), ReplayOptions(start: .meters(2_000), end: .meters(6_000)))
    #expect(visits.compactMap { $0.photo?.id } == ["b.jpg"])
  }

  /// The visits of a walk with the photos.
  private func visits(
    of photos: OwnPhotos, _ options: ReplayOptions = ReplayOptions()
  ) async throws -> [Visit] {
    var plan = WalkPlan(Track(try Self.gpx()), distanceFilter: 100, speed: .max)
    plan.options = options
    plan.photos = .album(photos, radius: 500) { _ in }
    let visits = Locked<[Visit]>([])
    let store = StateStore(TrackingState(searchesPhotos: true))
    try await plan.walk().run(updating: store) { new in
      visits.withLock { $0 += new }
      return new.count
    }
    let all = visits.withLock(\.self)
    #expect(store.state.searched == all.count { $0.placement?.isFurther != true })
    #expect(store.state.found == all.count { $0.photo != nil })
    return all
  }
}
