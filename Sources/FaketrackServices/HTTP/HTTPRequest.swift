#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A GET request that protects its secrets: descriptions, mirrors and dumps show them as `***`.
public struct HTTPRequest: Sendable {
  /// The allowed targets of redirects. At most five are followed, and never from https to http.
  public enum Redirects: Sendable {
    /// The same host only.
    case sameHost
    /// Any host; for files, which services often serve from another host.
    case anyHost
  }

  /// The address. If it has a query, that precedes ``query``.
  public var endpoint: URL
  /// The query items, in order.
  public var query: [QueryItem]
  /// The header fields.
  public var headers: [String: String]
  /// The maximum size of the response body, in bytes after decompression.
  public var maximumBodySize: Int
  /// The limit on the time for the response.
  public var timeLimit: TimeLimit
  /// The allowed targets of redirects.
  public var redirects: Redirects

  /// Creates a request; by default, for at most 16 MB from the same host within 30 s.
  public init(
    _ endpoint: URL,
    query: [QueryItem] = [],
    headers: [String: String] = [:],
    maximumBodySize: Int = 16 << 20,
    timeLimit: TimeLimit = .answer,
    redirects: Redirects = .sameHost
  ) {
    self.endpoint = endpoint
    self.query = query
    self.headers = headers
    self.maximumBodySize = maximumBodySize
    self.timeLimit = timeLimit
    self.redirects = redirects
  }

  /// The complete address including secrets, only for sending the request.
  public var url: URL? {
    assembled { $0.percentEncoded }
  }

  /// The value of the first query item with this name.
  public func value(for name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  /// The address for display, without secret values, user name and password.
  public var redactedURL: String {
    let shown = assembled { $0.isSecret ? "\($0.encodedName)=***" : $0.percentEncoded }
    return (shown ?? endpoint).withoutUser.absoluteString
  }

  /// Returns text with every secret of this request, plain or percent-encoded, replaced by `***`.
  package func redacted(_ text: String) -> String {
    var text = text
    for item in query where item.isSecret && !item.value.isEmpty {
      for form in [item.value, item.encodedValue] {
        text = text.split(separator: form, omittingEmptySubsequences: false)
          .joined(separator: "***")
      }
    }
    return text
  }

  private func assembled(_ encode: (QueryItem) -> String) -> URL? {
    guard var parts = URLComponents(url: endpoint, resolvingAgainstBaseURL: true) else {
      return nil
    }
    let items = [parts.percentEncodedQuery].compactMap(\.self) + query.map(encode)
    parts.percentEncodedQuery = items.isEmpty ? nil : items.joined(separator: "&")
    return parts.url
  }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method and ``redactedURL``.
  public var description: String { "GET \(redactedURL)" }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// A mirror of ``redactedURL``.
  public var customMirror: Mirror { Mirror(self, children: ["url": redactedURL]) }
}

/// A name and a value in the query of a request.
public struct QueryItem: Sendable {
  /// The name, before percent-encoding.
  public let name: String
  /// The value, before percent-encoding.
  public let value: String
  /// Whether the value is hidden in descriptions.
  public let isSecret: Bool

  /// Creates an item with a visible value.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
    isSecret = false
  }

  /// Creates an item with a secret value.
  public init(_ name: String, _ secret: Secret) {
    self.name = name
    value = secret.value
    isSecret = true
  }

  fileprivate var encodedName: String { name.percentEncoded }
  fileprivate var encodedValue: String { value.percentEncoded }
  fileprivate var percentEncoded: String { "\(encodedName)=\(encodedValue)" }
}

extension QueryItem: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The name and the value, with `***` for a secret.
  public var description: String { "\(name)=\(isSecret ? "***" : value)" }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// A mirror of ``description``.
  public var customMirror: Mirror { Mirror(self, children: ["item": description]) }
}

/// Text that is never shown, such as a key: a description of it, or of a value that has it, shows `***`.
public struct Secret: Sendable {
  /// The text, only for sending it to its service.
  public let value: String

  /// Creates a secret from its text.
  public init(_ value: String) {
    self.value = value
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always `***`.
  public var description: String { "***" }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
