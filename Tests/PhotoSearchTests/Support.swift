import FaketrackServices
import FaketrackTestSupport
import Foundation
import FaketrackSupport
import Geodesy
import Locations

@testable import PhotoSearch

/// A source that answers as a test says, and counts.
final class StubSearch: PhotoSearching {
  let identity: String
  let maximumRadius: Double
  private let log = Locked<[PhotoQuery]>([])
  private let answer: @Sendable (PhotoQuery, Int) async throws -> PhotoPage

  /// - Parameter answer: Gets the query and its number, counted from 0.
  init(
    identity: String = "stub", maximumRadius: Double = 10_000,
    answer: @escaping @Sendable (PhotoQuery, Int) async throws -> PhotoPage
  ) {
    self.identity = identity
    self.maximumRadius = maximumRadius
    self.answer = answer
  }

  var queries: [PhotoQuery] { log.withLock { $0 } }

  func photos(for query: PhotoQuery) async throws -> PhotoPage {
    let number = log.withLock { log in
      log.append(query)
      return log.count - 1
    }
    return try await answer(query, number)
  }
}

extension Photo {
  /// A photo of which only the id and perhaps the position matter.
  static func plain(_ id: String, at coordinate: Coordinate? = nil) -> Photo {
    Photo(
      id: id, title: "Photo \(id)", owner: "Owner",
      imageURL: URL(literal: "https://image.example/a.jpg"),
      coordinate: coordinate)
  }
}

extension PhotoPage {
  static func plain(_ ids: String..., isLast: Bool = true) -> PhotoPage {
    PhotoPage(photos: ids.map { .plain($0) }, isLast: isLast)
  }
}

extension PhotoSearchError {
  static let down = PhotoSearchError(service: "Stub", reason: .status(500), message: "down")
  static let gone = PhotoSearchError(service: "Stub", reason: .unreachable, message: "no network")
}

/// The environment variables that hold a key of Flickr.
let keyOfFlickr = ["FLICKR_API_KEY": "k"]

extension PhotoProvider.Configuration {
  /// A configuration with which nothing waits and every answer is scripted.
  static func scripted(
    _ fetcher: ScriptedFetcher, _ clock: RecordingClock = RecordingClock(), key: String = "k",
    endpoint: URL? = nil, concurrency: Int = 4, log: RecordingLog? = nil
  ) -> PhotoProvider.Configuration {
    PhotoProvider.Configuration(
      key: Secret(key), endpoint: endpoint, concurrency: concurrency,
      userAgent: "Walk/2 (me@app.example)", environment: .scripted(fetcher, clock, log: log))
  }
}

extension ServiceEnvironment {
  /// An environment in which nothing waits and every answer is scripted.
  static func scripted(
    _ fetcher: ScriptedFetcher, _ clock: RecordingClock = RecordingClock(),
    log: RecordingLog? = nil, observer: ServiceObserver? = nil
  ) -> ServiceEnvironment {
    ServiceEnvironment(
      fetcher: fetcher, clock: clock, jitterSeed: 1, logger: log?.logger, observer: observer)
  }
}

/// A clock that stands still and tells how often it was read.
final class ReadingClock: Clock {
  private struct State {
    var readings = 0
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())
  let minimumResolution = Duration.zero

  var now: VirtualClock.Instant {
    let met = state.withLock { state in
      state.readings += 1
      let met = state.waiters.filter { $0.count <= state.readings }
      state.waiters.removeAll { $0.count <= state.readings }
      return met
    }
    for waiter in met { waiter.continuation.resume() }
    return VirtualClock.Instant(offset: .zero)
  }

  var readings: Int { state.withLock(\.readings) }

  /// Returns when the clock has been read this many times.
  func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        if state.readings < count { state.waiters.append((count, continuation)) }
        return state.readings >= count
      }
      if isMet { continuation.resume() }
    }
  }

  func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {}
}

/// Holds answers back and releases them in an order that follows from a seed.
actor Shuffler {
  private var generator: SplitMix64
  private var held: [CheckedContinuation<Void, Never>] = []
  private var release: CheckedContinuation<Void, Never>?

  init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
  }

  /// Holds the caller until it is its turn.
  func pass() async {
    await withCheckedContinuation { continuation in
      held.append(continuation)
      release?.resume()
      release = nil
    }
  }

  /// Releases one after the other of those who are held, until the task is canceled.
  func releaseAll() async {
    await withTaskCancellationHandler {
      while !Task.isCancelled {
        if held.isEmpty { await withCheckedContinuation { release = $0 } }
        guard !held.isEmpty else { continue }
        held.remove(at: generator.index(below: held.count)).resume()
      }
    } onCancel: {
      Task { await self.wake() }
    }
  }

  private func wake() {
    release?.resume()
    release = nil
  }
}

/// Positions for tests.
enum Spot {
  static let potsdam = at(52.4009, 13.0591)

  static func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
    do {
      return try Coordinate(latitude: latitude, longitude: longitude)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

/// A query with a change.
func with(_ query: PhotoQuery, _ change: (inout PhotoQuery) -> Void) -> PhotoQuery {
  var query = query
  change(&query)
  return query
}

/// A store that keeps every answer and counts how often it is read.
actor KeepingStore: PhotoSearchStoring {
  private(set) var reads = 0
  private var pages: [PhotoSearchKey: PhotoPage] = [:]

  func page(for key: PhotoSearchKey) -> PhotoPage? {
    reads += 1
    return pages[key]
  }

  func store(_ page: PhotoPage, for key: PhotoSearchKey) { pages[key] = page }
}
