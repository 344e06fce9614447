import Foundation

/// Where raster tiles for under the map come from: an address with `{z}`, `{x}` and `{y}` in it.
package struct TileTemplate: Hashable, Sendable {
  /// The template as it was given.
  package let text: String
  /// Whom the tiles are owed to; shown on the map.
  package let attribution: String
  /// The scheme, host and port that tiles come from.
  let origin: String

  /// Takes a template, or nothing that cannot be one.
  package init?(_ text: String, attribution: String?) {
    guard ["{z}", "{x}", "{y}"].allSatisfy({ text.contains($0) }) else { return nil }
    let sample = ["{z}", "{x}", "{y}"].reduce(text) { $0.replacing($1, with: "0") }
    guard let parts = URLComponents(string: sample), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty,
      parts.user == nil, parts.password == nil,
      // The origin becomes part of a policy, in which these have a meaning of their own.
      !host.contains(where: { $0.isWhitespace || ";,'*".contains($0) })
    else { return nil }
    self.text = text
    self.attribution = attribution ?? "Tiles: \(host)"
    origin = "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
  }
}
