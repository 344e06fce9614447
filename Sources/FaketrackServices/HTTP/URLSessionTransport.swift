#if !os(Linux)
  import FaketrackSupport
  import Foundation

  /// Performs transfers with `URLSession`.
  final class Transport: Sendable {
    private let session: URLSession
    private let delegate = TransferDelegate()

    static let library = "URLSession"

    init(idleTimeout: Duration) {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForRequest = idleTimeout / .seconds(1)
      // Clients limit their concurrency; a request must not wait here while its time runs.
      configuration.httpMaximumConnectionsPerHost = 256
      configuration.urlCache = nil
      configuration.httpShouldSetCookies = false
      configuration.httpCookieStorage = nil
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
      session.finishTasksAndInvalidate()
    }

    func start(_ transfer: Transfer) {
      var request = URLRequest(url: transfer.url)
      request.allHTTPHeaderFields = transfer.request.headers
      if let body = transfer.request.body {
        request.httpMethod = "POST"
        request.httpBody = body
      }
      let task = session.dataTask(with: request)
      delegate.add(transfer, as: task.taskIdentifier)
      transfer.onEnd { _ in task.cancel() }
      task.resume()
    }
  }

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
        let headers = response.allHeaderFields as? [String: String] ?? [:]
        transfer.end(status: response.statusCode, headers: headers)
      } else {
        transfer.end(with: .unreachable("the answer is not HTTP"))
      }
    }
  }

  extension HTTPFailure {
    /// Describes a system error without its address, which may contain a key.
    init(_ error: any Error) {
      self =
        switch (error as? URLError)?.code {
        case .timedOut: .timedOut
        case .cannotFindHost, .dnsLookupFailed: .unreachable("the host name is not known")
        case .cannotConnectToHost: .unreachable("the connection was refused")
        case .networkConnectionLost: .unreachable("the connection was lost")
        case .notConnectedToInternet: .unreachable("there is no network")
        case .serverCertificateUntrusted, .serverCertificateHasBadDate,
          .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
          .untrusted
        case .secureConnectionFailed: .unreachable("no secure connection")
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
