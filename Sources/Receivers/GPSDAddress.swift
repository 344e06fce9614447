import FaketrackSupport
import Foundation
import NIOCore
import NIOPosix

/// The address of a gpsd daemon in place of a file: `gpsd://host[:port]`, this computer without a host.
package struct GPSDAddress: Hashable, Sendable {
  package static let scheme = "gpsd://"

  /// The default address.
  package static let local = GPSDAddress(
    server: HostAndPort(host: "127.0.0.1", port: GPSDLocationProvider.defaultPort))

  private let server: HostAndPort

  private init(server: HostAndPort) {
    self.server = server
  }

  package init?(_ text: String) {
    guard text.hasPrefix(Self.scheme), let parts = URLComponents(string: text),
      ["", "/"].contains(parts.path), parts.query == nil, parts.user == nil,
      parts.port.map((1...65_535).contains) ?? true
    else { return nil }
    let name = parts.host?.trimmingCharacters(in: ["[", "]"]) ?? ""
    server = HostAndPort(
      host: name.isEmpty ? Self.local.server.host : name, port: parts.port ?? Self.local.server.port
    )
  }

  /// The whole address.
  package var text: String { "\(Self.scheme)\(server)" }

  /// Whether a program accepts connections there.
  package func isInUse() async -> Bool {
    let connection = try? await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connectTimeout(.seconds(1)).connect(host: server.host, port: server.port).get()
    try? await connection?.close()
    return connection != nil
  }

  package func provider(distanceFilter: Double) -> GPSDLocationProvider {
    GPSDLocationProvider(host: server.host, port: server.port, distanceFilter: distanceFilter)
  }
}
