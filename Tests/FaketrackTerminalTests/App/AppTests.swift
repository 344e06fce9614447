import Cities
import FaketrackFeatures
import FaketrackServices
import FaketrackTestSupport
import Foundation
import GPX
import Locations
import Testing
import WorldCities

@testable import FaketrackTerminal

/// An encyclopedia without articles.
private struct NoArticles: CitySummarizing {
  func summary(of city: City) async throws -> CitySummary? { nil }
}

/// A feed with one item, its own location; there is none at missing.json.
private struct NamedFeed: FeedLoading {
  let location: String

  func feed(isRefresh: Bool) async throws -> Data {
    if location.hasSuffix("missing.json") { throw Failure(message: "no such feed") }
    return Data(#"[{"id":1,"listId":1,"name":"\#(location)"}]"#.utf8)
  }
}

/// The screens on the router's stack, and what leads from one to the other.
@MainActor
@Suite struct AppTests {
  private let favorites = StubFavorites()
  private let redraws = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private static let potsdam = 2_852_458

  private func app(at address: String, _ catalog: TrackCatalog = TrackCatalog([])) throws -> App {
    let tracking = TrackingViewModel(
      catalog: catalog, speed: .realTime, permission: .notDetermined
    ) { _ in throw StoreIsBroken() }
    let dependencies = Dependencies(
      index: .world, hasImportedIndex: false, favorites: favorites, summaries: NoArticles(),
      feedLoader: { NamedFeed(location: $0) }, tracking: tracking)
    let redraws = redraws.continuation
    return App(
      at: try #require(Route(address: address)), dependencies,
      size: CellSize(columns: 100, rows: 30),
      files: PathCompletion(in: "/nowhere", home: "/nobody"), redraw: { redraws.yield() },
      browse: { _ in true })
  }

  /// Presses keys, one by one.
  private func press(_ keys: String, in app: App) {
    for key in keys { app.receive(.key(.character(key))) }
  }

  /// Waits until the screen shows a text.
  private func wait(for text: String, in app: App) async {
    if app.frame.text.contains(text) { return }
    for await _ in redraws.stream where app.frame.text.contains(text) { return }
  }

  @Test func aSearchLeadsToACityAndBackToTheSameRow() async throws {
    let app = try app(at: "/cities")
    await wait(for: "234,908 cities", in: app)
    press("/pots", in: app)
    await wait(for: "Search: pots\n13 cities", in: app)
    app.receive(.key(.enter))
    press("jjjj", in: app)
    let list = app.frame
    app.receive(.key(.enter))
    await wait(for: "Potsgrove, England, GB", in: app)
    app.receive(.key(.escape))
    #expect(app.frame == list)
  }

  @Test func aStarOfACityIsInTheListOneComesBackTo() async throws {
    let app = try app(at: "/cities?q=potsdam")
    await wait(for: "Brandenburg, DE", in: app)
    app.receive(.key(.enter))
    await wait(for: "Population", in: app)
    press("f", in: app)
    await wait(for: "Potsdam, Brandenburg, DE ★", in: app)
    app.receive(.key(.escape))
    await wait(for: "184,754 ★", in: app)
    #expect(favorites.stored == [Self.potsdam])
  }

  @Test func aScreenThatIsOpenIsShownAsItWasLeft() async throws {
    let app = try app(at: "/")
    press("3/pots", in: app)
    app.receive(.key(.enter))
    await wait(for: "13 cities", in: app)
    app.receive(.key(.enter))
    await wait(for: "Population", in: app)
    press("3", in: app)
    await wait(for: "Search: pots", in: app)
    press("1", in: app)
    await wait(for: "Status", in: app)
    press("3", in: app)
    #expect(app.frame.text.contains("Search: pots"))
    // Back through all three screens; the last one stays.
    for _ in 0..<5 { app.receive(.key(.escape)) }
    #expect(app.frame.text.contains("Population"))
    #expect(!app.hasEnded)
  }

  @Test func aTrackAppearsWhenItHasBeenRead() async throws {
    let pipe = Pipe()
    let input = GPXInput.descriptor(pipe.fileHandleForReading.fileDescriptor, name: "walk")
    let app = try app(
      at: "/tracking", TrackCatalog([Track(input, name: "walk.gpx")]))
    // Nothing more is to be drawn before the track is there.
    for await _ in redraws.stream { break }
    try pipe.fileHandleForWriting.write(contentsOf: Data(Walks.gpx.utf8))
    try pipe.fileHandleForWriting.close()
    await wait(for: "of 3.6 km", in: app)
  }

  @Test func aFeedIsOpenedByItsPathOrAddress() async throws {
    let app = try app(at: "/lists")
    press("nmissing.json", in: app)
    app.receive(.key(.enter))
    await wait(for: "no such feed", in: app)
    // The text stays, to be corrected.
    #expect(app.frame.text.contains("File: missing.json"))
    app.receive(.key(.control("u")))
    press("items.json", in: app)
    app.receive(.key(.enter))
    await wait(for: "│ /nowhere/items.json", in: app)
    #expect(!app.frame.text.contains("File:"))
    press("nhttps://feed.example/a", in: app)
    app.receive(.key(.enter))
    await wait(for: "│ https://feed.example/a", in: app)
  }

