import Cities
import FaketrackServer
import Foundation
import Geodesy
import Testing

@testable import FaketrackFeatures
@testable import FaketrackWeb

@Suite struct MapFigureTests {
  private func gpx(_ points: [(Double, Double)]) -> String {
    let points = points.map { "<trkpt lat=\"\($0.0)\" lon=\"\($0.1)\"/>" }
    return "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
  }

  @Test func theLineGoesOnOverTheDateLine() throws {
    let shape = try Walks.shape(gpx([(0, 179.99), (0, -179.99), (0.01, -179.98)]))
    let line = PlaneLine(shape, points: 100)
    #expect(line.path { _ in true } == "M0.0 333.3L666.7 333.3L1000.0 0.0")
  }

  @Test func theLineGoesOnOverTheDateLineWestward() throws {
    let shape = try Walks.shape(gpx([(0, -179.99), (0, 179.99)]))
    #expect(PlaneLine(shape, points: 100).path { _ in true } == "M1000.0 0.0L0.0 0.0")
  }

  @Test(
    arguments: [
      ([(52.0, 13.0)], "-0.1 -0.1 1.3 1.3"),
      ([(90.0, 13.0), (-90.0, 13.0)], "-0.1 -125.0 1.3 1250.0"),
      ([(0.0, 0.0), (0.0, 0.01)], "-125.0 -0.1 1250.0 1.3"),
    ] as [([(Double, Double)], String)])
  func theDrawingFitsItsBox(_ points: [(Double, Double)], viewBox: String) throws {
    let line = PlaneLine(try Walks.shape(gpx(points)), points: 100)
    #expect(line.viewBox == viewBox)
    let path = line.path { _ in true }
    #expect(!path.contains("nan") && !path.contains("inf"))
  }

  @Test func gapsAreNotDrawn() throws {
    let shape = try Walks.shape(
      """
      <gpx><trk><trkseg><trkpt lat="0" lon="0"/><trkpt lat="0" lon="0.01"/></trkseg>
      <trkseg><trkpt lat="0" lon="0.03"/><trkpt lat="0" lon="0.04"/></trkseg></trk></gpx>
      """)
    let path = PlaneLine(shape, points: 100).path { _ in true }
    #expect(path == "M0.0 0.0L250.0 0.0M750.0 0.0L1000.0 0.0")
  }

  @Test func onlyTheWantedPiecesAreDrawn() throws {
    let shape = try Walks.shape(Walks.gpx(kilometers: 1))
    let line = PlaneLine(shape, points: 1_000)
    #expect(line.path { _ in false }.isEmpty)
    let pieces = line.path { (100...300).contains($0.distance) || $0.distance > 800 }
    #expect(pieces.count(where: { $0 == "M" }) == 2)
  }

  @Test func aLongTrackIsDrawnWithFewPoints() throws {
    let shape = try Walks.shape(Walks.gpx(kilometers: 200))
    let path = PlaneLine(shape, points: 100).path { _ in true }
    #expect(path.count(where: { $0 == "L" || $0 == "M" }) <= 110)
  }

  @Test func aMapWithoutATrackShowsAllAndNoDrawing() {
    let markup = MapFigure.html(of: "<here>", tiles: nil).markup
    #expect(markup.contains("Show all") && !markup.contains("class=\"drawing\""))
    #expect(markup.contains("Map of &lt;here&gt;.") && markup.contains("data-track=\"\""))
    #expect(markup.contains("Cities: GeoNames"))
  }

  @Test func theStreetMapIsOfferedAndAsksFirst() {
    let markup = MapFigure.html(of: "here", tiles: nil).markup
    #expect(markup.contains("<span class=\"visually-hidden\">Street map</span>"))
    #expect(markup.contains("data-tiles=\"https://tile.openstreetmap.org/{z}/{x}/{y}.png\""))
    #expect(markup.contains("<section class=\"card tiles-offer\" data-tiles-offer hidden"))
    #expect(markup.contains(">Street map from openstreetmap.org</h2>"))
    #expect(markup.contains(">Load it</button>") && markup.contains(">Stay offline</button>"))
    #expect(markup.contains("<span data-tiles-credit hidden><a"))
    #expect(markup.contains("href=\"https://www.openstreetmap.org/copyright\""))
    #expect(!markup.contains("src=\""), "nothing is loaded before that")
  }

