import Foundation
import NIOHTTP1

/// The header of a request, with checks that the parser does not make.
struct RequestHead {
  let request: WebRequest
  /// The length of the body in bytes, or `nil` for a chunked one.
  let bodyLength: Int?
  /// Whether the client waits for `100 Continue` before it sends the body.
  let expectsContinue: Bool
  /// Whether another request may follow on the connection.
  let keepsAlive: Bool
  /// Whether the version is HTTP/1.0, which has no chunks.
  let isOld: Bool

  private static let whiteSpace = CharacterSet(charactersIn: " \t")

  /// Source: RFC 9112, sections 3 and 6; RFC 9110, section 10.1.1.
  init(
    _ head: HTTPRequestHead, limits: ServerLimits, isLocal: Bool
  ) throws(ErrorResponse) {
    guard head.uri.utf8.count <= limits.target else {
      throw ErrorResponse(.uriTooLong, "The address is too long.")
    }
    isOld = head.version == .http1_0
    var headers: WebHeaders = [:]
    // The parser leaves white space at the end of values.
    headers.fields = HTTPHeaders(
      head.headers.map { ($0.name, $0.value.trimmingCharacters(in: Self.whiteSpace)) })
    let target = try Self.target(head.uri, method: head.method, &headers)
    let hosts = headers.values(of: "Host").count
    guard hosts == 1 || hosts == 0 && isOld else {
      throw ErrorResponse(
        .badRequest,
        hosts == 0 ? "The Host header is missing." : "There are several Host headers.")
    }
    bodyLength = try Self.bodyLength(headers, isOld: isOld)
    let expectations = isOld ? [] : headers.values(of: "Expect")
    guard expectations.allSatisfy({ $0.lowercased() == "100-continue" }) else {
      throw ErrorResponse(
        .expectationFailed, "The only expectation that is met is 100-continue.")
    }
    expectsContinue = !expectations.isEmpty
    // The parser stops reading requests where another protocol may begin.
    keepsAlive = head.isKeepAlive && headers["Upgrade"] == nil && head.method != .CONNECT
    request = WebRequest(
      method: head.method.rawValue, target: target, headers: headers, isLocal: isLocal)
  }

  /// Returns the path and query of a target; the host of an absolute address replaces the `Host` header.
  private static func target(
    _ uri: String, method: HTTPMethod, _ headers: inout WebHeaders
  ) throws(ErrorResponse) -> String {
    if uri.hasPrefix("/") || method == .CONNECT || uri == "*" && method == .OPTIONS { return uri }
    let scheme = "http://"
    guard uri.prefix(scheme.count).lowercased() == scheme else {
      throw ErrorResponse(.badRequest, "The address begins with neither / nor http://.")
    }
    let address = uri.dropFirst(scheme.count)
    let host = address.prefix { $0 != "/" && $0 != "?" }
    guard !host.isEmpty, !host.contains("@") else {
      throw ErrorResponse(.badRequest, "The address has no valid host.")
    }
    if headers.values(of: "Host").count <= 1 { headers["Host"] = String(host) }
    let rest = address.dropFirst(host.count)
    return rest.hasPrefix("/") ? String(rest) : "/" + rest
  }

  private static func bodyLength(
    _ headers: WebHeaders, isOld: Bool
  ) throws(ErrorResponse) -> Int? {
    let codings = headers.values(of: "Transfer-Encoding")
    if !codings.isEmpty {
      if isOld { throw ErrorResponse(.badRequest, "HTTP/1.0 has no Transfer-Encoding.") }
      guard codings.count == 1, codings[0].lowercased() == "chunked" else {
        throw ErrorResponse(
          .notImplemented, "The only Transfer-Encoding that is read is chunked.")
      }
      return nil
    }
    // The parser rejects lengths that are invalid or differ.
    return headers["Content-Length"].map { Int($0) ?? .max } ?? 0
  }
}
