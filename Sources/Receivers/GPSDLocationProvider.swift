import FaketrackSupport
import Foundation
import Geodesy
import Locations
import NIOCore
import NIOPosix

/// The locations of a receiver that is connected to a gpsd daemon, in its JSON protocol over TCP.
///
/// The permission is ``/Locations/AuthorizationStatus/notDetermined`` while gpsd has no receiver,
/// and ``/Locations/AuthorizationStatus/authorizedWhenInUse`` while it has one. A receiver without a
/// fix, and a daemon that is gone, are a loss of signal; the connection is tried again until it
/// succeeds. The updates never end: cancel the task that iterates.
///
/// ```swift
/// let locations = GPSDLocationProvider(distanceFilter: 100)
/// for try await update in locations.updates() {
///   if let fix = update.location { show(fix) }
/// }
/// ```
public struct GPSDLocationProvider: LocationProviding {
  /// The port of gpsd by default.
  public static let defaultPort = 2_947

  private static let watch = "?WATCH={\"enable\":true,\"json\":true};\n"
  private static let longestDelay = Duration.seconds(8)

  private let host: String
  private let port: Int
  private let distanceFilter: Double
  private let clock: AnyClock
  private let report: @Sendable (ReceiverEvent) -> Void

  /// Creates a provider; it connects when the updates are iterated.
  ///
  /// - Parameters:
  ///   - host: the name or address of the computer with gpsd.
  ///   - port: the port, 1 to 65535.
  ///   - distanceFilter: the meters between the fixes that are delivered; 0 delivers all.
  ///   - clock: the clock for the delays between two attempts to connect.
  public init(
    host: String = "127.0.0.1", port: Int = GPSDLocationProvider.defaultPort,
    distanceFilter: Double = 0, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(host, port, distanceFilter, AnyClock(clock)) { _ in }
  }

  /// Creates a provider that reports when gpsd is away.
  package init(
    _ server: HostAndPort, distanceFilter: Double,
    report: @escaping @Sendable (ReceiverEvent) -> Void
  ) {
    self.init(server.host, server.port, distanceFilter, AnyClock(ContinuousClock()), report)
  }

  private init(
    _ host: String, _ port: Int, _ distanceFilter: Double, _ clock: AnyClock,
    _ report: @escaping @Sendable (ReceiverEvent) -> Void
  ) {
    self.host = host
    self.port = port
    self.distanceFilter = distanceFilter
    self.clock = clock
    self.report = report
  }

  /// The updates from now on.
  ///
  /// They throw ``GPSDError`` if there is no gpsd at the start, and `CancellationError`.
  public func updates() -> LocationUpdates {
    LocationUpdates(delivering: receive)
  }

  private func receive(_ deliver: (LocationUpdate) -> Void) async throws {
    var receiver = GPSDReceiver(distanceFilter: distanceFilter)
    var delay = Duration.milliseconds(500)
    while true {
      do {
        try await connect { line in
          for update in try receiver.receive(line) { deliver(update) }
          if receiver.hasFix { delay = .milliseconds(500) }
        }
      } catch {
        try Task.checkCancellation()
        if !receiver.hasBegun { throw error as? GPSDError ?? unreachable(error) }
      }
      try Task.checkCancellation()
      if !receiver.hasBegun { throw GPSDError.notGPSD(host: host, port: port) }
      report(.away)
      if let update = receiver.loseSignal() { deliver(update) }
      try await clock.sleep(for: delay)
      delay = min(delay * 2, Self.longestDelay)
    }
  }

  /// Connects and passes on each line until the connection ends.
  private func connect(_ handle: (_ line: [UInt8]) throws -> Void) async throws {
    let stream = try await LineConnection.server(HostAndPort(host: host, port: port))
    try await LineConnection.read(stream, greeting: Self.watch, isQuiet: false, handle)
  }

  private func unreachable(_ error: any Error) -> GPSDError {
    guard error is NIOConnectionError || error is IOError || error is ChannelError else {
      return .notGPSD(host: host, port: port)
    }
    return .unreachable(host: host, port: port, code: socketErrno(of: error))
  }
}

/// The `errno` of a socket that failed or could not be connected; `nil` for other reasons.
package func socketErrno(of error: any Error) -> CInt? {
  let causes = (error as? NIOConnectionError)?.connectionErrors.map(\.error) ?? [error]
  return causes.lazy.compactMap { ($0 as? IOError)?.errnoCode }.first
}

/// The reason why there are no locations from gpsd.
public struct GPSDError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    case unreachable(HostAndPort, code: Int32?)
    case notGPSD(HostAndPort)
  }

  package let kind: Kind

  /// There is no connection; `code` is the `errno`, or `nil` for an unknown name and a timeout.
  public static func unreachable(host: String, port: Int, code: Int32?) -> Self {
    Self(kind: .unreachable(HostAndPort(host: host, port: port), code: code))
  }
  /// Something else answers there.
  public static func notGPSD(host: String, port: Int) -> Self {
    Self(kind: .notGPSD(HostAndPort(host: host, port: port)))
  }

  /// The ``description``, for alerts.
  public var errorDescription: String? { description }
  /// A suggestion for the user.
  public var recoverySuggestion: String? {
    switch kind {
    case .unreachable: "Start gpsd, and check the host and the port."
    case .notGPSD: "Give the host and the port of gpsd, which is 2947 by default."
    }
  }

  /// A sentence with the host and the port.
  public var description: String {
    switch kind {
    case .unreachable(let server, ECONNREFUSED): "no gpsd at \(server): the connection was refused"
    case .unreachable(let server, let code?):
      "no gpsd at \(server): \(String(cString: strerror(code)))"
    case .unreachable(let server, nil): "no gpsd at \(server): there is no answer"
    case .notGPSD(let server): "\(server) is not a gpsd"
    }
  }
}
