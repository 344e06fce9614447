import FaketrackTestSupport
import Locations
import Testing

@testable import FaketrackFeatures

/// Every action of every view model, repeated while the main actor changes threads: in optimized
/// code, a lock that remembers a thread across an `await` traps.
@MainActor @Suite struct ViewModelStressTests {
  #if DEBUG
    private static let rounds = 10
  #else
    private static let rounds = 10_000
  #endif

  /// Sends each action this many times in turn, with tasks that keep the other threads busy.
  private func stress<Model: ViewModel>(_ model: Model, _ actions: [Model.Action]) async {
    let busy = Task.detached {
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            while !Task.isCancelled { await MainActor.run {} }
          }
        }
      }
    }
    for _ in 0..<Self.rounds {
      for action in actions { await model.send(action) }
    }
    busy.cancel()
    await busy.value
  }

  private func dependencies(_ tracking: TrackingViewModel) throws -> Dependencies {
    Dependencies(
      index: try TestIndex.make(), favorites: StubFavorites(),
      summaries: StubSummaries(.success(nil)), feed: StubFeed(.success("[]")), tracking: tracking)
  }

  @Test func lists() async {
    let model = ListsViewModel(loader: StubFeed(.success("[]")))
    await stress(model, [.load, .refresh, .setOrder(.natural), .setOrder(.text)])
    #expect(model.state.feed.value?.count == 0)
  }

  @Test func cities() async throws {
    let model = CityListViewModel(
      query: CityListQuery(text: "pot"), index: try TestIndex.make(), favorites: StubFavorites())
    await stress(
      model,
      [
        .load(offset: 0, limit: 5), .setFavorite(true, id: TestIndex.potsdam),
        .setFavorite(false, id: TestIndex.potsdam),
      ])
    #expect(model.state.list.value?.rows.count == 1)
  }

  @Test func city() async throws {
    let model = CityViewModel(
      id: TestIndex.potsdam, index: try TestIndex.make(), favorites: StubFavorites(),
      summaries: StubSummaries(.success(nil)))
    await stress(model, [.load, .loadDetails, .setFavorite(true), .setFavorite(false)])
    #expect(model.state.details.value?.isFavorite == false)
  }

  @Test func home() async throws {
    let tracking = WalkFactory().model()
    let model = HomeViewModel(try dependencies(tracking))
    await stress(model, [.load])
    await stress(model, [.open(TestTrack.file(TestTrack.gpx(kilometers: 0.1)))])
    #expect(model.state.tracks.count > 1)
  }

  @Test func tracking() async {
    let model = WalkFactory(search: nil).model([
      TestTrack.file(TestTrack.gpx(kilometers: 0.1)),
      TestTrack.file(TestTrack.gpx(kilometers: 0.2)),
    ])
    await stress(
      model,
      [
        .choose(track: 0), .start(track: nil), .setSpeed(.realTime), .pause, .resume, .move(to: 50),
        .setMinPopulation(1_000), .answer(.denied), .answer(.authorizedWhenInUse), .start(track: 1),
        .stop, .setSpeed(.max), .resume, .stop,
      ])
    #expect(!model.state.isUnderWay)
  }
}
