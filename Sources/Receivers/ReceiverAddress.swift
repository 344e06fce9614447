import FaketrackSupport
import Foundation
import Locations
import NIOCore
import NIOPosix

/// The address of a receiver in place of a file: `gpsd://host[:port]`, this computer without a host;
/// `nmea://host:port`, or `nmea:///dev/ttyUSB0`.
package struct ReceiverAddress: Hashable, Sendable {
  private enum Kind: Hashable, Sendable {
    case gpsd(HostAndPort)
    case nmea(NMEALocationProvider.Source)
  }

  /// The default address of gpsd.
  package static let local = HostAndPort(
    host: "127.0.0.1", port: GPSDLocationProvider.defaultPort)

  private let kind: Kind

  package init?(_ text: String) {
    if let path = text.prefixMatch(of: #/nmea://(?=/)/#).map({
      String(text[$0.range.upperBound...])
    }) {
      kind = .nmea(.device(path))
      return
    }
    guard Self.isAddress(text), let parts = URLComponents(string: text),
      ["", "/"].contains(parts.path), parts.query == nil, parts.user == nil,
      parts.port.map((1...65_535).contains) ?? true
    else { return nil }
    let host = parts.host?.trimmingCharacters(in: ["[", "]"]) ?? ""
    if parts.scheme == "gpsd" {
      kind = .gpsd(
        HostAndPort(
          host: host.isEmpty ? Self.local.host : host, port: parts.port ?? Self.local.port))
    } else {
      guard !host.isEmpty, let port = parts.port else { return nil }
      kind = .nmea(.server(HostAndPort(host: host, port: port)))
    }
  }

  /// Whether a text is meant as an address.
  package static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("gpsd://") || text.hasPrefix("nmea://")
  }

  /// The whole address.
  package var text: String {
    switch kind {
    case .gpsd(let server): "gpsd://\(server)"
    case .nmea(let source): "\(source)"
    }
  }

  /// Whether a program accepts connections where gpsd does by default.
  package static func hasGPSD() async -> Bool {
    let connection = try? await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connectTimeout(.seconds(1)).connect(host: local.host, port: local.port).get()
    try? await connection?.close()
    return connection != nil
  }

  /// - Parameter report: receives changes that are no updates.
  package func provider(
    distanceFilter: Double, report: @escaping @Sendable (ReceiverEvent) -> Void = { _ in }
  ) -> any LocationProviding {
    switch kind {
    case .gpsd(let server):
      GPSDLocationProvider(server, distanceFilter: distanceFilter, report: report)
    case .nmea(let source):
      NMEALocationProvider(source, distanceFilter: distanceFilter, report: report)
    }
  }
}

extension NMEALocationProvider.Source: CustomStringConvertible {
  package var description: String {
    switch self {
    case .server(let server): "nmea://\(server)"
    case .device(let path): "nmea://\(path)"
    }
  }
}
