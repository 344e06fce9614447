#if os(Linux)
  import CCurl
  import Foundation
  import FaketrackSupport

  /// Carries transfers with libcurl, each on a thread of its own.
  ///
  /// Foundation's `URLSession` is libcurl as well on Linux. But it ends the process when a response
  /// breaks off within its header, holds all requests up for as long as a redirect has a body, and
  /// waits for good for somebody to give a password.
  final class Carrier: Sendable {
    private let idleTimeout: Duration
    /// What no transfer uses now, each with its open connections.
    private let idle = Locked<[CurlHandle]>([])

    /// - Parameter idleTimeout: how long to wait while nothing arrives.
    init(idleTimeout: Duration) {
      self.idleTimeout = idleTimeout
    }

    /// Begins a transfer, which ends when it is complete, fails or is ended otherwise.
    func carry(_ transfer: Transfer) {
      Thread.detachNewThread { [self] in
        // A connection that the other side has closed is an error of the write, not the end of the app.
        // What is pending when the thread ends is forgotten.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard let handle = idle.withLock({ $0.popLast() }) ?? CurlHandle() else {
          return transfer.end(with: .unreachable("there is no memory for a connection"))
        }
        handle.carry(transfer, idleTimeout: idleTimeout)
        idle.withLock { if $0.count < Self.maximumIdle { $0.append(handle) } }
      }
    }

    /// How many handles are kept for the next transfers: as many as a client has under way by default.
    private static let maximumIdle = 4
  }

  /// One of libcurl's handles with its open connections.
  ///
  /// `@unchecked`: only the thread that carries a transfer has it, until it is idle again.
  private final class CurlHandle: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    /// Starts the library, once.
    private static let isStarted = faketrack_curl_start() == CURLE_OK

    /// - Returns: `nil` if the library has no memory for it.
    init?() {
      guard Self.isStarted, let handle = curl_easy_init() else { return nil }
      self.handle = handle
    }

    deinit {
      // On whichever thread this is, the library has to see to SIGPIPE: ending a secure connection writes.
      set(CURLOPT_NOSIGNAL, 0)
      curl_easy_cleanup(handle)
    }

    /// Sends the request of a transfer, follows redirects, and ends the transfer with the outcome.
    func carry(_ transfer: Transfer, idleTimeout: Duration) {
      var url = transfer.url
      while !transfer.isOver {
        let reception = Reception(transfer, from: url)
        let code = perform(url, transfer.request, reception, idleTimeout: idleTimeout)
        guard reception.isBodySkipped || (code == CURLE_OK && reception.isHeaderComplete) else {
          return transfer.end(with: HTTPFailure(code, systemError: number(CURLINFO_OS_ERRNO)))
        }
        guard let target = reception.redirectTarget else {
          return transfer.end(status: reception.status, headers: reception.headers)
        }
        guard transfer.follows(redirectTo: target, status: reception.status) else { return }
        url = target
      }
    }

    private func perform(
      _ url: URL, _ request: HTTPRequest, _ reception: Reception, idleTimeout: Duration
    ) -> CURLcode {
      curl_easy_reset(handle)
      var fields: UnsafeMutablePointer<curl_slist>?
      defer { curl_slist_free_all(fields) }
      for (name, value) in request.headers where !"\(name)\(value)".contains(where: \.isNewline) {
        // A field without a value is only sent if it ends with a semicolon.
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
      // Empty: whatever the library can unpack.
      faketrack_curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "")
      faketrack_curl_set_pointer(handle, CURLOPT_HTTPHEADER, fields)

      let pointer = Unmanaged.passUnretained(reception).toOpaque()
      faketrack_curl_set_pointer(handle, CURLOPT_HEADERDATA, pointer)
      faketrack_curl_set_pointer(handle, CURLOPT_WRITEDATA, pointer)
      faketrack_curl_set_pointer(handle, CURLOPT_XFERINFODATA, pointer)
      faketrack_curl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, reception in
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return Reception.at(reception).receive(headerLine: line) ? line.count : 0
      }
      faketrack_curl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, reception in
        let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return Reception.at(reception).receive(body: piece) ? piece.count : 0
      }
      faketrack_curl_set_observer(handle) { reception, _, _, _, _ in
        Reception.at(reception).transfer.isOver ? 1 : 0
      }
      return withExtendedLifetime(reception) { curl_easy_perform(handle) }
    }

    private func set(_ option: CURLoption, _ value: Int) {
      faketrack_curl_set_number(handle, option, value)
    }

    private func number(_ information: CURLINFO) -> Int {
      var number = 0
      faketrack_curl_get_number(handle, information, &number)
      return number
    }
  }

  extension Reception {
    /// The object at a pointer that libcurl was given.
    fileprivate static func at(_ pointer: UnsafeMutableRawPointer?) -> Reception {
      guard let pointer else { preconditionFailure("libcurl hands back what it was given") }
      return Unmanaged<Reception>.fromOpaque(pointer).takeUnretainedValue()
    }
  }
#endif
