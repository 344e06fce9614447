import Foundation
import Geodesy

/// A source of locations, real or simulated.
///
/// Iterating the updates starts the provider, and canceling the task that iterates stops it.
public protocol LocationProviding: Sendable {
  /// The updates from now on. The first one reports the authorization.
  func updates() -> LocationUpdates
}

/// Facts that a location provider reports at one moment, as Core Location's `CLLocationUpdate`.
public struct LocationUpdate: Hashable, Sendable, Codable {
  /// The new location; `nil` if there is none.
  public var location: Fix?
  /// The permission, reported once at the beginning and then whenever it changes; otherwise `nil`.
  public var authorization: AuthorizationStatus?
  /// Whether the signal is lost until the next location.
  public var locationUnavailable: Bool
  /// Whether the user allows the location to a few kilometers only, which then is what
  /// ``location`` has.
  public var accuracyLimited: Bool
  /// Whether the device stays where it is, so that no update follows until it moves. A replay reports
  /// the fixes of a stop instead.
  public var isStationary: Bool
  /// Whether the app gets no locations because it is not in use, with the permission for while it is.
  /// A replay never reports it.
  public var insufficientlyInUse: Bool

  /// Creates an update; facts that are left out are not reported.
  public init(
    location: Fix? = nil, authorization: AuthorizationStatus? = nil,
    locationUnavailable: Bool = false, accuracyLimited: Bool = false, isStationary: Bool = false,
    insufficientlyInUse: Bool = false
  ) {
    self.location = location
    self.authorization = authorization
    self.locationUnavailable = locationUnavailable
    self.accuracyLimited = accuracyLimited
    self.isStationary = isStationary
    self.insufficientlyInUse = insufficientlyInUse
  }

  /// An update with a new location.
  public static func location(_ location: Fix) -> Self { Self(location: location) }

  /// An update with the permission.
  public static func authorization(_ status: AuthorizationStatus) -> Self {
    Self(authorization: status)
  }

  /// A loss of signal.
  public static let unavailable = Self(locationUnavailable: true)
}

/// An ordered sequence of location updates, each produced on demand.
///
/// For updates that arrive on their own schedule, such as calls of a delegate, use an `AsyncStream`,
/// which buffers them.
public struct LocationUpdates: AsyncSequence, Sendable {
  /// Returns the next update, or `nil` after the last one; called on the actor that iterates.
  public typealias Next = (isolated (any Actor)?) async throws -> LocationUpdate?

  enum Source {
    case function(Next)
    case replay(ReplayListener)
  }

  private let start: @Sendable () -> Source

  /// Creates a sequence from a function that starts an iteration.
  ///
  /// - Parameter start: returns a function that is called until it returns `nil` or throws an
  ///   error, and then released.
  public init(start: @escaping @Sendable () -> Next) {
    self.init(source: { .function(start()) })
  }

  /// Creates a sequence of the updates in another one, which is iterated again by each iteration.
  public init<Updates: AsyncSequence & Sendable>(_ updates: Updates)
  where Updates.Element == LocationUpdate {
    self.init {
      var iterator = updates.makeAsyncIterator()
      return { isolation in try await iterator.next(isolation: isolation) }
    }
  }

  /// Creates a sequence of the updates that a task delivers, one task for each iteration.
  package init(
    delivering run:
      @escaping @Sendable (_ deliver: @escaping @Sendable (LocationUpdate) -> Void)
      async throws -> Void
  ) {
    self.init {
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: LocationUpdate.self)
      let task = Task {
        do {
          try await run { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
      var iterator = stream.makeAsyncIterator()
      return { isolation in
        let update = try await iterator.next(isolation: isolation)
        try Task.checkCancellation()
        return update
      }
    }
  }

  init(source: @escaping @Sendable () -> Source) {
    start = source
  }

  /// Starts an iteration.
  public func makeAsyncIterator() -> Iterator {
    Iterator(source: start())
  }

  /// One iteration of the updates.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var source: Source?

    /// Returns the next update, or `nil` after the last one.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> LocationUpdate? {
      if case .replay(let listener) = source, let update = listener.nextOfBatch() { return update }
      guard let source = source.take() else { return nil }
      let update =
        switch source {
        case .function(let next): try await next(actor)
        case .replay(let listener): try await listener.next(isolation: actor)
        }
      if update != nil { self.source = source }
      return update
    }

    /// The time, if known, and the distance along the track of the last update of a replay, if that
    /// has no location; otherwise `nil`.
    package var moment: (time: Date?, distance: Double)? {
      if case .replay(let listener) = source { listener.moment } else { nil }
    }

    /// Returns the next update of a replay if it is due and needs no wait, otherwise `nil`.
    public mutating func nextIfReady() -> LocationUpdate? {
      if case .replay(let listener) = source { listener.nextIfReady() } else { nil }
    }
  }
}
