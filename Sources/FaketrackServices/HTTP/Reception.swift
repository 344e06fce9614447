#if os(Linux)
  import Foundation

  /// Takes in what libcurl reads of one response.
  final class Reception {
    let transfer: Transfer
    /// The status, or 0 as long as there is none.
    private(set) var status = 0
    /// The fields of the header.
    private(set) var headers: [String: String] = [:]
    /// Whether the header has come to its end.
    private(set) var isHeaderComplete = false
    /// Whether the rest of a redirect's body is not worth reading.
    private(set) var isBodySkipped = false
    private let url: URL
    private var headerSize = 0
    private var redirectSize = 0

    /// - Parameter url: where the request is sent.
    init(_ transfer: Transfer, from url: URL) {
      self.transfer = transfer
      self.url = url
    }

    /// Where the response redirects to, or `nil` if it does not.
    var redirectTarget: URL? {
      guard [301, 302, 303, 307, 308].contains(status), let location = headers["location"] else {
        return nil
      }
      return URL(string: location, relativeTo: url)?.absoluteURL
    }

    /// Takes a line of the header with its line break.
    ///
    /// Interim responses have headers of their own, of which the last one counts; text that is not
    /// UTF-8 is ISO 8859-1.
    ///
    /// - Returns: whether to go on.
    func receive(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
      headerSize += bytes.count
      guard headerSize <= Self.maximumHeaderSize else {
        transfer.end(with: .endlessHeader)
        return false
      }
      let text =
        String(validating: bytes, as: UTF8.self)
        ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
      let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
      if line.hasPrefix("HTTP/") {
        let words = line.split(separator: " ", maxSplits: 2)
        status = words.count > 1 ? Int(words[1]) ?? 0 : 0
        headers = [:]
        isHeaderComplete = false
      } else if line.isEmpty {
        isHeaderComplete = true
      } else if let colon = line.firstIndex(of: ":") {
        let name = line[..<colon].lowercased()
        let value = line[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
        headers[name] = headers[name].map { "\($0), \(value)" } ?? value
      }
      return true
    }

    /// Takes a piece of the body.
    ///
    /// - Returns: whether to go on.
    func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
      guard redirectTarget == nil else {
        redirectSize += bytes.count
        isBodySkipped = redirectSize > Self.maximumRedirectSize
        return !isBodySkipped
      }
      transfer.receive(bytes)
      return !transfer.isOver
    }

    /// 256 KB for all header lines; libcurl's own limit is 300 KB where it has one.
    private static let maximumHeaderSize = 256 << 10
    /// A body that is larger costs more to read than a new connection.
    private static let maximumRedirectSize = 64 << 10
  }
#endif
