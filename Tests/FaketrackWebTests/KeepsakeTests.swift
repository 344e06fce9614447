import FaketrackFeatures
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import PhotoSearch
import Testing

@testable import FaketrackPictures
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
      state.apply(.updated([.location(visit.fix)]))
      state.apply(.visited([visit]))
    }
    state.apply(.finished(nil))
    return state
  }

  private func page(_ state: TrackingState, limit: Int = 20_000_000) throws -> String {
    let keepsake = try #require(Keepsake(state))
    return try keepsake.page(limit: limit)
  }

  @Test func everythingIsInTheFile() throws {
    let page = try page(try state())
    #expect(!page.contains("/assets/") && !page.contains("=\"/photos/"))
    #expect(!page.contains("href=\"/") && !page.contains("src=\"/"))
    // The scripts import each other by the names of the map.
    let map = try #require(page.firstMatch(of: #/<script type="importmap">(.*?)<\/script>/#)?.1)
    let imports = try #require(
      (try JSONSerialization.jsonObject(with: Data(map.utf8)) as? [String: Any])?["imports"]
        as? [String: String])
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

  @Test func itIsAStory() throws {
    var state = try state()
    state.phase = .stopped
    state.apply(.answered(.denied))
    let page = try page(state)
    #expect(page.contains("<h1><span>walk.gpx</span></h1>"))
    #expect(page.contains("href=\"#chapter-1\"") && page.contains("id=\"chapter-1\""))
    for word in ["Arrived", "Start again", "your own photo", "Location permission"] {
      #expect(!page.contains(word), "\(word)")
    }
  }

  @Test func photosAreInWalkingOrderWithTheirPlaces() throws {
    let page = try page(try state())
    let photos = page.matches(of: #/id="photo-(\d+)" data-number="\d+" data-meters="(\d+)"/#)
    #expect(photos.map { "\($0.1) \($0.2)" } == ["1 100", "2 200", "3 300"])
    #expect(page.contains("<h3>Photo 2</h3><p class=\"figures\">200 m</p>"))
  }

  @Test func captionsReplaceTitlesAndIntroduceChapters() throws {
    let rows = "1,<b>At the lake</b>\n2,\n52.4,\nWalk,\"The way, at last\"\n"
    try home.file("captions.csv", Data(rows.utf8))
    let state = try state(title: "Walk")
    let keepsake = try #require(
      Keepsake(state, captions: try Captions(contentsOf: home.path("captions.csv"))))
    #expect(keepsake.chapters == ["Walk"] && keepsake.photos.count == 3)
    let page = try keepsake.page(limit: 20_000_000)
    #expect(page.contains("<h3>&lt;b&gt;At the lake&lt;/b&gt;</h3>"))
    #expect(!page.contains("<h3>Photo 2</h3>") && page.contains("<h3>Photo 3</h3>"))
    #expect(page.contains("<p class=\"lede\">The way, at last</p>"))
  }

  @Test func oneCreditOfAllPhotosIsAtTheEnd() throws {
    let common = try page(try state())
    #expect(common.ranges(of: "Somebody").count == 2)
    #expect(common.contains("Photos: Somebody"))
    let own = try page(
      try state { visit in
        let owner = visit.index == 1 ? "Ann" : "Bob & Co"
        visit.photo?.owner = owner
      })
    #expect(own.ranges(of: "<p class=\"credit\">Bob &amp; Co</p>").count >= 2)
    #expect(!own.contains("Photos: "))
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

  @Test func aPhotoThatIsShownSeveralTimesIsInsideOnce() throws {
    var fixture = PictureFixture()
    fixture.size = (300, 200)
    try home.file("a.png", Data(fixture.png) + Data(count: 50_000))
    let state = try state(photos: 20) { visit in
      visit.photo?.imageURL = URL(string: "https://photos.example/same.jpg")!
      visit.file = home.path("a.png")
    }
    let limit = 20_000_000
    let page = try page(state, limit: limit)
    #expect(page.ranges(of: "data:image/png;base64,").count == 1)
    // The cover and 20 photos.
    #expect(page.ranges(of: "<use href=\"#picture-1\">").count == 21)
    #expect(throws: Failure.self) { try self.page(state, limit: page.utf8.count - 2_000) }
    #expect(try self.page(state, limit: page.utf8.count + 2_000).utf8.count == page.utf8.count)
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
    let keepsake = try #require(Keepsake(state))
    let page = try keepsake.page(limit: 20_000_000) { notes.append($0) }
    #expect(page.contains("src=\"data:image/png;base64,"))
    #expect(page.contains("src=\"data:image/svg+xml,%3Csvg%20"))
    #expect(page.contains("src=\"https://photos.example/3.jpg\""))
    #expect(
      notes == [
        "photos: 1 photo linked, shown only with a network; --download puts them inside",
        "photos: a placeholder for 1 file that browsers don't show (HEIC, video): c.mp4",
      ])
    let folder = home.path("out")
    #expect(try keepsake.write(to: folder) == folder + "/index.html")
    #expect(Set(home.names(in: "out/photos")) == ["0001.png", "0002.svg"])
    try home.file("out/photos/0003.jpeg", Data("mine".utf8))
    try home.file("out/photos/mine.jpeg", Data())
    _ = try keepsake.write(to: folder)
    #expect(home.names(in: "out/photos") == ["0001.png", "0002.svg", "0003.jpeg", "mine.jpeg"])
    let index = try String(contentsOfFile: folder + "/index.html", encoding: .utf8)
    #expect(index.contains("src=\"photos/0001.png\""))
  }

  @Test func filesThatCannotBeDecodedAreCounted() throws {
    let png = PictureFixture().png
    try home.file("damaged.jpg", Data(PictureFixture().jpeg))
    try home.file("cut.png", Data(png.dropLast(8)))
    try home.file("text.webp", "text")
    let names = ["damaged.jpg", "cut.png", "text.webp", "none.jpg", "good.jpg"]
    try home.file("good.jpg", Data(PictureFixture().jpeg(width: 60, height: 40)))
    let state = try state(photos: names.count) { $0.file = home.path(names[$0.index - 1]) }
    let keepsake = try #require(Keepsake(state))
    let expected = [
      "photos: a placeholder for 4 files, damaged or too large: damaged.jpg, cut.png, text.webp, …"
    ]
    var notes: [String] = []
    let page = try keepsake.page(limit: 20_000_000) { notes.append($0) }
    #expect(notes == expected)
    #expect(page.contains("src=\"data:image/jpeg;base64,"))
    notes = []
    _ = try keepsake.write(to: home.path("out")) { notes.append($0) }
    #expect(notes == expected)
    #expect(home.names(in: "out/photos").filter { $0.hasSuffix(".svg") }.count == 4)
  }

  @Test func heicPicturesAreInsideWithoutTheirMetadataWhereAProgramDecodesThem() throws {
    var fixture = PictureFixture(original: "2026:05:01 10:10:00")
    (fixture.artist, fixture.orientation, fixture.position) = ("Ada Walker", 6, (52, 13))
    try home.file("a.heic", Data(fixture.heic))
    let stub = try HEICStub(in: home, picture: fixture.jpeg(width: 60, height: 40))
    let state = try state(photos: 1) { $0.file = home.path("a.heic") }
    var notes: [String] = []
    let keepsake = try #require(
      Keepsake(state, heic: HEICProgram(environment: stub.environment)))
    let page = try keepsake.page(limit: 20_000_000) { notes.append($0) }
    let address = try #require(page.firstMatch(of: #/"data:image\/jpeg;base64,([^"]*)"/#)?.1)
    let picture = try #require(Data(base64Encoded: String(address)).map(Array.init))
    let facts = try PictureFacts(PictureBytes(picture))
    #expect(facts.size == PictureSize(width: 60, height: 40))
    #expect(facts.artist == nil && facts.coordinate == nil && facts.cameraTime == nil)
    #expect(!String(decoding: picture, as: UTF8.self).contains("Ada"))
    #expect(notes.isEmpty && !page.contains("src=\"data:image/svg+xml"))
    _ = try keepsake.write(to: home.path("out"))
    #expect(home.names(in: "out/photos") == ["0001.jpeg"])
    #expect(
      FileManager.default.contents(atPath: home.path("out/photos/0001.jpeg")) == Data(picture))
  }

  @Test func aTurnedPictureIsInADrawing() throws {
    var fixture = PictureFixture()
    (fixture.orientation, fixture.size) = (6, (300, 200))
    try home.file("a.webp", Data(fixture.webP))
    let state = try state(photos: 1) { $0.file = home.path("a.webp") }
    let page = try page(state)
    let address = try #require(page.firstMatch(of: #/"data:image\/svg\+xml,([^"]*)"/#)?.1)
    let drawing = try #require(String(address).removingPercentEncoding)
    #expect(drawing.contains("viewBox=\"0 0 200 300\""))
    #expect(drawing.contains("href=\"data:image/webp;base64,"))
    #expect(page.contains("width=\"200\" height=\"300\""))
  }

  @Test func photosOfFlickrAreAsManyAsItsTermsAllowAlongTheWholeWalk() throws {
    let state = try state(photos: 90) { visit in
      let number = visit.index
      visit.photo?.imageURL = URL(string: "https://live.staticflickr.com/1/\(number)_z.jpg")!
    }
    var notes: [String] = []
    let page = try #require(Keepsake(state)).page(limit: 20_000_000) { notes.append($0) }
    let numbers = page.matches(of: #/<li id="photo-(\d+)"/#).compactMap { Int($0.1) }
    #expect(numbers == (1...30).map { 3 * $0 })
    #expect(notes.first == "photos: 60 photos left out: Flickr's terms allow 30 on a page")
  }

  @Test func aPageThatDoesNotFitSaysWhatToDo() throws {
    #expect(throws: Failure.self) { try page(try state(), limit: 10_000) }
  }

  @Test func thereIsNoneWithoutLocations() {
    #expect(Keepsake(TrackingState()) == nil)
  }

  @Test func thePageOffersIt() async throws {
    let website = Website.make(memory: 100)
    #expect(await website.get("/tracking/walk.html").status == .notFound)
    await website.tracking.walk()
    let response = await website.get("/tracking/walk.html")
    #expect(
      response.headers["Content-Disposition"] == "attachment; filename=\"walk.html\"")
    #expect(try response.text.contains("class=\"story\""))
  }
}
