import Cities
import FaketrackTestSupport
import Geodesy
import Locations
import Testing

@testable import FaketrackFeatures

@Suite struct WalkPresentationTests {
  private static func presentation(
    _ change: (inout TrackingState) -> Void
  ) -> WalkPresentation {
    var state = TrackingState(track: 1)
    change(&state)
    return WalkPresentation(state)
  }

  @Test(
    arguments: [
      (.idle, ["Start"], "Start"), (.running, ["Pause", "Stop"], "Pause"),
      (.paused, ["Resume", "Stop"], "Resume"), (.blocked, ["Stop"], nil),
      (.stopped, ["Continue", "Start again"], "Continue"), (.finished, ["Start again"], nil),
      (.failed(Failure(message: "no")), ["Start again"], nil),
    ] as [(TrackingState.Phase, [String], String?)])
  func eachPhaseHasItsControls(
    phase: TrackingState.Phase, titles: [String], playPause: String?
  ) {
    let walk = Self.presentation { $0.phase = phase }
    #expect(walk.controls.map(\.title) == titles)
    #expect(walk.playPause?.title == playPause)
    #expect(WalkPresentation.Control.Kind.allCases == [.pause, .resume, .start, .stop])
  }

  @Test func aPositionChosenBeforeTheWalkIsWhereItCanStart() {
    let walk = Self.presentation { $0.apply(.placed(at: 700, nil)) }
    #expect(walk.controls.map(\.title) == ["Start here", "From the start"])
    #expect(walk.controls.map(\.action) == [.resume, .start(track: nil)])
  }

