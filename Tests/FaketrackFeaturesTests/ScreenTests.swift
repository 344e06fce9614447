import Cities
import FaketrackServices
import FaketrackTestSupport
import Locations
import Testing
import WorldCities

@testable import FaketrackFeatures

/// Every screen, opened by its route and driven by a list of actions.
@MainActor @Suite struct ScreenTests {
  /// A user action on any screen.
  enum Step: Sendable {
    case home(HomeViewModel.Action)
    case tracking(TrackingViewModel.Action)
    /// Waits for the first photo of the walk.
    case untilThePhoto
    /// Waits until the walk has ended.
    case untilTheEnd
    case cities(CityListViewModel.Action)
    case city(CityViewModel.Action)
    case lists(ListsViewModel.Action)
  }

  /// A screen, the actions on it, and its contents initially and after each action.
  struct Story: Sendable, CustomTestStringConvertible {
    var route: Route
    var steps: [Step]
    var shown: [String]
    /// Whether the store and all services are broken.
    var isBroken = false

    var testDescription: String { route.address + (isBroken ? " broken" : "") }
  }

  private static let down = ServiceError(
    service: "feed.example", reason: .status(503), message: "", attempts: 4)

  private static func dependencies(isBroken: Bool = false) throws -> Dependencies {
    let article = CitySummary(title: "Potsdam", extract: "A city.")
    return Dependencies(
      index: try TestIndex.make(), favorites: StubFavorites([11], isBroken: isBroken),
      summaries: isBroken ? StubSummaries(.failure(down)) : StubSummaries(.success(article)),
      feed: isBroken
        ? StubFeed(.failure(down))
        : StubFeed(
          .success(
            #"[{"id":28,"listId":1,"name":"Item 28"},{"id":276,"listId":1,"name":"Item 276"}]"#)),
      photos: PhotoSourceSummary(title: "Flickr", hasFlickrKey: true),
      tracking: WalkFactory(fails: isBroken).model(speed: .max))
  }

  nonisolated static let stories: [Story] = [
    Story(
      route: .home, steps: [.home(.load)],
      shown: ["70 cities, favorites …, 1 track", "70 cities, favorites 1, 1 track"]),
    Story(
      route: .home, steps: [.home(.load)],
      shown: [
        "70 cities, favorites …, 1 track",
        "70 cities, favorites the favorites in /store cannot be used: disk full, 1 track",
      ], isBroken: true),
    Story(
      route: .tracking,
      steps: [
        .tracking(.pause), .tracking(.start(track: nil)), .untilTheEnd, .tracking(.move(to: 1_700)),
        .tracking(.resume), .untilTheEnd, .tracking(.setSpeed(.realTime)),
        .tracking(.start(track: 1)), .untilThePhoto, .tracking(.pause), .tracking(.resume),
        .tracking(.answer(.denied)), .tracking(.stop), .tracking(.answer(.authorizedAlways)),
        .tracking(.start(track: 7)),
      ],
      shown: [
        "walk 0 idle", "walk 0 idle", "walk 1 running", "walk 1 finished, 21 photos, 1 leg",
        "walk 1 finished, 21 photos, 1 leg", "walk 1 running",
        "walk 1 finished, 25 photos, 2 legs",
        "walk 1 finished, 25 photos, 2 legs", "walk 2 running", "walk 2 running",
        "walk 2 paused", "walk 2 running",
        "walk 2 blocked, 1 photo, 1 leg", "walk 2 stopped, 1 photo, 1 leg",
        "walk 2 stopped, 1 photo, 1 leg", "walk 2 stopped, 1 photo, 1 leg",
      ]),
    Story(
      route: .tracking, steps: [.tracking(.start(track: nil)), .tracking(.stop)],
      shown: ["walk 0 idle", "walk 1 failed: CannotWalk()", "walk 1 failed: CannotWalk()"],
      isBroken: true),
    Story(
      route: .cities(CityListQuery(text: "villa")),
      steps: [
        .cities(.load(offset: 0, limit: 2)), .cities(.load(offset: 58, limit: 5)),
      ],
      shown: ["…", "0+ Villa 100, Villa 101 of 60", "58+ Villa 158, Villa 159 of 60"]),
    Story(
      route: .cities(CityListQuery(text: "b", country: "DE", order: .population)),
      steps: [.cities(.load(offset: 0, limit: 9))], shown: ["…", "0+ ★Berlin of 1"]),
    Story(
      route: .cities(CityListQuery(text: "be")), steps: [.cities(.load(offset: 0, limit: 9))],
      shown: ["…", "0+ Berlin of 1 (the favorites in /store cannot be used: disk full)"],
      isBroken: true),
    Story(
      route: .cities(CityListQuery(favoritesOnly: true)),
      steps: [.cities(.load(offset: 0, limit: 9))],
      shown: ["…", "the favorites in /store cannot be used: disk full"], isBroken: true),
    Story(
      route: .city(id: 10), steps: [.city(.load), .city(.setFavorite(true)), .city(.load)],
      shown: [
        "… / …", "Potsdam near Berlin / A city.", "★Potsdam near Berlin / A city.",
        "★Potsdam near Berlin / A city.",
      ]),
    Story(
      route: .city(id: 10), steps: [.city(.load)],
      shown: ["… / …", "the favorites in /store cannot be used: disk full / …"], isBroken: true),
    Story(
      route: .city(id: 7), steps: [.city(.load), .city(.setFavorite(true))],
      shown: ["… / …", "the index has no city 7 / …", "the index has no city 7 / …"]),
    Story(
      route: .lists, steps: [.lists(.load), .lists(.setOrder(.natural)), .lists(.load)],
      shown: ["text …", "text 276, 28", "natural 28, 276", "natural 28, 276"]),
    Story(
      route: .lists, steps: [.lists(.load), .lists(.setOrder(.natural))],
      shown: [
        "text …", "text feed.example answered HTTP 503 (4 attempts)",
        "natural feed.example answered HTTP 503 (4 attempts)",
      ], isBroken: true),
    Story(
      route: .about, steps: [],
      shown: ["about 70 cities, built in, as of \(CityAttribution.date)."]),
  ]

  @Test(arguments: ScreenTests.stories)
  func aScreenFollowsItsActions(story: Story) async throws {
    let screen = Screen(story.route, try Self.dependencies(isBroken: story.isBroken))
    var shown = [Self.words(screen)]
    for step in story.steps {
      await Self.send(step, to: screen)
      shown.append(Self.words(screen))
    }
    #expect(shown == story.shown)
  }

  /// From home to a city through the list, and back, without a front end.
  @Test func theRouterLeadsThroughTheScreens() async throws {
    let dependencies = try Self.dependencies()
    var router = Router()
    let list = Route.cities(CityListQuery(text: "pot"))
    router.open(list)
    let cities = Screen(router.current, dependencies)
    await Self.send(.cities(.load(offset: 0, limit: 10)), to: cities)
    guard case .cities(let model) = cities, let row = model.state.list.value?.rows.first else {
      Issue.record("not the list of cities")
      return
    }
    router.open(.city(id: row.city.id))
    let city = Screen(router.current, dependencies)
    await Self.send(.city(.setFavorite(true)), to: city)
    #expect(Self.words(city) == "★Potsdam near Berlin / …")
    router.back()
    #expect(router.current == list)
    let again = Screen(router.current, dependencies)
    await Self.send(.cities(.load(offset: 0, limit: 10)), to: again)
    #expect(Self.words(again) == "0+ ★Potsdam of 1")
    router.back()
    #expect(router.current == .home)
  }

  @Test func thereIsOneWalkForAllFrontEnds() async throws {
    let dependencies = try Self.dependencies()
    guard case .tracking(let one) = Screen(.tracking, dependencies),
      case .tracking(let other) = Screen(.tracking, dependencies)
    else {
      Issue.record("not the tracking screen")
      return
    }
    #expect(one === other)
    await one.send(.start(track: nil))
    try await other.waitForEnd()
    #expect(other.state.phase == .finished)
  }

  @Test func withoutAFeedTheListsStayEmpty() async throws {
    var dependencies = try Self.dependencies()
    dependencies.feed = nil
    let screen = Screen(.lists, dependencies)
    await Self.send(.lists(.load), to: screen)
    #expect(Self.words(screen) == "text …")
  }

  private static func send(_ step: Step, to screen: Screen) async {
    switch (step, screen) {
    case (.home(let action), .home(let model)): await model.send(action)
    case (.tracking(let action), .tracking(let model)): await model.send(action)
    case (.untilThePhoto, .tracking(let model)):
      await model.store.first { $0.photos.count > 0 }
    case (.untilTheEnd, .tracking(let model)): try? await model.waitForEnd()
    case (.cities(let action), .cities(let model)): await model.send(action)
    case (.city(let action), .city(let model)): await model.send(action)
    case (.lists(let action), .lists(let model)): await model.send(action)
    default: Issue.record("\(step) is for another screen")
    }
  }

  // MARK: - A plain-text view

  private static func words(_ screen: Screen) -> String {
    switch screen {
    case .home(let model): words(model.state)
    case .tracking(let model): words(model.state)
    case .cities(let model): words(model.state)
    case .city(let model): words(model.state)
    case .lists(let model):
      "\(model.state.order) "
        + words(model.state.feed) { feed in
          feed.groups.flatMap(\.items).map { "\($0.id)" }.joined(separator: ", ")
        }
    case .about(let about): "about \(about.sections[0].paragraphs[0].map(\.text).joined())"
    }
  }

  private static func words<Value>(
    _ loading: Loading<Value>, _ words: (Value) -> String
  ) -> String {
    switch loading {
    case .idle, .loading: "…"
    case .loaded(let value): words(value)
    case .failed(let failure, _): failure.message
    }
  }

  private static func words(_ state: HomeViewModel.State) -> String {
    "\(state.cities) cities, favorites \(words(state.favorites) { "\($0)" }), "
      + Quantity.count(state.tracks.count, "track")
  }

  private static func words(_ state: TrackingState) -> String {
    let walk = "walk \(state.walk) "
    let photos =
      ", \(Quantity.count(state.photos.count, "photo")), \(Quantity.count(state.legs.count, "leg"))"
    return switch state.phase {
    case .idle: walk + "idle"
    case .running: walk + "running"
    case .paused: walk + "paused"
    case .blocked: walk + "blocked" + photos
    case .finished: walk + "finished" + photos
    case .stopped: walk + "stopped" + photos
    case .failed(let failure): walk + "failed: \(failure.message)"
    }
  }

  private static func words(_ state: CityListViewModel.State) -> String {
    words(state.list) { list in
      let names = list.rows.map { ($0.isFavorite ? "★" : "") + $0.city.name }
      let failure = list.favoritesFailure.map { " (\($0.message))" } ?? ""
      return "\(list.offset)+ \(names.joined(separator: ", ")) of \(list.total)\(failure)"
    }
  }

  private static func words(_ state: CityViewModel.State) -> String {
    let details = words(state.details) { details in
      let star = details.isFavorite ? "★" : ""
      return "\(star)\(details.city.name) near \(details.neighbors.first?.city.name ?? "nothing")"
    }
    return details + " / " + words(state.summary) { $0?.extract ?? "no article" }
  }
}
