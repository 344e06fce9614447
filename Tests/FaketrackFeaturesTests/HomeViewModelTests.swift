import Cities
import FaketrackTestSupport
import Foundation
import GPX
import Locations
import Testing

@testable import FaketrackFeatures

@MainActor @Suite struct HomeViewModelTests {
  private static func model(
    favorites: StubFavorites = StubFavorites(), photos: PhotoSourceSummary = PhotoSourceSummary(),
    hasImportedIndex: Bool = false, tracking: TrackingViewModel? = nil
  ) throws -> HomeViewModel {
    HomeViewModel(
      Dependencies(
        index: try TestIndex.make(), hasImportedIndex: hasImportedIndex, favorites: favorites,
        summaries: StubSummaries(.success(nil)), photos: photos,
        tracking: tracking ?? WalkFactory().model([])))
  }

  /// Two tracks, with the permission to walk.
  private static var walkOfTwoTracks: TrackingViewModel {
    let file = TestTrack.file(TestTrack.gpx(kilometers: 1))
    return WalkFactory(authorization: [.change(to: .authorizedAlways, at: .start)])
      .model([file, file], speed: .realTime)
  }

  @Test(arguments: [true, false], [true, false])
  func tellsWhatThereIs(hasKey: Bool, isImported: Bool) async throws {
    let photos = PhotoSourceSummary(title: "Flickr", isSample: false, hasFlickrKey: hasKey)
    let model = try Self.model(
      favorites: StubFavorites([1, 2, 3]), photos: photos, hasImportedIndex: isImported)
    #expect(model.state.favorites == .idle)
    await model.send(.load)
    #expect(model.state.photos == photos)
    #expect(model.state.hasImportedIndex == isImported)
    #expect(model.state.cities == 70)
    #expect(model.state.favorites == .loaded(3))
    #expect(model.state.tracks.isEmpty)
    #expect(model.state.walkedTrack == nil)
  }

  @Test func brokenFavoritesAreToldAndRetried() async throws {
    let favorites = StubFavorites(isBroken: true)
    let model = try Self.model(favorites: favorites)
    await model.send(.load)
    #expect(model.state.favorites == .failed(StoreIsBroken().failure))
    favorites.isBroken = false
    await model.send(.load)
    #expect(model.state.favorites == .loaded(0))
  }

