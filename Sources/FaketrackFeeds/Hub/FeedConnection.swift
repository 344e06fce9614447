import FaketrackSupport
import Foundation
import Geodesy

/// A moment of the walk for a target.
package enum FeedSignal: Hashable, Sendable {
  case position(Fix)
  /// The signal is lost; the time of the walk, if known.
  case unavailable(at: Date?)
  /// The permission to use the location is missing; the time of the walk, if known.
  case denied(at: Date?)

  package var isDenial: Bool {
    if case .denied = self { true } else { false }
  }

  /// The same signal in a replay that is this many times as fast as the track was recorded.
  func hastened(by multiple: Double) -> FeedSignal {
    guard case .position(var fix) = self, let speed = fix.speed else { return self }
    fix.speed = speed * multiple
    return .position(fix)
  }

  /// The same signal after a time in which nothing has changed: a position stands still.
  func held(for time: Duration) -> FeedSignal {
    switch self {
    case .position(var fix):
      fix.time = fix.time?.addingTimeInterval(time.seconds)
      if fix.speed != nil { fix.speed = 0 }
      return .position(fix)
    case .unavailable(let start):
      return .unavailable(at: start?.addingTimeInterval(time.seconds))
    case .denied(let start):
      return .denied(at: start?.addingTimeInterval(time.seconds))
    }
  }
}

/// The answer of a target to a signal.
package enum FeedReceipt: Hashable, Sendable {
  /// The target has said that it took the signal.
  case confirmed
  /// The signal is on its way; the target does not answer.
  case sent
  /// The target did not take the signal; the reason.
  case refused(String)
}

/// A connection to one target. Its methods are called one at a time.
package protocol FeedConnection: Sendable {
  /// Whether positions that could not be sent are kept until they can, as records of the walk;
  /// otherwise a newer one replaces them.
  var keepsPositions: Bool { get }
  /// Whether the target gets the time of a position, by which its speed then counts. A target without
  /// times takes the moment at which a position comes, and gets the speed of the replay.
  var tellsTime: Bool { get }
  /// Whether a position that holds has to be sent again and again, as a receiver does each second.
  var needsRepetition: Bool { get }

  /// Connects, for the first time or again.
  func open() async throws
  /// Whether anything takes the positions at present: a tab, a reader, a device.
  func hasReceiver() async -> Bool
  /// Sends a signal, and waits for the answer of a target that gives one.
  ///
  /// - Throws: the reason why the target is away.
  func send(_ signal: FeedSignal) async throws -> FeedReceipt
  /// Ends the positions of a target that can be reached, with the permission granted, and disconnects.
  func close() async
}

extension FeedConnection {
  package var keepsPositions: Bool { false }
  package var tellsTime: Bool { false }
  package var needsRepetition: Bool { false }

  package func hasReceiver() async -> Bool { true }

  package func close() async {}
}