  @Test func tilesThatWereAskedForNeedNoConsent() {
    let tiles = TileTemplate("https://tiles.example/{z}/{x}/{y}", attribution: "© <Somebody>")
    let markup = MapFigure.html(of: "here", tiles: tiles).markup
    #expect(markup.contains("data-tiles=\"https://tiles.example/{z}/{x}/{y}\""))
    #expect(!markup.contains("data-tiles-offer") && !markup.contains("openstreetmap"))
    #expect(markup.contains("<span data-tiles-credit hidden>© &lt;Somebody&gt;</span>"))
  }

  @Test func walkedPartsAreDrawnOverTheTrack() throws {
    let shape = try Walks.shape(Walks.gpx(kilometers: 1))
    var walk = TrackingState(track: 3)
    walk.entry = TrackCatalog.Entry(id: 3, name: "a walk", shape: .loaded(shape))
    let before = MapFigure.html(of: "a walk", walk: walk, tiles: nil).markup
    #expect(before.contains("class=\"track\"") && !before.contains("class=\"walked\""))
    #expect(before.contains("data-track=\"3\"") && before.contains("Follow"))
    walk.legs = [0...400]
    let after = MapFigure.html(of: "a walk", walk: walk, tiles: nil).markup
    #expect(after.contains("class=\"walked\""))
  }

  @Test func aRouteNumbersItsStopsAndIsHiddenFromReaders() throws {
    let shape = try Walks.shape(Walks.gpx(kilometers: 1))
    let markup = MapFigure.route(of: shape, stops: [0, 500, 1_000]).markup
    #expect(markup.contains("aria-hidden=\"true\"") && !markup.contains("role="))
    #expect(markup.matches(of: /<text [^>]*>(\d)<\/text>/).map { String($0.1) } == ["1", "2", "3"])
  }
}

@Suite struct ProfileFigureTests {
  private func profile(_ elevations: [Double?], at distance: Double = 0) throws -> String {
    let points = elevations.enumerated().map { number, elevation in
      "<trkpt lat=\"52\" lon=\"\(13 + Double(number) / 100)\">"
        + (elevation.map { "<ele>\($0)</ele>" } ?? "") + "</trkpt>"
    }
    let shape = try Walks.shape("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>")
    return ProfileFigure.html(shape, legs: [0...distance], at: distance, in: .metric).markup
  }

  @Test func tellsTheRangeOfElevations() throws {
    #expect(try profile([10.4, 99.6, 55]).contains("10 m – 100 m<"))
    #expect(try !profile([nil, nil]).contains("profile-scale"))
    #expect(try profile([-3.2, nil]).contains("-3 m – -3 m<"))
  }

  @Test func aPlainStaysLow() throws {
    let plain = try profile([30, 31, 30])
    let alps = try profile([30, 2_030, 30])
    #expect(!plain.contains(" 10.0L") && alps.contains(" 10.0L"))
  }

  @Test(arguments: [(0.0, "0.0", "0"), (342.7, "500.0", "342"), (1e9, "1000.0", "1000000000")])
  func theSliderStandsWhereTheWalkIs(
    _ distance: Double, width: String, value: String
  ) throws {
    let markup = try profile([10, 20], at: distance)
    #expect(markup.contains("min=\"0\" max=\"68"), "the points are 686 m apart")
    #expect(markup.contains("step=\"1\" value=\"\(value)\""))
    let progress = try #require(markup.firstMatch(of: /data-progress x="0.0" width="([^"]*)"/))
    let number = try #require(Double(progress.1))
    #expect(abs(number - (Double(width) ?? -1)) < 2)
  }

  @Test func skippedPartsAreNotWalked() throws {
    let shape = try Walks.shape(Walks.gpx(kilometers: 1))
    let markup = ProfileFigure.html(
      shape, legs: [0...200, 500...600], at: 600, in: .metric
    ).markup
    let rects = markup.matches(of: /<rect( data-progress)? x="([^"]*)" width="([^"]*)"/)
    #expect(rects.map { $0.1 != nil } == [false, true])
    let edges = rects.compactMap { Double($0.2) } + rects.compactMap { Double($0.3) }
    #expect(zip(edges, [0, 500, 200, 100]).allSatisfy { abs($0 - $1) < 5 })
  }

