#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The whole answer to a request.
package struct HTTPResponse: Sendable {
  /// The status, 100 ... 599.
  package let status: Int
  /// The content, decompressed.
  package let body: Data
  private let headers: [String: String]

  /// Creates an answer; header names may be in any case.
  package init(status: Int = 200, headers: [String: String] = [:], body: Data = Data()) {
    self.status = status
    self.body = body
    self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
  }

  /// The value of a header field, whose name may be in any case.
  package func header(_ name: String) -> String? {
    headers[name.lowercased()]
  }
}
