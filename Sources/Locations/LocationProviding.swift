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
public struct LocationUpdates: AsyncSequence, Sendable {
  public typealias Element = LocationUpdate
  public typealias Failure = any Error

  /// Returns the next update, or `nil` after the last one; called on the actor that iterates.
  public typealias Next = (isolated (any Actor)?) async throws -> LocationUpdate?

  private let start: @Sendable () -> Next

  /// Creates a sequence from a function that starts an iteration.
  ///
  /// - Parameter start: called at the beginning of each iteration. The function it returns is called
  ///   for every update, but not again after it has returned `nil` or thrown an error. It is released
  ///   when the iteration ends.
  public init(start: @escaping @Sendable () -> Next) {
    self.start = start
  }

  /// Creates a sequence of the updates in another one, which each iteration iterates anew.
  public init<Updates: AsyncSequence & Sendable>(_ updates: Updates)
  where Updates.Element == LocationUpdate {
    self.init {
      var iterator = updates.makeAsyncIterator()
      return { isolation in try await iterator.next(isolation: isolation) }
    }
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(next: start())
  }

  /// One iteration of the updates.
  public struct Iterator: AsyncIteratorProtocol {
    /// The function for the next update, until the iteration has ended.
    private var following: Next?

    fileprivate init(next: @escaping Next) {
      following = next
    }

    /// The next update, or `nil` after the last one.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> LocationUpdate? {
      guard let following else { return nil }
      do {
        if let update = try await following(actor) { return update }
      } catch {
        self.following = nil
        throw error
      }
      self.following = nil
      return nil
    }

    public mutating func next() async throws -> LocationUpdate? {
      try await next(isolation: nil)
    }
  }
}