  @Test(
    arguments: [
      (1.0, Units.metric, ["200 m", "400 m", "600 m", "800 m"]),
      (9.4, .metric, ["2 km", "4 km", "6 km", "8 km"]),
      (0.05, .metric, ["10 m", "20 m", "30 m", "40 m"]),
      (9.4, .imperial, ["1 mi", "2 mi", "3 mi", "4 mi", "5 mi"]),
      (1, .imperial, ["500 ft", "1000 ft", "1500 ft", "2000 ft", "2500 ft", "3000 ft"]),
      (2, .imperial, ["0.2 mi", "0.4 mi", "0.6 mi", "0.8 mi", "1 mi", "1.2 mi"]),
    ])
  func theAxisHasRoundNumbers(kilometers: Double, units: Units, labels: [String]) throws {
    let shape = try Walks.shape(Walks.gpx(kilometers: kilometers))
    let markup = ProfileFigure.html(shape, legs: [], at: 0, in: units).markup
    #expect(markup.matches(of: /<text [^>]*>([^<]*)</).map { String($0.1) } == labels)
  }

  @Test func aSinglePointHasAProfileToo() throws {
    let markup = try profile([nil])
    #expect(markup.contains("max=\"1\"") && !markup.contains("nan") && !markup.contains("inf"))
  }
}

@MainActor
@Suite struct MapDataTests {
  @Test(arguments: [
    ("12,52,14,53", true), ("-180,-90,180,90", true), ("170,-10,-170,10", true),
    ("0,0,0,0", true), ("12.5,52.25,14e0,53", true), ("", false), ("1,2,3", false),
    ("1,2,3,4,5", false), ("nan,0,1,1", false), ("0,nan,1,1", false), ("inf,0,1,1", false),
    ("-181,0,1,1", false), ("0,0,181,1", false), ("0,-91,1,1", false), ("0,0,1,91", false),
    ("a,b,c,d", false), ("1,,3,4", false), (" 1,2,3,4", false),
  ])
  func boxesAreChecked(_ text: String, isBox: Bool) async throws {
    #expect((CitiesInBox.box(text) != nil) == isBox)
    let response = await Website.make().get(
      "/map/cities?box=\(text.replacing(" ", with: "%20"))")
    #expect(response.status == (isBox ? .ok : .badRequest))
  }

  @Test func edgesAreInTheOrderOfMaps() throws {
    let box = try #require(CitiesInBox.box("12,-52,14,53"))
    #expect(box.minimumLongitude == 12 && box.minimumLatitude == -52)
    #expect(box.maximumLongitude == 14 && box.maximumLatitude == 53)
  }

  @Test func theMostPopulousCitiesOfTheBoxAreListed() async throws {
    let data = Data(
      try await Website.make().get("/map/cities?box=12.9,52.2,13.8,52.7").bytes)
    let cities = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    #expect(cities.count > 10 && cities.count <= CitiesInBox.limit)
    #expect(cities.first?["name"] as? String == "Berlin")
    let first = try #require(cities.first)
    #expect(Set(first.keys) == ["id", "name", "latitude", "longitude", "population"])
    let people = cities.compactMap { $0["population"] as? Int }
    #expect(people == people.sorted(by: >))
    for city in cities {
      let latitude = try #require(city["latitude"] as? Double)
      #expect((52.2...52.7).contains(latitude))
    }
  }

  @Test func theWorldHasNoMoreThanTheLimit() async throws {
    let data = Data(try await Website.make().get("/map/cities?box=-180,-90,180,90").bytes)
    let cities = try JSONSerialization.jsonObject(with: data) as? [Any]
    #expect(cities?.count == CitiesInBox.limit)
  }

