import NIOCore
import NIOHTTP1

/// The server's response to a request that does not reach the site; the connection ends with it.
struct ErrorResponse: Error, Hashable {
  let status: HTTPResponseStatus
  let reason: String

  init(_ status: HTTPResponseStatus, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  init(_ error: HTTPParserError, requestLine: RequestLine, limits: ServerLimits) {
    switch error {
    case .headerOverflow where requestLine.count > limits.target:
      self.init(.uriTooLong, "The address is too long.")
    case .headerOverflow:
      self.init(.requestHeaderFieldsTooLarge, "The headers are too many or too long.")
    case .invalidVersion where !requestLine.lacksReturn:
      self.init(.httpVersionNotSupported, "The only versions are HTTP/1.1 and HTTP/1.0.")
    default:
      self.init(.badRequest, "That is no valid HTTP/1.1 request.")
    }
  }

  var bytes: ByteBuffer {
    let body = reason + "\n"
    let wait = status == .serviceUnavailable ? "Retry-After: 1\r\n" : ""
    return ByteBuffer(
      string: """
        HTTP/1.1 \(status.code) \(status.reasonPhrase)\r
        Content-Type: text/plain; charset=utf-8\r
        Content-Length: \(body.utf8.count)\r
        \(wait)Connection: close\r
        \r
        \(body)
        """)
  }
}

/// Facts about the first line of a request that the parser's errors do not contain.
struct RequestLine: Hashable {
  /// Without the line feed.
  private(set) var count = 0
  private(set) var isComplete = false
  private var last: UInt8?

  /// Whether the line ends with a line feed alone, which the parser reads as a part of the version.
  var lacksReturn: Bool { isComplete && last != UInt8(ascii: "\r") }

  mutating func read(_ bytes: ByteBufferView) {
    guard !isComplete else { return }
    let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
    let line = bytes[..<(end ?? bytes.endIndex)]
    count += line.count
    last = line.last ?? last
    isComplete = end != nil
  }
}
