import FlyingFox
import Foundation

extension HTTPResponse {
  /// A page, or a part of one.
  static func html(_ html: HTML, status: HTTPStatusCode = .ok) -> HTTPResponse {
    HTTPResponse(
      statusCode: status, headers: [.contentType: "text/html; charset=utf-8"],
      body: Data(html.markup.utf8))
  }

  /// A value for the scripts.
  static func json(_ value: some Encodable) -> HTTPResponse {
    guard let data = try? ScriptJSON.encode(value) else {
      return .text("", status: .internalServerError)
    }
    return HTTPResponse(
      statusCode: .ok, headers: [.contentType: "application/json"], body: data)
  }

  /// A short answer in plain text.
  static func text(_ text: String, status: HTTPStatusCode) -> HTTPResponse {
    HTTPResponse(
      statusCode: status, headers: [.contentType: "text/plain; charset=utf-8"],
      body: Data((text + "\n").utf8))
  }

  /// Done; the result is at the address.
  static func seeOther(_ address: String) -> HTTPResponse {
    HTTPResponse(statusCode: .seeOther, headers: [.location: address], body: Data())
  }

  /// Done; there is nothing to show.
  static var noContent: HTTPResponse { HTTPResponse(statusCode: .noContent) }

  /// Something that never changes under its address.
  static func unchanging(
    _ data: Data, type: String, tag: String, for request: HTTPRequest
  ) -> HTTPResponse {
    let tag = "\"\(tag)\""
    let headers: HTTPHeaders = [
      .contentType: type, .eTag: tag, .cacheControl: "public, max-age=31536000, immutable",
    ]
    if request.headers[HTTPHeader("If-None-Match")] == tag {
      return HTTPResponse(statusCode: .notModified, headers: headers)
    }
    return HTTPResponse(statusCode: .ok, headers: headers, body: data)
  }
}

/// Writes values for the scripts.
enum ScriptJSON {
  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    return try encoder.encode(value)
  }
}
