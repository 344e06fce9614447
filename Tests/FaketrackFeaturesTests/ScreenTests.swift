import Cities
import FaketrackFeatures
import Testing

@MainActor @Suite struct ScreenTests {
  private func dependencies() throws -> Dependencies {
    Dependencies(
      index: try TestIndex.make(), favorites: StubFavorites(),
      summaries: StubSummaries(.success(nil)), feed: StubFeed(.success("[]")), hasFlickrKey: true)
  }

  /// From home to a city by way of the list, and back, without a front end.
  @Test func walksThroughTheScreens() async throws {
    let dependencies = try dependencies()
    var router = Router()
    let destinations = Destinations()
    router.push(.cities(CityListQuery(text: "pot")))
    guard
      case .cities(let list) = Screen(router.current, dependencies, navigate: destinations.navigate)
    else {
      Issue.record("not the list of cities")
      return
    }
    await list.send(.load)
    let found = try #require(list.state.list.value?.rows.first?.city.id)
    await list.send(.open(found))
    for route in destinations.routes { router.push(route) }
    guard
      case .city(let city) = Screen(router.current, dependencies, navigate: destinations.navigate)
    else {
      Issue.record("not a city")
      return
    }
    await city.send(.load)
    #expect(city.state.details.value?.city.name == "Potsdam")
    router.pop()
    router.pop()
    guard case .home(let home) = Screen(router.current, dependencies) else {
      Issue.record("not home")
      return
    }
    await home.load()
    #expect(home.state.hasFlickrKey)
  }

  @Test func listsHaveTheFeed() async throws {
    guard case .lists(let lists) = Screen(.lists, try dependencies()) else {
      Issue.record("not the lists")
      return
    }
    await lists.send(.load)
    #expect(lists.state.feed == .loaded(ListFeed(groups: [], blanks: 0)))
  }

  @Test func withoutATrackThereIsNoWalk() throws {
    guard case .tracking(nil) = Screen(.tracking, try dependencies()) else {
      Issue.record("a walk without a track")
      return
    }
    guard case .about = Screen(.about, try dependencies()) else {
      Issue.record("not about")
      return
    }
  }
}