  @Test func aTrackIsFlat() async throws {
    let gpx = """
      <gpx><trk><trkseg><trkpt lat="52" lon="13"><ele>30.26</ele></trkpt>
      <trkpt lat="52.001" lon="13"/></trkseg><trkseg><trkpt lat="53.1234567" lon="-13"/>
      <trkpt lat="53.2" lon="-13"/></trkseg></trk></gpx>
      """
    let website = Website.make(tracks: [Walks.track(gpx: gpx, name: "a.gpx")])
    let data = Data(try await website.get("/tracks/1").bytes)
    let track = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(
      Set(track.keys) == [
        "line", "elevations", "breaks", "length", "zone", "waypoints", "cities",
      ])
    #expect(track["zone"] as? String == "Europe/Berlin")
    let line = try #require(track["line"] as? [Double])
    #expect(line.count == 12)
    #expect(Array(line.prefix(6)) == [52, 13, 0, 52.001, 13, 111.3])
    #expect(line[6] == 53.123457)
    #expect(track["breaks"] as? [Int] == [0, 2])
    let elevations = try #require(track["elevations"] as? [Any])
    #expect(elevations.first as? Double == 30.3 && elevations[1] is NSNull)
    #expect((track["waypoints"] as? [Any])?.isEmpty == true)
  }

  @Test(arguments: [
    (Clocks.local, 13.0, "Europe/Berlin" as String?), (.utc, 13, nil), (.local, -30, nil),
  ])
  func theZoneIsThatOfACityNearTheStart(
    clocks: Clocks, longitude: Double, zone: String?
  ) async throws {
    let gpx =
      "<gpx><trk><trkseg><trkpt lat=\"52\" lon=\"\(longitude)\"/></trkseg></trk></gpx>"
    let website = Website.make(tracks: [Walks.track(gpx: gpx, name: "a.gpx")], clocks: clocks)
    let data = Data(try await website.get("/tracks/1").bytes)
    let track = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(track["zone"] as? String == zone)
  }

  @Test func timesOfAWalkAreInUTCWhereThatIsAskedFor() async throws {
    let gpx = Walks.gpx(kilometers: 0.1).replacing(
      "</ele>", with: "</ele><time>2026-05-01T08:00:00Z</time>")
    let website = Website.make(
      tracks: [Walks.track(gpx: gpx, name: "a.gpx")], clocks: .utc, memory: 100)
    await website.tracking.walk()
    let page = try await website.page("/tracking")
    #expect(page.contains("data-text=\"time\">08:00 UTC</dd>"))
    #expect(page.contains(" · 08:00 UTC</span></span></p>") && !page.contains("CEST"))
    await website.tracking.send(.start(track: nil))
    await website.tracking.wait { !$0.isUnderWay }
    #expect(website.tracking.state.clocks == .utc)
  }

  @Test func waypointsComeWithTheirNames() async throws {
    let gpx = """
      <gpx><wpt lat="52.12345678" lon="13"><name>The &lt;old&gt; mill</name></wpt>
      <wpt lat="52.5" lon="-13.25"/>
      <trk><trkseg><trkpt lat="52" lon="13"/></trkseg></trk></gpx>
      """
    let website = Website.make(tracks: [Walks.track(gpx: gpx, name: "a.gpx")])
    let data = Data(try await website.get("/tracks/1").bytes)
    let track = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let waypoints = try #require(track["waypoints"] as? [[String: Any]])
    #expect(waypoints.map { $0["name"] as? String } == ["The <old> mill", ""])
    #expect(waypoints.map { $0["latitude"] as? Double } == [52.123457, 52.5])
    #expect(waypoints.map { $0["longitude"] as? Double } == [13, -13.25])
  }
}

@Suite struct MapTrackTests {
  private func times(_ times: [Int?]) throws -> (start: Double?, steps: [Int]?) {
    let points = times.enumerated().map { number, time in
      let time = time.map { Date(timeIntervalSince1970: Double($0)).formatted(.iso8601) }
      return "<trkpt lat=\"52\" lon=\"\(13 + Double(number) / 100)\">"
        + (time.map { "<time>\($0)</time>" } ?? "") + "</trkpt>"
    }
    let shape = try Walks.shape("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>")
    let data = try ScriptJSON.encode(MapTrack(shape, zone: nil))
    let track = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    return (track["start"] as? Double, track["steps"] as? [Int])
  }

  @Test func timesAreTheFirstAndTheSecondsFromEachToTheNext() throws {
    let times = try times([1_777_622_400, 1_777_622_460, 1_777_622_700])
    #expect(times.start == 1_777_622_400 && times.steps == [60, 240])
  }

  @Test(arguments: [[nil, nil], [1_777_622_400, nil, 1_777_622_700]] as [[Int?]])
  func timesThatAreNotKnownAreLeftOut(_ known: [Int?]) throws {
    let times = try times(known)
    #expect(times.start == nil && times.steps == nil)
  }
}

