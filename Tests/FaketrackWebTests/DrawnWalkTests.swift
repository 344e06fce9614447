import FaketrackFeatures
import FaketrackServer
import Foundation
import GPX
import Testing

@testable import FaketrackWeb

@MainActor
@Suite struct DrawnWalkTests {
  private static let way = "place=52.4,13.06&place=52.41,13.07"
  private static let navigation: WebHeaders = ["Sec-Fetch-Mode": "navigate", "Accept": "text/html"]

  @Test func aBrowserWithoutScriptsFillsInFields() async throws {
    let page = try await Website.make().page("/draw")
    #expect(page.components(separatedBy: "name=\"place\"").count == 3)
    #expect(page.contains("Type names of cities"))
    #expect(!page.contains("class=\"drawing\""))
  }

  @Test func showsTheWalkOfTheFields() async throws {
    let page = try await Website.make().page("/draw?place=Potsdam&place=&place=Berlin&by=bike")
    #expect(page.components(separatedBy: "name=\"place\"").count == 4)
    #expect(page.contains("value=\"Potsdam\"") && page.contains("Berlin, State of Berlin, DE"))
    #expect(page.contains("<option value=\"bike\" selected>"))
    #expect(page.contains("class=\"drawing\"") && page.contains("28.2 km · 1 h 26 min"))
  }

  @Test(arguments: [
    ("place=Xanadu+Nowhere&place=Berlin", "There is no city named Xanadu Nowhere."),
    ("place=95,13&place=Berlin", "is not a position on Earth."),
    ("place=52.4,13.06&place=52.4,13.06", "The places 1 and 2 are the same."),
  ])
  func saysWhyThereIsNoWalk(query: String, reason: String) async throws {
    let website = Website.make()
    #expect(try await website.page("/draw?\(query)").contains(reason))
    for file in DrawnWalk.File.allCases {
      #expect(await website.get("\(file.address)?\(query)").status == .unprocessableEntity)
    }
    let answer = await website.post("/draw", query, headers: Self.navigation)
    #expect(answer.status == .seeOther)
    #expect(try await website.page(#require(answer["Location"])).contains(reason))
    #expect(await website.postByScript("/draw", query).status == .unprocessableEntity)
    #expect(website.tracking.catalog.entries.count == 1)
  }

  @Test func escapesWhatWasTyped() async throws {
    let page = try await Website.make().page("/draw?place=%3Cscript%3E%22&place=Berlin")
    #expect(!page.contains("<script>\"") && page.contains("&lt;script&gt;&quot;"))
  }

  @Test func savesATrackThatFaketrackReads() async throws {
    let answer = await Website.make().get("/draw/walk.gpx?\(Self.way)&by=run")
    #expect(answer["Content-Disposition"] == "attachment; filename=\"walk.gpx\"")
    let document = try GPXDocument(reading: .bytes(try answer.bytes))
    #expect(document.tracks.first?.name == "Around Potsdam, DE")
    let fixes = document.fixes
    #expect(fixes.first?.coordinate.latitude == 52.4 && fixes.last?.coordinate.latitude == 52.41)
  }

  @Test func theScriptKnowsThePlacesBeforeThereIsAWalk() async throws {
    let website = Website.make()
    let one = try await website.get("/draw/walk.json?place=Potsdam").text
    #expect(one.contains("\"name\":\"Potsdam, Brandenburg, DE\"") && !one.contains("\"track\""))
    let two = try await website.get("/draw/walk.json?\(Self.way)").text
    #expect(
      two.contains("\"name\":\"Near Potsdam, Brandenburg, DE\"") && two.contains("\"line\":["))
    let none = try await website.get("/draw/walk.json").text
    #expect(none == "{\"places\":[]}")
  }

  @Test func walksItAtOnce() async throws {
    let website = Website.make()
    let answer = await website.post("/draw", Self.way, headers: Self.navigation)
    #expect(answer.status == .seeOther && answer["Location"] == "/tracking")
    #expect(website.tracking.state.entry?.title == "Around Potsdam, DE")
    #expect(website.tracking.state.phase != .idle)
    let home = try await website.page("/")
    let shelf = home.components(separatedBy: "<ul class=\"tracks\">")[1]
    #expect(shelf.contains(#/<h2>Around Potsdam, DE<\/h2>.*<h2>walk.gpx<\/h2>/#))
  }

  @Test func anUnfinishedWalkIsNotLostByOneClick() async throws {
    let website = Website.make()
    var walk = try Walks.state(photos: 3)
    walk.entry = website.tracking.catalog.entry(1)
    website.tracking.store.update { $0 = walk }
    let answer = await website.post("/draw", Self.way, headers: Self.navigation)
    #expect(answer["Location"] == "/?ask=start&track=2")
    #expect(website.tracking.state.track == 1)
    #expect(try await website.page("/?ask=start&track=2").contains("Discard and start"))
  }

  @Test func onlyPagesOfThisServerDraw() async throws {
    let website = Website.make()
    let evil: WebHeaders = ["Origin": "http://evil.example"]
    #expect(await website.post("/draw", Self.way, headers: evil).status == .forbidden)
    #expect(website.tracking.catalog.entries.count == 1)
  }
}
