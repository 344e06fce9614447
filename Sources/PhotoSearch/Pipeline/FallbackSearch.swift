import FaketrackServices
import FaketrackSupport
import Synchronization

/// The stage of a ``PhotoPipeline`` that searches one source, or another one if the first gives no
/// useful answer to begin with.
///
/// The first search decides, and searches made meanwhile wait for the decision. The first source
/// stays if it has sent an answer that could be read, even if the whole search takes longer or
/// fails, and if it refuses in its own format. If it cannot be reached, answers something else
/// or has not answered within ``timeout``, the other takes its place for good.
actor FallbackSearch: PhotoSearching {
  nonisolated let identity: String
  nonisolated let maximumRadius: Double

  private let first: any PhotoSearching
  private let fallback: any PhotoSearching
  private let contact: Contact
  private let clock: AnyClock
  private let onFallback: @Sendable (PhotoSearchError) -> Void
  private var chosen: (any PhotoSearching)?
  /// Admits one search at a time until there is a decision.
  private let gate = RequestGate(limit: 1)

  /// The time that the first source has for its first answer: short enough for a run to have its
  /// first photo within 5 s of its start.
  static let timeout: Duration = .milliseconds(3_500)

  /// - Parameters:
  ///   - first: the source to search if it can be reached.
  ///   - fallback: the source to search otherwise.
  ///   - contact: learns of every answer that the first source's service sends.
  ///   - clock: measures the time until there is one.
  ///   - onFallback: called once, before the first answer of the fallback, with the reason.
  init(
    _ first: any PhotoSearching, else fallback: any PhotoSearching, contact: Contact,
    clock: AnyClock, onFallback: @escaping @Sendable (PhotoSearchError) -> Void
  ) {
    self.first = first
    self.fallback = fallback
    self.contact = contact
    self.clock = clock
    self.onFallback = onFallback
    identity = "\(first.identity) or \(fallback.identity)"
    maximumRadius = min(first.maximumRadius, fallback.maximumRadius)
  }

  func photos(for query: PhotoQuery) async throws -> PhotoPage {
    if chosen == nil, let page = try await gate.pass({ try await self.decide(by: query) }) {
      return page
    }
    return try await (chosen ?? fallback).photos(for: query)
  }

  /// Makes the first search and decides by its outcome.
  ///
  /// - Returns: the page it found, or `nil` if the query is still to be searched for in the chosen
  ///   source.
  private func decide(by query: PhotoQuery) async throws -> PhotoPage? {
    guard chosen == nil else { return nil }
    do {
      let page = try await firstPage(for: query)
      chosen = first
      return page
    } catch {
      // A search that was given up decides nothing.
      try Task.checkCancellation()
      let error = PhotoSearchError(error, from: first)
      guard !contact.isMade, !error.isRefusal else {
        chosen = first
        throw error
      }
      onFallback(error)
      chosen = fallback
      return nil
    }
  }

  /// Searches the first source, and gives up if its service has sent nothing useful in time.
  private func firstPage(for query: PhotoQuery) async throws -> PhotoPage {
    try await withThrowingTaskGroup(of: PhotoPage?.self) { [first, clock] group in
      group.addTask { try await first.photos(for: query) }
      group.addTask {
        try await clock.sleep(for: Self.timeout)
        return nil
      }
      defer { group.cancelAll() }
      while let page = try await group.next() {
        if let page { return page }
        guard contact.isMade else { throw Self.tooLate(contact.service) }
      }
      throw CancellationError()
    }
  }

  private static func tooLate(_ service: String) -> PhotoSearchError {
    let seconds = timeout / .seconds(1)
    return PhotoSearchError(
      service: service, reason: .unreachable, message: "no useful answer within \(seconds) s")
  }
}

extension FallbackSearch {
  /// Whether a service has sent an answer that could be read.
  final class Contact: Sendable {
    /// The service's display name.
    let service: String
    private let state = Atomic(false)

    init(with service: String) {
      self.service = service
    }

    var isMade: Bool { state.load(ordering: .relaxed) }

    func receive(_ event: ServiceEvent) {
      if case .called(let call) = event, call.failure == nil {
        state.store(true, ordering: .relaxed)
      }
    }
  }
}

extension PhotoSearchError {
  /// Whether the service itself has said no, in its own format.
  fileprivate var isRefusal: Bool {
    switch reason {
    case .refused, .keyRejected: true
    case .unreachable, .status, .brokenAnswer, .tooLarge, .unusableAddress: false
    }
  }
}
