import Foundation

/// The fields of a form as browsers send them: `application/x-www-form-urlencoded`.
struct FormFields: Hashable, Sendable {
  private var values: [String: String] = [:]

  /// Takes in what can be read of it; of fields with the same name the first counts.
  init(_ bytes: [UInt8]) {
    for field in bytes.split(separator: UInt8(ascii: "&")) {
      let parts = field.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.text(parts[0]) else { continue }
      let value = parts.count > 1 ? Self.text(parts[1]) : ""
      if values[name] == nil { values[name] = value }
    }
  }

  subscript(name: String) -> String? { values[name] }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(validating: spaced, as: UTF8.self)?.removingPercentEncoding
  }
}
