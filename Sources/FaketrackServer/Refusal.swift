import NIOCore
import NIOHTTP1

/// The answer to what is not for the site to answer; the connection ends with it.
struct Refusal: Error, Hashable {
  let status: WebResponse.Status
  let reason: String

  init(_ status: WebResponse.Status, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  /// Words an error of the parser.
  init(_ error: HTTPParserError, firstLine: FirstLine, limits: ServerLimits) {
    switch error {
    case .headerOverflow where firstLine.count > limits.target:
      self.init(.targetTooLong, "The address is too long.")
    case .headerOverflow:
      self.init(.headersTooLarge, "The headers are too many or too long.")
    case .invalidVersion where !firstLine.lacksReturn:
      self.init(.versionNotSupported, "The only versions are HTTP/1.1 and HTTP/1.0.")
    default:
      self.init(.badRequest, "That is no valid HTTP/1.1 request.")
    }
  }

  /// The whole answer as it is sent.
  var bytes: ByteBuffer {
    let body = reason + "\n"
    let wait = status == .serviceUnavailable ? "Retry-After: 1\r\n" : ""
    return ByteBuffer(
      string: """
        HTTP/1.1 \(status.code) \(HTTPResponseStatus(statusCode: status.code).reasonPhrase)\r
        Content-Type: text/plain; charset=utf-8\r
        Content-Length: \(body.utf8.count)\r
        \(wait)Connection: close\r
        \r
        \(body)
        """)
  }
}

/// What the first line of a request tells of it where the parser's error does not.
struct FirstLine: Hashable {
  /// The bytes so far, without the line break.
  private(set) var count = 0
  private(set) var isWhole = false
  private var last: UInt8?

  /// Whether the line ends in a line feed alone, which the parser takes for a part of the version.
  var lacksReturn: Bool { isWhole && last != UInt8(ascii: "\r") }

  mutating func read(_ bytes: ByteBufferView) {
    guard !isWhole else { return }
    let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
    let line = bytes[..<(end ?? bytes.endIndex)]
    count += line.count
    last = line.last ?? last
    isWhole = end != nil
  }
}
