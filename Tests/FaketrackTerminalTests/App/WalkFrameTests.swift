import Cities
import Foundation
import GPX
import Geodesy
import Locations
import PhotoSearch
import Testing
import WorldCities

@testable import FaketrackFeatures
@testable import FaketrackTerminal

/// Frames of the walk and of Home.
@Suite struct WalkFrameTests {
  private let index = CityIndex.world

  @Test func theWalk() async throws {
    let view = TrackingView(index: index)
    let failure = Failure(message: "the track is no longer there", hint: "Choose another track.")
    try Snapshot.check("walk-running", view, try Walks.state(), inExtremes: true)
    try Snapshot.check("walk-arrived", view, try Walks.state(.finished(nil), meters: 2_000))
    try Snapshot.check("walk-failed", view, try Walks.state(.failed(failure, nil)))
    try Snapshot.check("walk-no-signal", view, try Walks.state(.updated([.unavailable])))
    try Snapshot.check("walk-asking", view, try Walks.state(authorization: .notDetermined))
    try Snapshot.check("walk-denied", view, try Walks.state(authorization: .denied))
    try Snapshot.check(
      "walk-no-photos", view, try Walks.state(error: "Flickr cannot be reached: no answer in time"))
    try Snapshot.check(
      "walk-live-waiting", view, try Walks.live(.updated([.unavailable]), meters: nil))
    var unreadable = TrackingState(track: 2)
    unreadable.entry = await Walks.entries().last
    try Snapshot.check("walk-unreadable", view, unreadable)
    try Snapshot.check(
      "walk-map-moved", view, try Walks.state(),
      inputs: [.key(.tab), .key(.character("+")), .key(.left), .key(.down)])
    try Snapshot.check("walk-map", view, try Walks.state(), inputs: [.key(.character("m"))])
    try Snapshot.check(
      "walk-figures", view, try Walks.state(meters: 2_400), inputs: [.key(.character("i"))])
    try Snapshot.check(
      "walk-photo-chosen", view, try Walks.state(), inputs: [.key(.down), .key(.character("j"))])
  }

  @Test func theFiguresHaveACityOnceItsSearchIsDone() throws {
    let walk = try Walks.state()
    var state = TrackingState(track: 1, speed: .realTime, memory: 100)
    state.entry = walk.entry
    let size = CellSize(columns: 120, rows: 36)
    var view = TrackingView(index: .world)
    _ = view.react(to: .key(.character("i")), state, in: AppFrame.body(of: size))
    /// The number of lines below the title of the cities passed.
    func cities() -> Int? {
      _ = view.update(state, in: AppFrame.body(of: size))
      var frame = Frame(size: size)
      view.draw(state, in: &frame, at: AppFrame.body(of: size))
      return frame.text.components(separatedBy: "Cities passed").dropFirst().first?
        .split(separator: "\n").dropFirst().count { $0.contains("Potsdam") }
    }
    #expect(cities() == nil)
    // The location is there before its photo.
    let visit = try #require(walk.photos.cards.first?.visit)
    state.apply(.updated([.location(visit.fix)], city: visit.city))
    #expect(cities() == nil)
    state.apply(.visited([visit]))
    #expect(cities() == 1)
  }

  @Test func theMapStaysWhereItFollowedTheWalker() throws {
    let area = AppFrame.body(of: CellSize(columns: 120, rows: 36))
    var view = TrackingView(index: .world)
    func press(_ key: Character, _ state: TrackingState) -> MapCamera {
      _ = view.update(state, in: area)
      _ = view.react(to: .key(.character(key)), state, in: area)
      return view.camera(state, in: view.layout(state, in: area).map)
    }
    let (start, later) = (try Walks.state(meters: 100), try Walks.state(meters: 2_400))
    let first = press("c", start)
    let followed = view.camera(later, in: view.layout(later, in: area).map)
    #expect(followed != first)
    #expect(press("c", later) == followed)
    #expect(press("y", start) == followed)
  }

  @Test func aUsualTerminalHasRoomForTheMap() throws {
    let state = try Walks.state()
    let area = AppFrame.body(of: CellSize(columns: 80, rows: 24))
    #expect(TrackingView(index: index).layout(state, in: area).map.rows >= 14)
  }

