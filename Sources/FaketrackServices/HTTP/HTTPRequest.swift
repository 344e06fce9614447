#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A GET request that knows which of its values must never be shown.
///
/// Descriptions, mirrors and dumps of a request show secrets as `***`.
public struct HTTPRequest: Sendable {
  /// Where redirects may lead, of which five are followed. An encrypted address never leads to an
  /// unencrypted one.
  public enum Redirects: Sendable {
    /// To the same host only.
    case sameHost
    /// To any host; meant for files, which services often serve from elsewhere.
    case anyHost
  }

  /// The address to ask. If it has a query of its own, that comes before ``query``.
  public var endpoint: URL
  /// The query, in order.
  public var query: [QueryItem]
  /// Header fields to send.
  public var headers: [String: String]
  /// The largest body to accept, in bytes after decompression.
  public var maximumBodySize: Int
  /// How long the response may take.
  public var timeLimit: TimeLimit
  /// Where redirects may lead.
  public var redirects: Redirects

  /// Creates a request; by default for at most 16 MB from the same host, within 30 s.
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

  /// The whole address, secrets included: only for sending the request.
  public var url: URL? {
    assembled { $0.percentEncoded }
  }

  /// The value of the first query item with this name.
  public func value(for name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  /// The address as it may be shown: without secret values, user name and password.
  public var redactedURL: String {
    let shown = assembled { $0.isSecret ? "\($0.encodedName)=***" : $0.percentEncoded }
    return (shown ?? endpoint).withoutUser.absoluteString
  }

  /// `text` with every secret of this request replaced by `***`, in plain and percent-encoded form.
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
  public var description: String { "GET \(redactedURL)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["url": redactedURL]) }
}

/// A name and a value in a request's query.
public struct QueryItem: Sendable {
  /// The name, before percent-encoding.
  public let name: String
  /// The value, before percent-encoding.
  public let value: String
  /// Whether the value must never be shown.
  public let isSecret: Bool

  /// Creates an item that may be shown.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
    isSecret = false
  }

  /// Creates an item whose value must never be shown.
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
  public var description: String { "\(name)=\(isSecret ? "***" : value)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["item": description]) }
}

/// Text that must never be shown: printing it, or anything that holds it, shows `***`.
public struct Secret: Sendable {
  /// The text itself, for sending it to its service.
  public let value: String

  /// Creates a secret from its text.
  public init(_ value: String) {
    self.value = value
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "***" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
