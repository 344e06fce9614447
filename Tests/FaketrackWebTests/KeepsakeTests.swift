import Cities
import FaketrackFeatures
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import PhotoSearch
import Testing
import WorldCities

@testable import FaketrackWeb

@MainActor
@Suite struct KeepsakeTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  /// A walk of 2 km that has arrived, with photos.
  private func state(
    photos count: Int = 3, title: String = "walk.gpx", _ change: (inout Visit) -> Void = { _ in }
  ) throws -> TrackingState {
    var state = TrackingState(track: nil, memory: 1_000)
    state.entry = TrackCatalog.Entry(
      id: 7, name: title, shape: .loaded(try Walks.shape(Walks.gpx(kilometers: 2))))
    state.apply(.started(at: 0))
    for number in 1...max(1, count) {
      var visit = try Walks.visit(number, hasPhoto: count > 0)
      change(&visit)
      state.apply(.updated([.fix(visit.fix)]))
      state.apply(.visited([visit]))
    }
    state.apply(.finished(nil))
    return state
  }

  private func page(_ state: TrackingState, limit: Int = 20_000_000) throws -> String {
    let keepsake = try #require(Keepsake(state, Website.make().dependencies.index))
    return try keepsake.page(limit: limit)
  }

  @Test func everythingIsInTheFile() throws {
    let page = try page(try state())
    #expect(!page.contains("/assets/") && !page.contains("=\"/photos/"))
    // The links to more photos are hidden.
    let links = page.matches(of: #/href="\/([a-z]*)/#).map(\.1)
    #expect(Set(links) == ["tracking"] && !page.contains("src=\"/"))
    // The scripts import each other by the names of the map.
    let map = try #require(page.firstMatch(of: #/<script type="importmap">(.*?)<\/script>/#)?.1)
    let imports = try #require(
      (try JSONSerialization.jsonObject(with: Data(map.utf8)) as? [String: Any])?["imports"]
        as? [String: String])
    #expect(imports["shared/server.mjs"] == imports["walk/keepsake.mjs"])
    for source in imports.values {
      let text = try #require(
        source.split(separator: ",").last.flatMap { Data(base64Encoded: String($0)) })
      for name in String(decoding: text, as: UTF8.self).matches(of: #/from "([^"]+)"/#) {
        #expect(imports[String(name.1)] != nil, "\(name.1)")
      }
    }
  }

  @Test func theSameWalkGivesTheSameBytes() throws {
    #expect(try page(try state()) == page(try state()))
  }

  @Test func itIsAWalkThatHasArrived() throws {
    var state = try state()
    state.phase = .stopped
    state.apply(.answered(.denied))
    let page = try page(state)
    #expect(page.contains(">Arrived<") && page.contains("class=\"poster plain\""))
    #expect(!page.contains("Location permission"))
    #expect(page.contains("data-track=\"7\"") && page.contains("\"track\":7"))
  }

  @Test(arguments: [
    ([179.99, -179.99], "Savusavu"), ([-178, -90, 0, 90, 178], "Antananarivo"),
  ])
  func theCitiesAroundTheTrackGoOnOverTheDateLine(longitudes: [Double], city: String) throws {
    var state = try state()
    let points = longitudes.map { "<trkpt lat=\"-16.8\" lon=\"\($0)\"/>" }
    let gpx = "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    state.entry = TrackCatalog.Entry(
      id: 7, name: "walk.gpx", shape: .loaded(try Walks.shape(gpx)))
    let keepsake = try #require(Keepsake(state, CityIndex.world))
    #expect(try keepsake.page(limit: 20_000_000).contains("\"\(city)\""))
  }

  @Test func aTitleCannotEndAScript() throws {
    let page = try page(try state(title: "</script><script>alert(1)</script>"))
    #expect(!page.contains("<script>alert"))
  }

  @Test func aWaypointCannotEndTheData() throws {
    // With the sign after it, the first scalar is one Character.
    let name = "\u{0D4E}&lt;/script&gt;\u{0D4E}&lt;script&gt;alert(1)"
    let gpx = Walks.gpx(kilometers: 1).replacing(
      "<trk>", with: "<wpt lat=\"52.4\" lon=\"13\"><name>\(name)</name></wpt><trk>")
    var state = try state()
    state.entry = TrackCatalog.Entry(id: 1, name: "a", shape: .loaded(try Walks.shape(gpx)))
    let page = try page(state)
    #expect(page.contains("alert(1)"))
    #expect(!page.utf8.contains("<script>alert".utf8))
  }

  @Test func photosThatAreShownSeveralTimesCountSeveralTimes() throws {
    try home.file("a.png", Data(PictureFixture().png) + Data(count: 50_000))
    let state = try state(photos: 20) { visit in
      visit.photo?.url = URL(string: "https://photos.example/same.jpg")!
      visit.file = home.path("a.png")
    }
    let limit = 20_000_000
    let size = try page(state, limit: limit).utf8.count
    #expect(throws: Failure.self) { try page(state, limit: size - 100) }
    #expect(try page(state, limit: size + 2_000).utf8.count == size)
  }

  @Test func filesAreInsideAndOtherPhotosLinked() throws {
    try home.file("a b.png", Data(PictureFixture(original: "2026:05:01 10:10:00").png))
    try home.file("c.mp4", Data(PictureFixture.video(.now)))
    let names = [1: "a b.png", 2: "c.mp4"]
    let state = try state { visit in
      guard let name = names[visit.index] else { return }
      visit.file = home.path(name)
    }
    var notes: [String] = []
    let keepsake = try #require(Keepsake(state, nil))
    let page = try keepsake.page(limit: 20_000_000) { notes.append($0) }
    #expect(page.contains("<img src=\"data:image/png;base64,"))
    #expect(page.contains("<img src=\"data:image/svg+xml;base64,"))
    #expect(page.contains("<img src=\"https://photos.example/3.jpg\""))
    #expect(
      notes == [
        "photos: 1 photo linked, shown only with a network; --download puts them inside",
        "photos: a placeholder for 1 file that browsers don't show (HEIC, video)",
      ])
    let folder = home.path("out")
    #expect(try keepsake.write(to: folder) == folder + "/index.html")
    #expect(Set(home.names(in: "out/photos")) == ["0001.svg", "0002.png"])
    try home.file("out/photos/0003.jpeg", Data("mine".utf8))
    try home.file("out/photos/mine.jpeg", Data())
    _ = try keepsake.write(to: folder)
    #expect(home.names(in: "out/photos") == ["0001.svg", "0002.png", "0003.jpeg", "mine.jpeg"])
    let index = try String(contentsOfFile: folder + "/index.html", encoding: .utf8)
    #expect(index.contains("<img src=\"photos/0002.png\""))
  }

  @Test func noMorePhotosOfFlickrThanItsTermsAllow() throws {
    let state = try state(photos: 40) { visit in
      let number = visit.index
      visit.photo?.url = URL(string: "https://live.staticflickr.com/1/\(number)_z.jpg")!
    }
    let page = try page(state)
    let images = page.matches(of: #/<img src="(https:\/\/live\.staticflickr[^"]*)/#).map(\.1)
    #expect(Set(images).count == 30)
    #expect(page.contains("<img src=\"https://live.staticflickr.com/1/40_z.jpg\""))
    #expect(page.contains("id=\"photo-1\"") && page.contains("id=\"photo-40\""))
  }

  @Test func aPageThatDoesNotFitSaysWhatToDo() throws {
    #expect(throws: Failure.self) { try page(try state(), limit: 10_000) }
  }

  @Test func thereIsNoneWithoutLocations() {
    #expect(Keepsake(TrackingState(), nil) == nil)
  }

  @Test func thePageOffersIt() async throws {
    let website = Website.make(memory: 100)
    #expect(await website.get("/tracking/walk.html").status == .notFound)
    await website.tracking.walk()
    let response = await website.get("/tracking/walk.html")
    #expect(
      response.headers["Content-Disposition"] == "attachment; filename=\"walk.html\"")
    #expect(try response.text.contains("id=\"walk-data\""))
  }
}
