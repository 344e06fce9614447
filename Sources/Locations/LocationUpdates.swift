/// An ordered sequence of location updates with backpressure: the next one is made when it is
/// asked for.
///
/// A provider of your own makes one from a sequence, ``init(_:)``, or from a function that returns
/// the next update, ``init(start:)``. An `AsyncStream` does where updates come unasked; they pile up
/// in it while nobody takes them.
public struct LocationUpdates: AsyncSequence, Sendable {
  public typealias Element = LocationUpdate
  public typealias Failure = any Error

  /// Makes the next update, or `nil` after the last, on the actor that asks.
  public typealias Next = (isolated (any Actor)?) async throws -> LocationUpdate?

  private let start: @Sendable () -> Next

  /// Creates a sequence from a function that starts an iteration.
  ///
  /// - Parameter start: called once for each iteration; what it returns is called for each update,
  ///   never again after it returned `nil` or threw, and released when the iteration ends.
  public init(start: @escaping @Sendable () -> Next) {
    self.start = start
  }

  /// Creates the updates that another sequence makes, which is iterated anew each time.
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

  public struct Iterator: AsyncIteratorProtocol {
    private var following: Next?

    fileprivate init(next: @escaping Next) {
      following = next
    }

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
