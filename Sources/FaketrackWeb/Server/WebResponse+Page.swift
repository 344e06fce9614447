import FaketrackFeatures
import FaketrackServer
import Foundation

extension WebResponse {
  static func html(_ html: HTML, status: Status = .ok) -> WebResponse {
    WebResponse(
      status, headers: ["Content-Type": "text/html; charset=utf-8"],
      body: .bytes(Array(html.markup.utf8)))
  }

  static func json(_ value: some Encodable) -> WebResponse {
    guard let data = try? ScriptJSON.encode(value) else {
      return .text("", status: .internalServerError)
    }
    return WebResponse(
      .ok, headers: ["Content-Type": "application/json"], body: .bytes(Array(data)))
  }

  /// A refusal as `{"error": reason}`.
  var asJSON: WebResponse {
    var reason = status.reasonPhrase
    if case .bytes(let bytes) = body, headers["Content-Type"]?.hasPrefix("text/plain") == true {
      reason = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
    var response = WebResponse.json(["error": reason])
    response.status = status
    response.headers["Retry-After"] = headers["Retry-After"]
    response.headers["Allow"] = headers["Allow"]
    return response
  }

  static func text(_ text: String, status: Status) -> WebResponse {
    WebResponse(
      status, headers: ["Content-Type": "text/plain; charset=utf-8"],
      body: .bytes(Array((text + "\n").utf8)))
  }

  /// A file to save.
  static func file(_ body: Body, named name: String, type: String) -> WebResponse {
    WebResponse(
      .ok,
      headers: ["Content-Type": type, "Content-Disposition": "attachment; filename=\"\(name)\""],
      body: body)
  }

  /// The message and the hint of a failure.
  static func text(_ failure: Failure, status: Status) -> WebResponse {
    .text(
      [failure.message, failure.hint].compactMap(\.self).joined(separator: ". "), status: status)
  }

  /// A refusal that asks the browser to try again in a second.
  static func busy(_ text: String) -> WebResponse {
    var response = WebResponse.text(text, status: .serviceUnavailable)
    response.headers["Retry-After"] = "1"
    return response
  }

  static func seeOther(_ address: String) -> WebResponse {
    WebResponse(.seeOther, headers: ["Location": address])
  }

  static var noContent: WebResponse { WebResponse(.noContent) }

  /// Content that never changes under its address.
  static func unchanging(
    _ bytes: [UInt8], type: String, tag: String, for request: WebRequest
  ) -> WebResponse {
    // A weak tag is the same for the compressed answer.
    let tag = "W/\"\(tag)\""
    let headers: WebHeaders = [
      "Content-Type": type, "ETag": tag, "Cache-Control": "public, max-age=31536000, immutable",
    ]
    if request.headers["If-None-Match"] == tag {
      return WebResponse(.notModified, headers: headers)
    }
    return WebResponse(.ok, headers: headers, body: .bytes(bytes))
  }
}

enum ScriptJSON {
  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    return try encoder.encode(value)
  }

  /// A value as JSON that may be in markup.
  static func text(_ value: some Encodable) -> String {
    // Texts and finite numbers can always be encoded.
    let data = (try? encode(value)) ?? Data()
    // In other places than texts, JSON has no such sign.
    let escape = Array("\\u003c".utf8)
    let bytes = data.flatMap { $0 == UInt8(ascii: "<") ? escape : [$0] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
