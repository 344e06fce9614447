import Cities
import Foundation
import Locations
import Testing
import WorldCities

@testable import FaketrackFeatures
@testable import FaketrackTerminal

/// Clicks and the wheel on a row, a pin, the profile and the map.
@Suite struct MouseTests {
  private let area = AppFrame.body(of: CellSize(columns: 120, rows: 40))
  private static let potsdam = 2_852_458

  /// The place of a text on the screen.
  private func place(of text: String, draw: (inout Frame) -> Void) throws -> CellPosition {
    var frame = Frame(size: CellSize(columns: 120, rows: 40))
    draw(&frame)
    for (row, line) in frame.text.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      if let range = line.range(of: text) {
        return CellPosition(column: String(line[..<range.lowerBound]).columns, row: row)
      }
    }
    throw NotShown(text: text)
  }

  private struct NotShown: Error {
    let text: String
  }

  // MARK: Cities

  private func cities(_ text: String) -> (view: CitiesView, state: CityListViewModel.State) {
    let query = CityListQuery(text: text)
    let page = CityIndex.world.search(CityQuery(prefix: text, order: .name, limit: 50))
    let list = CityList(
      rows: page.cities.map { CityRow($0, favorites: []) }, offset: 0, total: page.total,
      hasFavorites: false)
    return (
      CitiesView(query: query, index: .world),
      CityListViewModel.State(query: query, list: .loaded(list))
    )
  }

  @Test func aRowIsChosenByAClickAndOpenedByTheNext() throws {
    var (view, state) = cities("pots")
    _ = view.update(state, in: area)
    let row = try place(of: "Potsgrove") { view.draw(state, in: &$0, at: area) }
    #expect(view.react(to: .click(row), state, in: area)?.isEmpty == true)
    let reactions = view.react(to: .click(row), state, in: area)
    #expect(reactions?.count == 1)
    guard case .open(.city(let id)) = reactions?.first else {
      Issue.record("opens nothing")
      return
    }
    #expect(CityIndex.world[id: id]?.name == "Potsgrove")
  }

  @Test func aCityOnTheMapIsOpened() throws {
    var (view, state) = cities("potsdam, de")
    _ = view.update(state, in: area)
    let dot = try place(of: "• Berlin") { view.draw(state, in: &$0, at: area) }
    guard case .open(.city(let id)) = view.react(to: .click(dot), state, in: area)?.first else {
      Issue.record("opens nothing")
      return
    }
    #expect(CityIndex.world[id: id]?.name == "Berlin")
  }

  @Test func theWheelMovesThroughTheRows() throws {
    var (view, state) = cities("san ")
    _ = view.update(state, in: area)
    _ = view.react(to: .wheel(2, at: CellPosition(column: 3, row: 10)), state, in: area)
    guard case .open(.city(let id)) = view.react(to: .key(.enter), state, in: area)?.first else {
      Issue.record("opens nothing")
      return
    }
    #expect(id == state.list.value?.rows[6].city.id)
  }

  // MARK: The walk

  @Test func aClickOnTheProfileGoesThere() async throws {
    var view = TrackingView(index: .world)
    let state = try Walks.state()
    _ = view.update(state, in: area)
    let profile = view.layout(state, in: area).profile
    let middle = CellPosition(column: profile.column + profile.columns / 2, row: profile.row)
    guard case .send(.move(let meters)) = view.react(to: .click(middle), state, in: area)?.first
    else {
      Issue.record("goes nowhere")
      return
    }
    let length = try #require(state.shape?.length)
    #expect(abs(meters - length / 2) < length / Double(profile.columns))
  }

  @Test func retryDoesNotAnswerARequestForThePermission() throws {
    var view = TrackingView(index: .world)
    let asking = try Walks.state(authorization: .notDetermined)
    #expect(view.react(to: .key(.character("r")), asking, in: area) == nil)
    let failed = try Walks.state(.failed(Failure(message: "broken"), nil))
    guard case .send(.start) = view.react(to: .key(.character("r")), failed, in: area)?.first else {
      Issue.record("starts nothing")
      return
    }
  }

  @Test func aClickOnAPinChoosesItsPhoto() async throws {
    var view = TrackingView(index: .world)
    let state = try Walks.state()
    _ = view.update(state, in: area)
    let areas = view.layout(state, in: area)
    let pins = view.pins(state, on: view.map(state, in: areas.map), in: areas.map)
    let last = try #require(pins.last)
    #expect(view.react(to: .click(last.cell), state, in: area)?.isEmpty == true)
    #expect(view.chosenCard(state)?.number == last.number)
    #expect(view.pane.chosen != 0)
  }

  @Test func theChosenPhotoStaysWhileOthersComeIn() async throws {
    var view = TrackingView(index: .world)
    var state = try Walks.state(meters: 500)
    _ = view.update(state, in: area)
    _ = view.react(to: .key(.down), state, in: area)
    let chosen = view.chosenCard(state)
    state = try Walks.state(meters: 900)
    _ = view.update(state, in: area)
    #expect(view.chosenCard(state)?.number == chosen?.number)
    #expect(view.pane.chosen == 5)
  }

  @Test func theWheelZoomsTheMapUnderIt() async throws {
    var view = TrackingView(index: .world)
    let state = try Walks.state()
    _ = view.update(state, in: area)
    let map = view.layout(state, in: area).map
    let before = view.camera(state, in: map)
    let place = CellPosition(column: map.column + 5, row: map.row + 5)
    _ = view.react(to: .wheel(-1, at: place), state, in: area)
    let after = view.camera(state, in: map)
    #expect(after.dotSize < before.dotSize)
    let dot = DotCanvas.Dot(x: 11, y: 22)
    #expect(
      abs(after.point(at: dot, in: map.size).x - before.point(at: dot, in: map.size).x) < 1e-12)
  }

  @Test func theMapFollowsTheWalkerWithoutMovingAtEachStep() async throws {
    var view = TrackingView(index: .world)
    let states = try stride(from: 0.0, through: 1_500, by: 100).map { try Walks.state(meters: $0) }
    _ = view.update(states[0], in: area)
    for key in "c-" { _ = view.react(to: .key(.character(key)), states[0], in: area) }
    let map = view.layout(states[0], in: area).map
    var cameras: Set<MapCamera> = []
    for state in states {
      let drawing = view.map(state, in: map)
      cameras.insert(drawing.camera)
      let position = try #require(state.fix).coordinate
      let walker = try #require(drawing.cell(of: .init(position), in: map))
      #expect((map.columns / 4...map.columns * 3 / 4).contains(walker.column - map.column))
      #expect((map.rows / 4...map.rows * 3 / 4).contains(walker.row - map.row))
    }
    #expect(cameras.count > 1 && cameras.count < states.count)
  }
}
