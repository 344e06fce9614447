import Geodesy

/// A source of locations, real or simulated.
///
/// All updates come in one ordered sequence, so that "denied after two kilometers" has its place
/// among the fixes. Iterating the sequence starts the provider, and canceling the task that iterates
/// stops it. Each iteration starts from the beginning, and nothing is produced before it is asked for.
///
/// ```swift
/// for try await update in provider.updates() {
///   switch update {
///   case .authorization(let status): …
///   case .fix(let fix): …
///   case .unavailable: …
///   }
/// }
/// ```
public protocol LocationProviding: Sendable {
  /// The updates from now on. The first one is the authorization.
  func updates() -> LocationUpdates
}

/// What a location provider reports.
public enum LocationUpdate: Hashable, Sendable {
  /// The permission, reported once at the beginning and then whenever it changes.
  case authorization(AuthorizationStatus)
  /// A new location.
  case fix(Fix)
  /// The signal is lost until the next fix.
  case unavailable
}

/// An ordered sequence of location updates, each made when it is asked for.
///
/// A provider of your own makes one from another sequence with ``init(_:)``, or from a function that
/// returns the next update with ``init(start:)``. Updates that arrive unasked, such as those of a
/// delegate, fit into an `AsyncStream`, which buffers them until they are taken.
///
/// Whoever takes many updates may take those that are ready together, with
/// ``Iterator/nextBatch(upTo:isolation:)``.
public struct LocationUpdates: AsyncSequence, Sendable {
  public typealias Element = LocationUpdate
  public typealias Failure = any Error

  /// Returns the next update, or `nil` after the last one; called on the actor that iterates.
  public typealias Next = (isolated (any Actor)?) async throws -> LocationUpdate?

  private let start: @Sendable () -> any UpdateSource

  /// Creates a sequence from a function that starts an iteration.
  ///
  /// - Parameter start: called at the beginning of each iteration. The function it returns is called
  ///   for every update, but not again after it has returned `nil` or thrown an error. It is released
  ///   when the iteration ends.
  public init(start: @escaping @Sendable () -> Next) {
    self.start = { SingleUpdates(next: start()) }
  }

  /// Creates a sequence of the updates in another one, which each iteration iterates anew.
  public init<Updates: AsyncSequence & Sendable>(_ updates: Updates)
  where Updates.Element == LocationUpdate {
    self.init {
      var iterator = updates.makeAsyncIterator()
      return { isolation in try await iterator.next(isolation: isolation) }
    }
  }

  /// Creates a sequence whose iterations take their updates from a source that is made for each.
  init(source: @escaping @Sendable () -> any UpdateSource) {
    start = source
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(source: start())
  }

  /// One iteration of the updates.
  public struct Iterator: AsyncIteratorProtocol {
    /// Where updates come from, until the iteration has ended.
    private var source: (any UpdateSource)?

    fileprivate init(source: any UpdateSource) {
      self.source = source
    }

    /// The next update, or `nil` after the last one.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> LocationUpdate? {
      guard let source = source.take() else { return nil }
      let update = try await source.next(isolation: actor)
      if update != nil { self.source = source }
      return update
    }

    public mutating func next() async throws -> LocationUpdate? {
      try await next(isolation: nil)
    }

    /// The next update, and those after it that need not be waited for; `nil` after the last one.
    ///
    /// - Parameter limit: the most updates to return, at least 1; there may be fewer although more
    ///   are ready.
    public mutating func nextBatch(
      upTo limit: Int, isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> [LocationUpdate]? {
      guard let source = source.take() else { return nil }
      let batch = try await source.nextBatch(upTo: Swift.max(1, limit), isolation: actor)
      if batch != nil { self.source = source }
      return batch
    }
  }
}

/// Where one iteration takes its updates from.
protocol UpdateSource: AnyObject {
  /// The next update, or `nil` after the last one.
  func next(isolation: isolated (any Actor)?) async throws -> LocationUpdate?

  /// The next update, and those after it that need not be waited for, at most `limit`.
  func nextBatch(upTo limit: Int, isolation: isolated (any Actor)?) async throws
    -> [LocationUpdate]?
}

/// Updates that a function makes one by one.
private final class SingleUpdates: UpdateSource {
  private let next: LocationUpdates.Next

  init(next: @escaping LocationUpdates.Next) {
    self.next = next
  }

  func next(isolation: isolated (any Actor)?) async throws -> LocationUpdate? {
    try await next(isolation)
  }

  func nextBatch(
    upTo limit: Int, isolation: isolated (any Actor)?
  ) async throws -> [LocationUpdate]? {
    try await next(isolation).map { [$0] }
  }
}
