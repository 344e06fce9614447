#if !os(Linux)
  import Foundation
  import FaketrackSupport

  /// Carries transfers with a session of Foundation's.
  final class Carrier: Sendable {
    private let idleTimeout: Duration
    /// Opened by the first transfer.
    private let session = Locked<URLSession?>(nil)
    private let transfers = TransferDelegate()

    /// - Parameter idleTimeout: how long to wait while nothing arrives.
    init(idleTimeout: Duration) {
      self.idleTimeout = idleTimeout
    }

    deinit {
      session.withLock { $0?.finishTasksAndInvalidate() }
    }

    /// Begins a transfer, which ends when it is complete, fails or is ended otherwise.
    func carry(_ transfer: Transfer) {
      var request = URLRequest(url: transfer.url)
      for (name, value) in transfer.request.headers {
        request.setValue(value, forHTTPHeaderField: name)
      }
      let task = openSession().dataTask(with: request)
      transfers.add(transfer, as: task.taskIdentifier)
      transfer.onEnd { task.cancel() }
      task.resume()
    }

    private func openSession() -> URLSession {
      session.withLock { session in
        if let session { return session }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = idleTimeout / .seconds(1)
        // The clients limit how many requests are under way. None may wait here, where its time runs.
        configuration.httpMaximumConnectionsPerHost = 256
        configuration.urlCache = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        let opened = URLSession(
          configuration: configuration, delegate: transfers, delegateQueue: nil)
        session = opened
        return opened
      }
    }
  }

  /// Hands on to the transfers what their tasks report.
  private final class TransferDelegate: NSObject, URLSessionDataDelegate {
    private let transfers = Locked<[Int: Transfer]>([:])

    func add(_ transfer: Transfer, as identifier: Int) {
      transfers.withLock { $0[identifier] = transfer }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      transfers.withLock { $0[dataTask.taskIdentifier] }?.receive(data)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      let transfer = transfers.withLock { $0[task.taskIdentifier] }
      let isFollowed =
        request.url.flatMap { transfer?.follows(redirectTo: $0, status: response.statusCode) }
      completionHandler(isFollowed == true ? request : nil)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      guard let transfer = transfers.withLock({ $0.removeValue(forKey: task.taskIdentifier) })
      else { return }
      if let error {
        transfer.end(with: HTTPFailure(error))
      } else if let response = task.response as? HTTPURLResponse {
        var headers: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields {
          headers[name] = value
        }
        transfer.end(status: response.statusCode, headers: headers)
      } else {
        transfer.end(with: .unreachable("the answer is not HTTP"))
      }
    }
  }

  extension HTTPFailure {
    /// Describes the system's error without its address, which may hold a key.
    init(_ error: any Error) {
      self =
        switch (error as? URLError)?.code {
        case .timedOut: .timedOut
        case .cannotFindHost, .dnsLookupFailed: .unreachable("the host name is not known")
        case .cannotConnectToHost: .unreachable("the connection was refused")
        case .networkConnectionLost: .unreachable("the connection was lost")
        case .notConnectedToInternet: .unreachable("there is no network")
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
          .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
          .unreachable("no secure connection")
        case .badURL, .unsupportedURL: .unusableAddress("the address is not usable")
        case .badServerResponse, .zeroByteResource:
          .unreachable("the connection ended without an answer")
        case .cannotParseResponse: .unreachable("the answer is not HTTP")
        case .cannotDecodeContentData, .cannotDecodeRawData:
          .unreachable("the answer cannot be unpacked")
        case let code?: .unreachable("the connection failed (\(code.rawValue))")
        case nil: .unreachable("the connection failed")
        }
    }
  }
#endif
