#if os(Linux)
  import CCurl
  import Dispatch
  import FaketrackSupport
  import Foundation

  /// Performs transfers with libcurl, each on its own thread.
  ///
  /// Linux has `URLSession` too, but it terminates the process when a connection ends within a header,
  /// blocks all requests while it reads the body of a redirect, and never returns from a request for a
  /// password.
  final class Transport: Sendable {
    /// The number of idle handles to keep: the default concurrency of a client.
    private static let maximumIdle = 4

    private let idleTimeout: Duration
    private let idle = Locked<[CurlHandle]>([])

    static var library: String { String(cString: curl_version()) }

    init(idleTimeout: Duration) {
      self.idleTimeout = idleTimeout
    }

    func start(_ transfer: Transfer) {
      // Unlike a `Thread`, a queue waits until one can be started.
      DispatchQueue(label: "faketrack.transfer").async { [self] in
        // Writing to a connection that the server has closed returns an error instead of a signal.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard let handle = idle.withLock({ $0.popLast() }) ?? CurlHandle() else {
          return transfer.end(with: .unreachable("there is no memory for a connection"))
        }
        handle.perform(transfer, idleTimeout: idleTimeout)
        idle.withLock { if $0.count < Self.maximumIdle { $0.append(handle) } }
      }
    }
  }

  /// A libcurl handle with its open connections.
  ///
  /// `@unchecked`: only the thread of one transfer uses it, until it is idle again.
  private final class CurlHandle: @unchecked Sendable {
    private static let isStarted = faketrack_curl_start() == CURLE_OK

    private let handle: UnsafeMutableRawPointer

    /// Returns `nil` if there is not enough memory.
    init?() {
      guard Self.isStarted, let handle = curl_easy_init() else { return nil }
      self.handle = handle
    }

    deinit {
      // This may be any thread, so libcurl has to ignore SIGPIPE: closing a TLS connection writes.
      set(CURLOPT_NOSIGNAL, 0)
      curl_easy_cleanup(handle)
    }

    func perform(_ transfer: Transfer, idleTimeout: Duration) {
      var url = transfer.url
      while !transfer.isOver {
        let response = ResponseReader(transfer, from: url)
        let code = perform(url, transfer.request, response, idleTimeout: idleTimeout)
        guard response.isBodySkipped || (code == CURLE_OK && response.isHeaderComplete) else {
          var systemError = 0
          faketrack_curl_get_number(handle, CURLINFO_OS_ERRNO, &systemError)
          return transfer.end(with: HTTPFailure(code, systemError: systemError))
        }
        guard let target = response.redirectTarget else {
          return transfer.end(status: response.status, headers: response.headers)
        }
        guard transfer.follows(redirectTo: target, status: response.status) else { return }
        url = target
      }
    }

    private func perform(
      _ url: URL, _ request: ServiceRequest, _ response: ResponseReader, idleTimeout: Duration
    ) -> CURLcode {
      curl_easy_reset(handle)
      var fields: UnsafeMutablePointer<curl_slist>?
      defer { curl_slist_free_all(fields) }
      for (name, value) in request.headers where !"\(name)\(value)".contains(where: \.isNewline) {
        // libcurl omits a field without a value unless it ends with a semicolon.
        fields = curl_slist_append(fields, value.isEmpty ? "\(name);" : "\(name): \(value)")
      }
      let seconds = max(1, Int((min(idleTimeout, .seconds(86_400)) / .seconds(1)).rounded(.up)))
      set(CURLOPT_NOSIGNAL, 1)
      set(CURLOPT_CONNECTTIMEOUT, seconds)
      set(CURLOPT_LOW_SPEED_LIMIT, 1)
      set(CURLOPT_LOW_SPEED_TIME, seconds)
      set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      set(CURLOPT_NOPROGRESS, 0)
      faketrack_curl_set_protocols(handle)
      faketrack_curl_set_text(handle, CURLOPT_URL, url.absoluteString)
      // An empty value accepts every encoding that libcurl can decode.
      faketrack_curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "")
      faketrack_curl_set_pointer(handle, CURLOPT_HTTPHEADER, fields)
      if let body = request.body {
        set(CURLOPT_POSTFIELDSIZE, body.count)
        body.withUnsafeBytes { bytes in
          let text = bytes.bindMemory(to: CChar.self).baseAddress
          // It is copied now, and makes the request a POST.
          faketrack_curl_set_text(handle, CURLOPT_COPYPOSTFIELDS, text)
        }
      }

      let pointer = Unmanaged.passUnretained(response).toOpaque()
      faketrack_curl_set_pointer(handle, CURLOPT_HEADERDATA, pointer)
      faketrack_curl_set_pointer(handle, CURLOPT_WRITEDATA, pointer)
      faketrack_curl_set_pointer(handle, CURLOPT_XFERINFODATA, pointer)
      faketrack_curl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, response in
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return ResponseReader.at(response).receive(headerLine: line) ? line.count : 0
      }
      faketrack_curl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, response in
        let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return ResponseReader.at(response).receive(body: piece) ? piece.count : 0
      }
      faketrack_curl_set_observer(handle) { response, _, _, _, _ in
        ResponseReader.at(response).transfer.isOver ? 1 : 0
      }
      return withExtendedLifetime(response) { curl_easy_perform(handle) }
    }

    private func set(_ option: CURLoption, _ value: Int) {
      faketrack_curl_set_number(handle, option, value)
    }
  }

  /// Reads one response from libcurl's callbacks.
  private final class ResponseReader {
    /// 256 KB for all header lines; newer versions of libcurl have a limit of 300 KB.
    private static let maximumHeaderSize = 256 << 10
    /// 64 KB; reading a larger body of a redirect costs more than a new connection.
    private static let maximumRedirectSize = 64 << 10

    let transfer: Transfer
    private(set) var status = 0
    private(set) var headers: [String: String] = [:]
    private(set) var isHeaderComplete = false
    /// Whether the body of a redirect was too large to be read to its end.
    private(set) var isBodySkipped = false
    /// The base of a relative redirect.
    private let url: URL
    private var headerSize = 0
    private var redirectSize = 0

    init(_ transfer: Transfer, from url: URL) {
      self.transfer = transfer
      self.url = url
    }

    static func at(_ pointer: UnsafeMutableRawPointer?) -> ResponseReader {
      guard let pointer else { preconditionFailure("libcurl returns the pointer it was given") }
      return Unmanaged<ResponseReader>.fromOpaque(pointer).takeUnretainedValue()
    }

    var redirectTarget: URL? {
      guard [301, 302, 303, 307, 308].contains(status), let location = headers["location"] else {
        return nil
      }
      return URL(string: location, relativeTo: url)?.absoluteURL
    }

    /// Reads a header line, including its line break; returns whether to continue.
    ///
    /// Each interim response has its own header; the last header counts. Text that is not valid UTF-8
    /// is read as ISO 8859-1.
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

    /// Returns whether to continue.
    func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
      guard redirectTarget == nil else {
        redirectSize += bytes.count
        isBodySkipped = redirectSize > Self.maximumRedirectSize
        return !isBodySkipped
      }
      transfer.receive(bytes)
      return !transfer.isOver
    }
  }

  extension HTTPFailure {
    fileprivate static let endlessHeader = HTTPFailure.unreachable(
      "the header of the answer has no end")

    /// - Parameters:
    ///   - code: An error code of libcurl, or `CURLE_OK` for a response without a complete header.
    ///   - systemError: The `errno` of the failed system call, or 0.
    init(_ code: CURLcode, systemError: Int) {
      self =
        switch code {
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: .untrusted
        case CURLE_URL_MALFORMAT: .unusableAddress("the address is not usable")
        // A header line longer than libcurl accepts: 100 since version 8.6.
        case CURLE_OUT_OF_MEMORY, CURLcode(rawValue: 100): .endlessHeader
        default: .unreachable(Self.description(of: code, systemError: Int32(clamping: systemError)))
        }
    }

    private static func description(of code: CURLcode, systemError: Int32) -> String {
      switch (code, systemError) {
      case (CURLE_COULDNT_RESOLVE_HOST, _): "the host name is not known"
      case (CURLE_COULDNT_RESOLVE_PROXY, _): "the name of the proxy is not known"
      case (CURLE_COULDNT_CONNECT, ECONNREFUSED): "the connection was refused"
      case (CURLE_COULDNT_CONNECT, ENETUNREACH), (CURLE_COULDNT_CONNECT, EHOSTUNREACH),
        (CURLE_COULDNT_CONNECT, ENETDOWN):
        "there is no network"
      case (CURLE_COULDNT_CONNECT, EMFILE), (CURLE_COULDNT_CONNECT, ENFILE):
        "too many files are open"
      case (CURLE_COULDNT_CONNECT, _): "there was no connection"
      case (CURLE_GOT_NOTHING, _): "the connection ended without an answer"
      case (CURLE_RECV_ERROR, _), (CURLE_SEND_ERROR, _): "the connection was lost"
      case (CURLE_OK, _), (CURLE_PARTIAL_FILE, _): "the answer is cut off"
      case (CURLE_BAD_CONTENT_ENCODING, _): "the answer cannot be unpacked"
      case (CURLE_UNSUPPORTED_PROTOCOL, _), (CURLE_WEIRD_SERVER_REPLY, _), (CURLE_HTTP2, _),
        (CURLE_HTTP2_STREAM, _), (CURLE_BAD_FUNCTION_ARGUMENT, _):
        "the answer is not HTTP"
      case (CURLE_SSL_CONNECT_ERROR, _), (CURLE_SSL_CACERT_BADFILE, _), (CURLE_SSL_CIPHER, _),
        (CURLE_SSL_PINNEDPUBKEYNOTMATCH, _), (CURLE_SSL_INVALIDCERTSTATUS, _):
        "no secure connection"
      default: "the connection failed (\(code.rawValue))"
      }
    }
  }
#endif