@Suite struct PhotoCardTests {
  @Test func creditsThePhoto() throws {
    var visit = try Walks.visit(12)
    visit.photo?.pageURL = URL(string: "https://photos.example/12")
    let markup = PhotoCard.html(PhotoLog.Card(number: 12, visit: visit)).markup
    #expect(markup.contains("id=\"photo-12\" data-number=\"12\""))
    #expect(markup.contains("<img src=\"https://photos.example/12.jpg\" alt=\"Photo 12\""))
    #expect(markup.contains("href=\"https://photos.example/12\" target=\"_blank\""))
    #expect(markup.contains(">Somebody</a>") && markup.contains("1.2 km"))
    #expect(markup.contains("referrerpolicy=\"no-referrer\"") && !markup.contains("sample"))
  }

  @Test(arguments: [
    ("", "Untitled"), (" \n ", "Untitled"), ("a\n\tb  c", "a b c"), ("<b>", "&lt;b&gt;"),
    ("IMG_1003.jpg", "IMG_1003.jpg"), ("DSC01234", "DSC01234"),
    ("Sample photo at 52.41, 13.09", "Sample photo at 52.41, 13.09"),
    ("Potsdam 1003 steps", "Potsdam 1003 steps"),
  ])
  func titlesAreOneLine(_ title: String, shown: String) throws {
    var visit = try Walks.visit(1)
    visit.photo?.title = title
    let markup = PhotoCard.html(PhotoLog.Card(number: 1, visit: visit)).markup
    #expect(
      markup.contains("alt=\"\(shown)\""))
    // The name of a file and coordinates are no titles.
    let isTitle = ["a b c", "&lt;b&gt;", "Potsdam 1003 steps"].contains(shown)
    #expect(markup.contains("<h3 class=\"full\">\(shown)</h3>") == isTitle)
    #expect(markup.contains("<h3") == isTitle)
  }

  @Test func withoutAPageNothingIsLinked() throws {
    var visit = try Walks.visit(1)
    visit.photo?.owner = ""
    let markup = PhotoCard.html(PhotoLog.Card(number: 1, visit: visit)).markup
    #expect(!markup.contains("<a ") && markup.contains("<span>unknown author</span>"))
  }

  @Test func aSampleSaysThatItIsOne() throws {
    var visit = try Walks.visit(1)
    visit.photo?.imageURL = SamplePhotos.base.appendingPathComponent("s1_z.jpg")
    let markup = PhotoCard.html(PhotoLog.Card(number: 1, visit: visit)).markup
    #expect(markup.contains("class=\"card photo sample\""))
    #expect(markup.contains("src=\"/photos/sample/s1_z.jpg\""))
  }

  @Test func thePlaceTheDistanceAndTheTimeComeFirst() throws {
    var visit = try Walks.visit(12)
    visit.fix.time = Date(timeIntervalSince1970: 1_777_622_759)
    visit.city = NearbyCity(
      city: City(
        id: 7, name: "Werder", country: "DE", coordinate: visit.fix.coordinate,
        timezone: "Europe/Berlin"), distance: 10)
    let markup = PhotoCard.html(PhotoLog.Card(number: 1, visit: visit)).markup
    let place =
      "<p class=\"figures where\"><span class=\"place full\"><a href=\"/cities/7\">Werder</a></span>"
      + "<span>1.2 km<span class=\"full\"> · 10:05 CEST</span></span></p>"
    #expect(markup.contains("<figcaption>\(place)<h3 "))
    let utc = PhotoCard.html(PhotoLog.Card(number: 1, visit: visit), on: .utc).markup
    #expect(utc.contains(" · 08:05 UTC</span></span></p>"))
    visit.city?.distance = 20_001
    let far = PhotoCard.html(PhotoLog.Card(number: 1, visit: visit)).markup
    #expect(!far.contains("Werder"))
  }

  @Test func aVisitWithoutAPhotoIsNoCard() throws {
    let visit = try Walks.visit(1, hasPhoto: false)
    #expect(PhotoCard.html(PhotoLog.Card(number: 1, visit: visit)) == .none)
  }

  @Test func skeletonsAreHiddenFromReaders() {
    let markup = PhotoCard.skeletons(3).markup
    #expect(markup.components(separatedBy: "aria-hidden=\"true\"").count == 4)
  }
}
