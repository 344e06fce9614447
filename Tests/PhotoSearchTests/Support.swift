import FaketrackServices
import FaketrackTestSupport
import Foundation
import Geodesy
import PhotoSearch
import Synchronization

/// A source that answers as a test says, and counts.
final class StubSearch: PhotoSearching {
  let identity: String
  let maximumRadius: Double
  private let log = Mutex<[PhotoQuery]>([])
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
      url: URL(literal: "https://image.example/a.jpg"),
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
