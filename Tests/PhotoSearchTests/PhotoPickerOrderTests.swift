import FaketrackSupport
import Geodesy
import Testing

@testable import PhotoSearch

/// The choice does not depend on the order of answers.
@Suite struct PhotoPickerOrderTests {
  /// Out and back with a turn, 100 m apart.
  private static let walk: [Coordinate] = {
    let out = (0..<50).map { step in
      Spot.potsdam.destination(distance: Double(step) * 100, bearing: step < 25 ? 70 : 20)
    }
    return out + out.reversed()
  }()

  /// A source with few photos and several pages, which fails the first times at some places, in
  /// an order of answers that follows from the seed.
  private func source(shuffling seed: UInt64, _ shuffler: Shuffler) -> StubSearch {
    let random = Locked(SplitMix64(seed: seed))
    let tries = Locked<[Coordinate: Int]>([:])
    let sample = SamplePhotoSearch()
    return StubSearch { query, _ in
      await shuffler.pass()
      let place = SplitMix64.mix(query.center.longitude.bitPattern)
      let attempt = tries.withLock { tries in
        tries[query.center, default: 0] += 1
        return tries[query.center, default: 0]
      }
      if attempt <= Int(place % 3) { throw PhotoSearchError.down }
      let photos = sample.nearest(12, to: query.center, within: query.radius).photos
        .map { Photo.plain($0.id, at: $0.coordinate) }
      let page = photos.dropFirst((query.page - 1) * 4).prefix(4).shuffled(using: random)
      return PhotoPage(photos: page, isLast: query.page == 3)
    }
  }

  /// Runs the walk as a view model does: so many preparations ahead, picks in order.
  private func run(
    concurrency: Int, shuffling shuffle: UInt64, seed: UInt64 = 0
  ) async -> [PhotoOutcome] {
    let shuffler = Shuffler(seed: shuffle)
    let releasing = Task { await shuffler.releaseAll() }
    defer { releasing.cancel() }
    let picker = PhotoPicker(
      PhotoPipeline(source(shuffling: shuffle, shuffler)), settings: PhotoPickerSettings(seed: seed)
    )
    var outcomes: [PhotoOutcome] = []
    var preparations: [Task<Void, Never>] = []
    for (index, location) in Self.walk.enumerated() {
      while preparations.count < min(index + concurrency, Self.walk.count) {
        let ahead = Self.walk[preparations.count]
        preparations.append(Task { await picker.prepare(for: ahead) })
      }
      await preparations[index].value
      outcomes.append(await picker.pick(for: location, index: index))
    }
    return outcomes
  }

  @Test func isTheSameAtAnyConcurrency() async {
    let expected = await run(concurrency: 1, shuffling: 1)
    for concurrency in [1, 2, 4, 7, 16, 100] {
      for shuffle in 2..<6 {
        let outcomes = await run(concurrency: concurrency, shuffling: UInt64(shuffle))
        #expect(outcomes == expected, "\(concurrency) ahead, shuffle \(shuffle)")
      }
    }
    let failures = expected.count { $0 == .failed(.down) }
    #expect(failures > 3 && failures < 50)
  }

  @Test func anotherSeedPicksOthers() async {
    let one = await run(concurrency: 4, shuffling: 1, seed: 1)
    #expect(await run(concurrency: 4, shuffling: 2, seed: 1) == one)
    #expect(await run(concurrency: 4, shuffling: 1, seed: 2) != one)
  }

  /// Pinned, so that a change of the draw is noticed: same seed and answers, same output.
  @Test func theDrawStaysTheSameBetweenVersions() async {
    let picker = PhotoPicker(
      StubSearch { _, _ in .plain("a", "b", "c", "d", "e", "f") },
      settings: PhotoPickerSettings(seed: 42))
    var ids = ""
    for index in 0..<6 {
      if case .found(let photo, _) = await picker.pick(for: Spot.potsdam, index: index) {
        ids += photo.id
      }
    }
    #expect(ids == "ceafbd")
  }
}

extension Collection {
  /// The elements in an order drawn from a shared generator.
  fileprivate func shuffled(using random: borrowing Locked<SplitMix64>) -> [Element] {
    var generator = random.withLock { random in
      SplitMix64(seed: random.next())
    }
    return shuffled(using: &generator)
  }
}
