import FaketrackSupport
import Foundation

/// A GET or POST request that protects its secrets: descriptions, mirrors and dumps show them as `***`.
public struct ServiceRequest: Sendable {
  /// The allowed targets of redirects. At most five are followed, and never from https to http.
  public enum Redirects: Sendable {
    /// The same host only.
    case sameHost
    /// Any host; for files, which services often serve from another host.
    case anyHost
  }

  static let defaultTimeout = Duration.seconds(30)
  /// The interval in which the speed of a body is measured.
  static let speedInterval = Duration.seconds(30)

  /// The address. If it has a query, that precedes ``query``.
  public var endpoint: URL
  /// The query items, in order.
  public var query: [QueryItem]
  /// The header fields.
  public var headers: [String: String]
  /// The body of a POST request; `nil` for a GET request.
  public var body: Data?
  /// The maximum size of the response body, in bytes after decompression.
  public var maximumBodySize: Int
  /// The maximum time from sending the request to the last byte of the response body.
  ///
  /// A server can keep a connection busy forever, with single bytes or an endless header, so a timeout
  /// for idle connections is not enough.
  public var timeout = ServiceRequest.defaultTimeout
  /// The minimum number of body bytes in every 30 s, after decompression; 0 for no minimum.
  public var minimumSpeed = 0
  /// The allowed targets of redirects.
  public var redirects = Redirects.sameHost

  /// Creates a request; by default, for at most 16 MB from the same host within 30 s.
  public init(
    _ endpoint: URL, query: [QueryItem] = [], headers: [String: String] = [:],
    maximumBodySize: Int = 16 << 20
  ) {
    self.endpoint = endpoint
    self.query = query
    self.headers = headers
    self.maximumBodySize = maximumBodySize
  }

  /// Returns a request for a file, from any host within an hour, at 32 KB or more in every 30 s.
  ///
  /// A file of 15 MB arrives in time at 4.2 KB/s.
  public static func file(_ address: URL, maximumSize: Int) -> ServiceRequest {
    var request = ServiceRequest(address, maximumBodySize: maximumSize)
    request.timeout = .seconds(3600)
    request.minimumSpeed = 32 << 10
    request.redirects = .anyHost
    return request
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
    let shown = assembled { $0.isSecret ? "\($0.name.percentEncoded)=***" : $0.percentEncoded }
    return (shown ?? endpoint).withoutUser.absoluteString
  }

  /// Returns text with every secret of this request, plain or percent-encoded, replaced by `***`.
  package func redacted(_ text: String) -> String {
    var text = text
    for item in query where item.isSecret && !item.value.isEmpty {
      for form in [item.value, item.value.percentEncoded] {
        text = text.replacing(form, with: "***")
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

extension ServiceRequest: CustomStringConvertible, CustomReflectable {
  /// The method and ``redactedURL``.
  public var description: String { "\(body == nil ? "GET" : "POST") \(redactedURL)" }
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

  fileprivate var percentEncoded: String { "\(name.percentEncoded)=\(value.percentEncoded)" }
}

extension QueryItem: CustomStringConvertible, CustomReflectable {
  /// The name and the value, with `***` for a secret.
  public var description: String { "\(name)=\(isSecret ? "***" : value)" }
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

extension Secret: CustomStringConvertible, CustomReflectable {
  /// Always `***`.
  public var description: String { "***" }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