  @Test func aPathStaysInItsFieldUntilItsFileHasBeenRead() async throws {
    var state = HomeViewModel.State(
      photos: PhotoSourceSummary(), cities: 0, hasImportedIndex: false,
      tracks: await Walks.entries(), permission: .authorizedAlways)
    var view = HomeView(files: PathCompletion(in: "/nowhere", home: "/nobody"), index: .world)
    let area = CellArea(column: 0, row: 0, size: CellSize(columns: 100, rows: 30))
    func text() -> String {
      var frame = Frame(size: area.size)
      view.draw(state, in: &frame, at: area)
      return frame.text
    }
    for input in [TerminalInput.key(.character("n")), .paste("a.gpx"), .key(.enter)] {
      _ = view.react(to: input, state, in: area)
    }
    state.opened = .failed(Failure(message: "there is no a.gpx"))
    _ = view.update(state, in: area)
    #expect(view.isTyping && text().contains("File: a.gpx") && text().contains("there is no a.gpx"))
    state.opened = .loaded(2)
    _ = view.update(state, in: area)
    #expect(!view.isTyping && !text().contains("File:"))
  }

  @Test func waypointsHaveTheirNames() async throws {
    let gpx = Walks.gpx.replacing(
      "<trk>", with: "<wpt lat=\"52.4\" lon=\"13.065\"><name>Old\u{9B} mill</name></wpt><trk>")
    let catalog = TrackCatalog([
      Track(.bytes(Array(gpx.utf8), name: "hill.gpx"))
    ])
    _ = await catalog.shape(of: 1)
    var view = TrackingView(index: index)
    var frame = Frame(size: CellSize(columns: 120, rows: 40))
    var state = TrackingState(track: 1)
    state.entry = catalog.entries.first
    _ = view.update(state, in: frame.area)
    view.draw(state, in: &frame, at: frame.area)
    #expect(frame.text.contains("◇") && frame.text.contains("mill"), "\(frame.text)")
    #expect(!frame.text.contains("\u{9B}"))
  }

  @Test func noWalk() throws {
    let view = TrackingView(index: index)
    try Snapshot.check("walk-none", view, TrackingState())
  }

  @Test(arguments: [(nil, true), (1, true), (2, false)] as [(Int?, Bool)])
  func anotherTrackIsNotShownDuringAWalk(walked: Int?, isShown: Bool) async throws {
    let state = HomeViewModel.State(
      photos: PhotoSourceSummary(), cities: 0, hasImportedIndex: false,
      tracks: await Walks.entries(), walkedTrack: walked, permission: .authorizedAlways)
    var view = HomeView(files: PathCompletion(in: "/nowhere", home: "/nobody"), index: .world)
    let area = CellArea(column: 0, row: 0, size: CellSize(columns: 100, rows: 30))
    _ = view.update(state, in: area)
    #expect(view.keys(state, in: area).contains { $0.key == "Enter" } == isShown)
    let reactions = view.react(to: .key(.enter), state, in: area)
    for reaction in try #require(reactions) {
      switch reaction {
      case .say(let text): #expect(!isShown && text.contains("press s"))
      case .open(let route): #expect(isShown && route == .tracking)
      default: #expect(isShown)
      }
    }
  }

  @Test func home() async throws {
    let files = PathCompletion(in: "/nowhere", home: "/nobody")
    var state = HomeViewModel.State(
      photos: PhotoSourceSummary(title: "Wikimedia Commons"), cities: index.count,
      hasImportedIndex: false, favorites: .loaded(3), tracks: await Walks.entries(),
      walkedTrack: 1, permission: .notDetermined)
    let view = HomeView(files: files, index: .world)
    try Snapshot.check("home", view, state)
    try Snapshot.check(
      "home-opening", view, state, inputs: [.key(.character("n")), .paste("walks/ber")])
    try Snapshot.check(
      "home-filtered", view, state, inputs: [.key(.character("/")), .paste("hill")])
    state.opened = .failed(Failure(message: "/walks/a.gpx is a folder", hint: "Give a file."))
    state.favorites = .failed(Failure(message: "the disk is full"))
    try Snapshot.check(
      "home-failed", view, state, inputs: [.key(.character("n")), .paste("a.gpx"), .key(.enter)])
    state.tracks = []
    state.opened = .idle
    try Snapshot.check("home-empty", view, state)
  }
}
