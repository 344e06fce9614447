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

/// The messages of an app to its terminal.
@MainActor
private final class Messages {
  var all: [TerminalMessage] = []
}

/// The screens on the router's stack, and what leads from one to the other.
@MainActor
@Suite struct AppTests {
  private let favorites = StubFavorites()
  private let messages = Messages()
  private let redraws = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private static let potsdam = 2_852_458

  private func app(at address: String, _ catalog: TrackCatalog = TrackCatalog([])) throws -> App {
    try app(at: address, tracking(catalog))
  }

  private func tracking(_ catalog: TrackCatalog = TrackCatalog([])) -> TrackingViewModel {
    TrackingViewModel(
      catalog: catalog, speed: .realTime, permission: .notDetermined, memory: 100,
      photoSources: ["commons", "none"]
    ) { _ in throw StoreIsBroken() }
  }

  private func app(
    at address: String, _ tracking: TrackingViewModel, feeds: Bool = false,
    in folder: String = "/nowhere"
  ) throws -> App {
    let dependencies = Dependencies(
      index: .world, hasImportedIndex: false, favorites: favorites, summaries: NoArticles(),
      feedLoader: { NamedFeed(location: $0) }, tracking: tracking)
    let redraws = redraws.continuation
    return App(
      at: try #require(Route(address: address)), dependencies,
      size: CellSize(columns: 100, rows: 30),
      files: PathCompletion(in: folder, home: "/nobody"),
      saver: WalkSaver { _ in "<html>" }, feeds: feeds, redraw: { redraws.yield() },
      browse: { _ in true },
      tell: { [messages] in messages.all.append($0) })
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
    await wait(for: "Brandenburg, Germany", in: app)
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

  /// An app at Home, once all tracks have been read: the map is beside them.
  private func appWithTracks() async throws -> App {
    let catalog = TrackCatalog(
      (10..<70).map { number in
        Track(.bytes(Array(Walks.gpx.utf8), name: "walk-\(number).gpx"))
      })
    for await tracks in catalog.store.states() {
      if !tracks.contains(where: { $0.shape == .loading }) { break }
    }
    return try app(at: "/", catalog)
  }

  @Test func aPageOfHomeHasTheVisibleTracks() async throws {
    let app = try await appWithTracks()
    for (key, row) in [
      (.pageDown, "walk-32"), (.end, "walk-69"), (.pageUp, "walk-49"), (.home, "walk-10"),
    ] as [(TerminalInput.Key, String)] {
      app.receive(.key(key))
      #expect(chosenRow(of: app.frame)?.contains(row) == true, "\(key)")
    }
  }

  @Test func aFilterOfHomeChoosesTheFirstMatch() async throws {
    let app = try await appWithTracks()
    app.receive(.key(.end))
    press("/k-2", in: app)
    app.receive(.key(.enter))
    #expect(chosenRow(of: app.frame)?.contains("walk-20") == true)
    press("jj", in: app)
    app.receive(.key(.escape))
    #expect(chosenRow(of: app.frame)?.contains("walk-22") == true)
  }

  @Test func aFilterWithoutAMatchSaysSo() async throws {
    let app = try await appWithTracks()
    press("/xyz", in: app)
    app.receive(.key(.enter))
    #expect(app.frame.text.contains("No track matches."))
    #expect(!app.frame.text.contains("Enter show") && app.frame.text.contains("Esc show all"))
  }

  @Test func aTrackThatIsRemovedIsNamed() async throws {
    let app = try await appWithTracks()
    press("D", in: app)
    let words = "Removed walk-10.gpx from the list; no file is deleted."
    await wait(for: words, in: app)
    while app.frame.text.replacing(words, with: "").contains("walk-10") { await Task.yield() }
  }

  @Test func aPathThatCannotBeOpenedIsAnsweredBelowIt() async throws {
    let app = try await appWithTracks()
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
    #expect(app.frame.text.contains("Potsdam  Brandenburg, Germany"))
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

  // MARK: The walk on every screen

  /// A walk with a memory of its locations.
  private func walking(_ walk: TrackingState) -> TrackingViewModel {
    let tracking = tracking()
    tracking.store.update { $0 = walk }
    return tracking
  }

  @Test func theWalkIsInItsTabAndTheKeysSteerItOnEveryScreen() async throws {
    let tracking = walking(try Walks.state())
    for address in ["/", "/about", "/lists", "/cities/\(Self.potsdam)"] {
      let app = try app(at: address, tracking)
      #expect(app.frame.text.contains("2 Tracking ▶ 19 %"), "\(app.frame.text)")
      #expect(app.frame.title.contains("▶ 19 %"))
      let speed = tracking.state.speed
      press(">", in: app)
      while tracking.state.speed == speed { await Task.yield() }
    }
  }

  @Test func spaceIsTypedInAField() async throws {
    let tracking = walking(try Walks.state())
    let app = try app(at: "/cities", tracking)
    press("/new ", in: app)
    #expect(app.frame.text.contains("Search: new"))
    #expect(tracking.state.phase == .running)
  }

  @Test func anArrivalIsALineAndANotification() async throws {
    let tracking = walking(try Walks.state())
    let app = try app(at: "/about", tracking)
    _ = app.frame
    await Task.yield()
    tracking.store.update { $0.apply(.finished(nil)) }
    await wait(for: "hill.gpx has arrived: 700 m, 8 photos", in: app)
    #expect(
      messages.all == [.notification("hill.gpx has arrived: 700 m, 8 photos")])
    press("j", in: app)
    #expect(!app.frame.text.contains("arrived"))
  }

  @Test func whatIsChosenIsCopied() async throws {
    let app = try app(at: "/tracking", walking(try Walks.state()))
    press("y", in: app)
    press("\ty", in: app)
    app.receive(.key(.tab))
    press("y", in: app)
    let city = try self.app(at: "/cities/\(Self.potsdam)")
    await wait(for: "Population", in: city)
    press("y", in: city)
    #expect(
      city.frame.text.contains("Copied the city: Potsdam, Brandenburg, Germany 52.39886, 13.06566"))
    let copied = messages.all
    #expect(copied.count == 4, "\(copied)")
    #expect(copied.last == .copy("Potsdam, Brandenburg, Germany 52.39886, 13.06566"))
  }