  /// The chosen row of a frame.
  private func chosenRow(of frame: Frame) -> Substring? {
    (1..<frame.size.rows).first { frame[2, $0].style.isInverse }
      .map { frame.text.split(separator: "\n", omittingEmptySubsequences: false)[$0] }
  }

  private func appWithTracks() throws -> App {
    try app(
      at: "/",
      TrackCatalog(
        (10..<70).map { number in
          Track(.bytes(Array(Walks.gpx.utf8), name: "walk-\(number).gpx"))
        }))
  }

  @Test func aPageOfHomeHasTheVisibleTracks() throws {
    let app = try appWithTracks()
    for (key, row) in [
      (.pageDown, "walk-33"), (.end, "walk-69"), (.pageUp, "walk-49"), (.home, "walk-10"),
    ] as [(TerminalInput.Key, String)] {
      app.receive(.key(key))
      #expect(chosenRow(of: app.frame)?.contains(row) == true, "\(key)")
    }
  }

  @Test func aFilterOfHomeChoosesTheFirstMatch() throws {
    let app = try appWithTracks()
    app.receive(.key(.end))
    press("/k-2", in: app)
    app.receive(.key(.enter))
    #expect(chosenRow(of: app.frame)?.contains("walk-20") == true)
    press("jj", in: app)
    app.receive(.key(.escape))
    #expect(chosenRow(of: app.frame)?.contains("walk-22") == true)
  }

  @Test func aPathThatCannotBeOpenedIsAnsweredBelowIt() async throws {
    let app = try appWithTracks()
    press("/k-1", in: app)
    app.receive(.key(.enter))
    press("n/nowhere/a.gpx", in: app)
    app.receive(.key(.enter))
    await wait(for: "File: /nowhere/a.gpx\n/nowhere/a.gpx: cannot be read", in: app)
    app.receive(.key(.escape))
    #expect(app.frame.text.contains("Filter: k-1") && !app.frame.text.contains("cannot be read"))
    // A new field has no old answer.
    press("n", in: app)
    #expect(app.frame.text.contains("File:") && !app.frame.text.contains("cannot be read"))
    app.receive(.key(.escape))
    #expect(app.frame.text.contains("Esc show all") && !app.frame.text.contains("Esc back"))
  }

  @Test func theFavoritesAreOpenedFromHome() async throws {
    _ = try await favorites.addFavorites([Self.potsdam])
    let app = try app(at: "/")
    press("F", in: app)
    await wait(for: "1 favorite", in: app)
    #expect(app.frame.text.contains("Potsdam  Brandenburg, DE"))
  }

  @Test func theSlashSearchesFromEveryScreen() async throws {
    for address in ["/", "/tracking", "/lists", "/about", "/cities/\(Self.potsdam)"] {
      let app = try app(at: address)
      press("/berl", in: app)
      await wait(for: "Search: berl\n145 cities", in: app)
      #expect(app.frame.cursor == CellPosition(column: 12, row: 2), "\(address)")
    }
  }

  @Test func whatIsSaidStaysUntilTheNextKey() throws {
    let app = try app(at: "/about")
    app.say("the disk\u{1B}[31m is full")
    #expect(app.frame.text.contains("\nthe disk [31m is full\n"))
    press("j", in: app)
    #expect(!app.frame.text.contains("the disk"))
  }

  @Test func aboutTellsTheVersionTheCitiesAndWhereToReportAFault() throws {
    let app = try app(at: "/about")
    #expect(app.frame.text.contains("faketrack \(Product.version) replays"))
    #expect(app.frame.text.contains("234,908 cities, built in, as of 20"))
    press("G", in: app)
    #expect(app.frame.text.contains("https://github.com/faketrack/faketrack/issues"))
  }

  @Test func qLeavesUnlessItIsTyped() throws {
    let app = try app(at: "/cities")
    press("/q", in: app)
    #expect(!app.hasEnded)
    app.receive(.key(.escape))
    press("?", in: app)
    #expect(app.frame.text.contains("these keys"))
    press("qq", in: app)
    #expect(app.hasEnded)
  }

  @Test func theHelpHasEveryKeyAtAnySize() throws {
    for address in ["/", "/tracking", "/cities", "/lists", "/about"] {
      let app = try app(at: address)
      app.resize(to: CellSize(columns: 40, rows: 15))
      press("?", in: app)
      var shown = app.frame.text
      for _ in 0..<40 {
        press("j", in: app)
        shown += app.frame.text
      }
      for hint in KeyHint.everywhere + KeyHint.moves where hint.key != "/" {
        #expect(shown.contains(hint.meaning), "\(hint) on \(address)")
      }
      #expect(!app.frame.text.contains("q quit"))
      app.receive(.key(.escape))
      #expect(app.frame.text.contains("? keys"))
    }
  }

  @Test func tabCompletesTheNameOfACity() async throws {
    let app = try app(at: "/cities")
    await wait(for: "234,908 cities", in: app)
    press("/müns", in: app)
    await wait(for: "Münster", in: app)
    #expect(app.frame.text.contains("Tab complete") && !app.frame.text.contains("q quit"))
    app.receive(.key(.tab))
    await wait(for: "Search: Münster", in: app)
  }
}