  @Test func remediesSendActions() {
    let remedies: [WalkNotice.Remedy] = [.allow, .deny, .startAgain, .goBack(toMeters: 5)]
    #expect(
      remedies.map(\.actions) == [
        [.answer(.authorizedWhenInUse)], [.answer(.denied)], [.start(track: nil)],
        [.move(to: 5), .resume],
      ])
  }

  @Test func aWalkThatEndedHasAResult() throws {
    #expect(WalkArrival(TrackingState()) == nil)
    var state = TrackingState(track: 1, memory: 100)
    state.apply(.started(at: 0))
    for number in 0..<4 {
      let city = City(
        id: number / 2, name: "City \(number / 2)", coordinate: Coordinate(unchecked: 52, 13))
      var visit = TestTrack.visit(number)
      visit.city = NearbyCity(city: city, distance: 10)
      state.apply(.updated([.location(visit.fix)]))
      state.apply(.visited([visit]))
    }
    #expect(WalkArrival(state) == nil)
    state.apply(.finished(nil))
    let arrival = try #require(WalkArrival(state))
    #expect(arrival.title == "Arrived")
    #expect(arrival.figures.map(\.title) == ["Distance", "Photos"])
    #expect(arrival.figures.map(\.text) == ["300 m", "4"])
    #expect(arrival.cities == "City 0, City 1")
    #expect(state.filesNote == nil)
  }

  @MainActor
  @Test func afterTheArrivalFiguresFollowAJumpBack() async throws {
    let model = TrackingViewModel(
      catalog: TrackCatalog([TestTrack.file(TestTrack.gpx(kilometers: 1))]), speed: .realTime,
      permission: .notDetermined, makeWalk: WalkFactory().make)
    let end = try #require(await model.catalog.shape(of: 1)?.end)
    model.store.update { state in
      state.apply(.started(at: 0))
      state.apply(.updated([.location(Fix(end.coordinate, distance: end.distance))]))
      state.apply(.finished(nil))
    }
    #expect(WalkFigure.position.text(model.state) == "1.0 km of 1.0 km")
    await model.send(.move(to: 531))
    #expect(model.state.phase == .finished)
    #expect(WalkFigure.position.text(model.state) == "531 m of 1.0 km")
    #expect(WalkFigure.distance.text(model.state) == "1.0 km", "walked")
    #expect(model.state.progress().contains("walked 1.0 km"))
    let position = try #require(model.state.position)
    #expect(position == model.state.shape?.place(atDistance: 531)?.coordinate)
  }

  @Test func thePhotoOfAPositionIsTheNearestOneIfItIsNear() throws {
    var state = TrackingState(track: 1, memory: 100)
    state.apply(.started(at: 0))
    for number in 0..<50 { state.apply(.visited([TestTrack.visit(number)])) }
    for (meters, number) in [(0.0, 1), (2_040, 21), (2_060, 22), (5_399, 50), (5_600, nil)]
      as [(Double, Int?)]
    {
      state.apply(.placed(at: meters, nil))
      #expect(state.currentCard?.number == number, "\(meters) m")
    }
  }

  @Test func whatIsNotKnownIsNotShown() throws {
    func figures(_ points: String) throws -> [WalkFigure] {
      var state = TrackingState(track: 1)
      let gpx = "<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>"
      let shape = try TrackShape(reading: Track(.bytes(Array(gpx.utf8), name: "a.gpx")))
      state.entry = TrackCatalog.Entry(id: 1, name: "a.gpx", shape: .loaded(shape))
      let place = shape.place(atDistance: 500)
      let city = City(id: 1, name: "Far", coordinate: Coordinate(unchecked: 52, 14))
      state.apply(.started(at: 500, place, city: NearbyCity(city: city, distance: 20_001)))
      return WalkFigure.allCases.filter { $0.text(state) != nil }
    }
    let bare = try figures("<trkpt lat=\"52\" lon=\"13\"/><trkpt lat=\"52.01\" lon=\"13\"/>")
    #expect(bare == [.position, .distance, .elapsed, .moving, .pace, .photos])
    let full = try figures(
      "<trkpt lat=\"52\" lon=\"13\"><ele>30</ele></trkpt>"
        + "<trkpt lat=\"52.01\" lon=\"13\"><ele>40</ele></trkpt>")
    #expect(Set(full).subtracting(bare) == [.elevation, .ascent, .highest, .lowest])
  }

  @Test func eachWalkedKilometerIsASplit() throws {
    var state = TrackingState(track: 1)
    let shape = try TrackShape(
      reading: Track(.bytes(Array(TestTrack.gpx(kilometers: 5).utf8), name: "a.gpx")))
    state.entry = TrackCatalog.Entry(id: 1, name: "a.gpx", shape: .loaded(shape))
    #expect(WalkSplit.all(state).isEmpty)
    state.legs = [900...3_100, 3_900...4_600]
    let splits = WalkSplit.all(state)
    #expect(splits.map(\.title) == ["2.0 km", "3.0 km"])
    #expect(splits.allSatisfy { $0.pace.hasSuffix(" /km") })
  }

  @MainActor
  @Test func theStateTellsWhichCommandsItShows() async {
    // Holds the jump, which waits for the walk before it.
    let latch = Latch()
    let model = WalkFactory().model(speed: .realTime) { visits in
      await latch.hold()
      return visits.count
    }
    await model.send(.start(track: nil))
    await latch.waitFor(1)
    #expect(model.state.command == 1)
    async let jump: Void = model.send(.move(to: 700))
    await model.store.first { $0.destination == 700 }
    #expect(model.state.command == 1, "the jump is under way")
    await latch.open()
    await jump
    #expect(model.state.command == 2)
    #expect(model.state.destination == nil)
    #expect(model.state.legs.last?.lowerBound == 700)
    await model.send(.stop)
  }

  @MainActor
  @Test func theStateHoldsTheTrackOnceItHasBeenRead() async throws {
    let model = TrackingViewModel(
      catalog: TrackCatalog([TestTrack.file(TestTrack.gpx(kilometers: 1))]), speed: .realTime,
      permission: .notDetermined, makeWalk: WalkFactory().make)
    _ = await model.catalog.shape(of: 1)
    #expect(try #require(model.state.shape).length > 900)
  }
}
