/// A host and a port, such as `127.0.0.1:2947` or `[::1]:2947`.
package struct HostAndPort: Hashable, Sendable, CustomStringConvertible {
  package let host: String
  package let port: Int

  package init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  package init?(_ text: some StringProtocol) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[colon...].dropFirst()) else {
      return nil
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "/" }) else { return nil }
    self.init(host: String(host), port: Int(port))
  }

  package var description: String { "\(Self.bracketed(host)):\(port)" }

  /// The host as written before a port: an IPv6 address in brackets.
  package static func bracketed(_ host: String) -> String {
    host.contains(":") ? "[\(host)]" : host
  }
}