  @Test func theWalkIsSavedOnceAndNothingIsReplaced() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "faketrack-test-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var walk = TrackingState(track: 1, speed: .realTime, memory: 100)
    let source = try Walks.state()
    walk.entry = source.entry
    walk.apply(.started(at: 0))
    for card in source.photos.cards { walk.apply(.visited([card.visit])) }
    let app = try app(at: "/about", walking(walk), in: folder)
    func save(_ name: String) {
      press("w", in: app)
      app.receive(.key(.control("u")))
      app.receive(.paste(name))
      app.receive(.key(.enter))
    }
    for (name, start) in [
      ("a.ndjson", "{"), ("a.csv", ""), ("a.geojson", "{"), ("a.gpx", "<?xml"),
      ("a.html", "<html>"),
    ] {
      save(name)
      await wait(for: "Saved 8 locations to", in: app)
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      #expect(text.hasPrefix(start) && text.count > 5)
      press("j", in: app)
    }
    let before = try Data(contentsOf: URL(filePath: folder + "/a.csv"))
    save("a.csv")
    await wait(for: "a.csv exists", in: app)
    app.receive(.key(.control("u")))
    app.receive(.paste("a.doc"))
    app.receive(.key(.enter))
    await wait(for: "the ending names no format", in: app)
    app.receive(.key(.escape))
    #expect(!app.frame.text.contains("Save as"))
    save("missing/a.csv")
    await wait(for: "missing/a.csv: ", in: app)
    #expect(try Data(contentsOf: URL(filePath: folder + "/a.csv")) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 5)
  }

  @Test func aRecordingIsEndedOnTheSecondKeyAlone() async throws {
    let tracking = walking(try Walks.live())
    let app = try app(at: "/tracking", tracking)
    press("q", in: app)
    #expect(!app.hasEnded)
    #expect(app.frame.text.contains("The recording is not saved: w saves it, q again ends it."))
    press("j", in: app)
    #expect(!app.frame.text.contains("is not saved"))
    // A walk that was stopped can go on.
    press("xs", in: app)
    press("q", in: app)
    #expect(!app.hasEnded)
    press("q", in: app)
    #expect(app.hasEnded)
  }

  @Test(arguments: [true, false])
  func aWalkThatTargetsTakeIsEndedOnTheSecondKeyAlone(feeds: Bool) async throws {
    let app = try app(at: "/about", walking(try Walks.state()), feeds: feeds)
    press("q", in: app)
    #expect(app.hasEnded == !feeds)
    press("q", in: app)
    #expect(app.hasEnded)
  }

  @Test func aLineBehindAColonLeadsToScreensAndSteersTheWalk() async throws {
    let tracking = walking(try Walks.state())
    let app = try app(at: "/about", tracking)
    func enter(_ text: String) {
      press(":", in: app)
      app.receive(.key(.control("u")))
      app.receive(.paste(text))
      app.receive(.key(.enter))
    }
    enter("cities potsdam")
    await wait(for: "Search: potsdam", in: app)
    enter("/lists")
    await wait(for: "No feed is open", in: app)
    enter("home")
    await wait(for: "No track yet", in: app)
    enter("speed 30")
    while tracking.state.speed.name != "30" { await Task.yield() }
    enter("0.5x")
    while tracking.state.speed.name != "0.5" { await Task.yield() }
    tracking.store.update { $0.apply(.stopped(nil)) }
    enter("filter 50m")
    while tracking.state.distanceFilter != 50 { await Task.yield() }
    enter("photos none")
    while tracking.state.photoSource != "none" { await Task.yield() }
    #expect(!tracking.state.searchesPhotos)
    for (text, answer) in [
      ("photos elsewhere", "photos takes commons, none"),
      ("filter fast", "filter takes a distance"),
      ("speed", "write speed 2x|max"), ("dance", "dance is no command"),
    ] {
      enter(text)
      #expect(app.frame.text.contains(answer), "\(app.frame.text)")
      app.receive(.key(.escape))
    }
    press(":out", in: app)
    app.receive(.key(.tab))
    #expect(app.frame.text.contains(":outage"))
  }

  @Test func theMapIsDraggedAndAClickCountsOnceItIsReleased() async throws {
    let app = try app(at: "/tracking", walking(try Walks.state()))
    let before = app.frame
    let place = CellPosition(column: 20, row: 12)
    let end = CellPosition(column: 26, row: 14)
    app.receive(.click(place))
    #expect(app.frame == before)
    app.receive(.drag(from: place, to: end))
    app.receive(.release(end))
    #expect(app.frame != before)
    press("0", in: app)
    #expect(app.frame == before)
  }

  @Test func tracksAreSortedAndRemoved() async throws {
    let tracks = ["b.gpx", "a.gpx"].map { Track(.bytes(Array(Walks.gpx.utf8), name: $0)) }
    let catalog = TrackCatalog(tracks)
    for id in [1, 2] { _ = await catalog.shape(of: id) }
    let app = try app(at: "/", catalog)
    func names() -> [Substring] {
      app.frame.text.split(separator: "\n").filter { $0.prefix(8).contains(".gpx ") }.map {
        $0.dropFirst(2).prefix(1)
      }
    }
    #expect(names() == ["b", "a"])
    press("S", in: app)
    #expect(names() == ["a", "b"])
    press("kD", in: app)
    while names() != ["b"] { await Task.yield() }
    press("D", in: app)
    await wait(for: "No track yet", in: app)
  }
}