  @Test func makesATrackFromWordsAndChoosesIt() async throws {
    let model = try Self.model()
    await model.send(.make(try #require(MadeTrack("52.4,13.06 to 52.41,13.06 by bike"))))
    let track = try #require(model.state.opened.value)
    await model.send(.load)
    let entry = try #require(model.state.tracks.first { $0.id == track })
    #expect(entry.name == "Around Berlin, DE")
    #expect(try abs(#require(entry.shape.value?.length) - 1_130) < 40)
    await model.send(.make(try #require(MadeTrack("Atlantis to Potsdam"))))
    #expect(model.state.opened.failure?.message == "there is no city named Atlantis")
    #expect(model.state.tracks.count == 1)
  }

  @Test func waitsUntilAllTracksAreRead() async throws {
    let catalog = TrackCatalog([
      TestTrack.file(TestTrack.gpx(kilometers: 1), name: "a.gpx"),
      TestTrack.file("<gpx/>", name: "b.gpx"),
    ])
    let tracking = TrackingViewModel(
      catalog: catalog, speed: .max, permission: .notDetermined,
      makeWalk: WalkFactory().make)
    let model = try Self.model(tracking: tracking)
    #expect(model.state.tracks.map(\.name) == ["a.gpx", "b.gpx"])
    await model.send(.load)
    #expect(model.state.tracks.map { $0.shape.value?.count } == [21, nil])
    #expect(model.state.tracks[1].shape.failure != nil)
    #expect(model.state.permission == .notDetermined)
  }

  @Test func tellsWhichTrackIsWalked() async throws {
    let tracking = Self.walkOfTwoTracks
    await tracking.send(.start(track: 2))
    await tracking.store.first { $0.authorization != nil }
    #expect(try Self.model(tracking: tracking).state.walkedTrack == 2)
    #expect(try Self.model(tracking: tracking).state.permission == .authorizedAlways)
    await tracking.send(.stop)
    #expect(try Self.model(tracking: tracking).state.walkedTrack == nil)
  }

  @Test func startsATrackAndShowsThatItIsWalked() async throws {
    let tracking = Self.walkOfTwoTracks
    let model = try Self.model(tracking: tracking)
    await model.send(.walk(.choose(track: 2)))
    #expect(tracking.state.track == 2)
    #expect(model.state.walkedTrack == nil)
    await model.send(.walk(.start(track: 2)))
    #expect(model.state.walkedTrack == 2)
    await model.send(.walk(.stop))
    #expect(model.state.walkedTrack == nil)
  }

  @Test func followsTheWalk() async throws {
    let file = TestTrack.file(TestTrack.gpx(kilometers: 1))
    let tracking = WalkFactory(authorization: [.change(to: .authorizedAlways, at: .start)])
      .model([file], speed: .realTime)
    let model = try Self.model(tracking: tracking)
    let following = Task { await model.send(.follow) }
    await tracking.send(.start(track: 1))
    await model.store.first { $0.walkedTrack == 1 }
    await tracking.send(.stop)
    await model.store.first { $0.walkedTrack == nil }
    following.cancel()
  }

  @Test func followsTheTracks() async throws {
    let pipes = [Pipe(), Pipe()]
    let tracks = pipes.enumerated().map { number, pipe in
      Track(
        GPXInput.descriptor(pipe.fileHandleForReading.fileDescriptor, name: "\(number).gpx"),
        name: "\(number).gpx")
    }
    let model = try Self.model(tracking: WalkFactory().model(tracks, readsShapes: true))
    let following = Task { await model.send(.follow) }
    // While they are followed, there is nothing to wait for.
    await Task.yield()
    await model.send(.load)
    #expect(model.state.tracks.map(\.shape) == [.loading, .loading])
    for (number, pipe) in pipes.enumerated() {
      try pipe.fileHandleForWriting.write(contentsOf: Data(TestTrack.gpx(kilometers: 1).utf8))
      try pipe.fileHandleForWriting.close()
      await model.store.first { $0.tracks.count { $0.shape.value != nil } == number + 1 }
    }
    following.cancel()
    await following.value
  }

  @Test func aTrackIsRemovedUnlessItIsBeingWalked() async throws {
    let tracking = Self.walkOfTwoTracks
    let model = try Self.model(tracking: tracking)
    await model.send(.walk(.start(track: 2)))
    #expect(model.state.isUnderWay)
    await model.send(.walk(.remove(track: 2)))
    #expect(model.state.tracks.map(\.id) == [1, 2])
    await model.send(.walk(.stop))
    #expect(!model.state.isUnderWay)
    await model.send(.walk(.remove(track: 2)))
    #expect(model.state.tracks.map(\.id) == [1] && tracking.state.track == 1)
  }

  @Test func opensAFileAndChoosesIt() async throws {
    let file = TestTrack.file(TestTrack.gpx(kilometers: 1))
    let tracking = WalkFactory().model([file])
    let model = try Self.model(tracking: tracking)
    await model.send(.open(TestTrack.file(TestTrack.gpx(kilometers: 2), name: "other.gpx")))
    #expect(model.state.tracks.map(\.name).last == "other.gpx")
    #expect(tracking.state.track == model.state.opened.value)
    await model.send(.open(TestTrack.file("<gpx/>", name: "empty.gpx")))
    #expect(model.state.opened.failure != nil)
    #expect(model.state.tracks.count == 2)
  }

  @Test func aFolderAddsAllTracksBelowItAndWhyOneCannotBeReplayed() async throws {
    let model = try Self.model(tracking: WalkFactory().model([]))
    let folder = URL.temporaryDirectory.appending(path: "faketrack-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let below = folder.appending(path: "more")
    try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
    let track = Data(TestTrack.gpx(kilometers: 1).utf8)
    for name in ["b.gpx", ".hidden.gpx", "more/c.gpx"] {
      try track.write(to: folder.appending(path: name))
    }
    try Data("<gpx/>".utf8).write(to: folder.appending(path: "a.gpx"))
    await model.send(.openPath(folder.path))
    await model.send(.load)
    #expect(model.state.tracks.map(\.name) == ["a.gpx", "b.gpx", "c.gpx"])
    #expect(model.state.tracks.map { $0.shape.value != nil } == [false, true, true])
    #expect(model.state.tracks[0].shape.failure != nil)
    #expect(model.state.opened.value == model.state.tracks[0].id)
    try FileManager.default.removeItem(at: folder.appending(path: "b.gpx"))
    try FileManager.default.removeItem(at: folder.appending(path: "a.gpx"))
    try FileManager.default.removeItem(at: below)
    for path in [folder.path, folder.path + "/missing.gpx"] {
      await model.send(.openPath(path))
      #expect(model.state.opened.failure != nil && model.state.tracks.count == 3)
    }
  }

  @Test func theStatusNamesThePhotoSourceThatWasChosen() async throws {
    let tracking = TrackingViewModel(
      catalog: TrackCatalog([]), speed: .realTime, permission: .notDetermined,
      photoSources: ["auto", "commons", "flickr", "sample", "none"]
    ) { _ in throw Failure(message: "no walk") }
    let model = try Self.model(tracking: tracking)
    #expect(model.state.photos.words == "None")
    let following = Task { await model.send(.follow) }
    for (name, words) in [
      ("sample", "Generated samples"), ("commons", "Wikimedia Commons; Flickr needs a key"),
      ("none", "None"), ("auto", "Wikimedia Commons; Flickr needs a key"),
    ] {
      await tracking.send(.setPhotoSource(name))
      await model.store.first { $0.photos.words == words }
    }
    following.cancel()
  }

  @Test func addedTracksComeFirstTheNewestOnTop() async throws {
    let file = TestTrack.file(TestTrack.gpx(kilometers: 1), name: "own.gpx")
    let model = try Self.model(tracking: WalkFactory().model([file]))
    for name in ["a.gpx", "b.gpx"] {
      await model.send(.open(TestTrack.file(TestTrack.gpx(kilometers: 1), name: name)))
    }
    #expect(model.state.newestFirst.map(\.name) == ["b.gpx", "a.gpx", "own.gpx"])
    #expect(model.state.added == [2, 3])
  }

  @Test func tellsTheDayOfATrackWithTimes() async throws {
    let timed = TestTrack.file(
      """
      <gpx><trk><trkseg><trkpt lat="52.4" lon="13"><time>2026-04-24T10:30:00Z</time></trkpt>
      <trkpt lat="52.401" lon="13"><time>2026-04-24T10:40:00Z</time></trkpt></trkseg></trk></gpx>
      """, name: "timed.gpx")
    let model = try Self.model(
      tracking: WalkFactory().model(
        [timed, TestTrack.file("<gpx/>", name: "empty.gpx")], readsShapes: true))
    await model.send(.load)
    #expect(model.state.days == [1: "24 April 2026"])
  }
}
