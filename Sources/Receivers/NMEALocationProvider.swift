import FaketrackSupport
import Foundation
import Locations
import NIOCore

/// The locations of a receiver that sends NMEA 0183, at a serial port or from a server.
///
/// A receiver without a position, and one that is gone, are a loss of signal; the connection is tried
/// again until it succeeds. The updates never end.
package struct NMEALocationProvider: LocationProviding {
  package enum Source: Hashable, Sendable {
    case server(HostAndPort)
    /// The path of a serial port, or of another device or pipe.
    case device(String)
  }

  private static let longestDelay = Duration.seconds(8)
  /// Bytes without a sentence, after which the source is another one.
  private static let patience = 1 << 14

  private let source: Source
  private let distanceFilter: Double
  private let report: @Sendable (ReceiverEvent) -> Void

  package init(
    _ source: Source, distanceFilter: Double,
    report: @escaping @Sendable (ReceiverEvent) -> Void = { _ in }
  ) {
    self.source = source
    self.distanceFilter = distanceFilter
    self.report = report
  }

  /// The updates from now on; they throw ``ReceiverError`` if there is no receiver at the start, and
  /// `CancellationError`.
  package func updates() -> LocationUpdates { LocationUpdates(delivering: receive) }

  private func receive(_ deliver: (LocationUpdate) -> Void) async throws {
    var fixes = ReceivedFixes(distanceFilter: distanceFilter)
    var reader = NMEAReader()
    var (hasBegun, unread) = (false, 0)
    var delay = Duration.milliseconds(500)
    while true {
      do {
        let stream =
          switch source {
          case .server(let server): try await LineConnection.server(server)
          case .device(let path): try await LineConnection.device(path)
          }
        try await LineConnection.read(stream, isQuiet: true) { line in
          switch reader.read(line) {
          case .fix(let fix):
            for update in fixes.add(fix) { deliver(update) }
            delay = .milliseconds(500)
          case .noFix:
            for update in fixes.connect(isThere: true) { deliver(update) }
            if let update = fixes.loseSignal() { deliver(update) }
          case nil:
            unread += line.count
            if !hasBegun, unread > Self.patience { throw LineConnection.NoLines() }
            return
          }
          (hasBegun, unread) = (true, 0)
        }
      } catch {
        try Task.checkCancellation()
        if !hasBegun { throw ReceiverError(source, error) }
      }
      try Task.checkCancellation()
      if !hasBegun { throw ReceiverError(source, nil) }
      report(.away)
      if let update = fixes.loseSignal() { deliver(update) }
      try await Task.sleep(for: delay)
      delay = min(delay * 2, Self.longestDelay)
    }
  }
}

/// A change of a receiver that is no update.
package enum ReceiverEvent: Sendable {
  /// The connection was lost, and is tried again.
  case away
}

/// The reason why there are no locations from a receiver.
package struct ReceiverError: Error, Hashable, Sendable {
  package let source: NMEALocationProvider.Source
  /// The `errno`; `nil` for a source that sends no sentences.
  package let code: Int32?

  init(_ source: NMEALocationProvider.Source, _ error: (any Error)?) {
    self.source = source
    code = (error as? FileError)?.code ?? error.flatMap(socketErrno)
  }
}
