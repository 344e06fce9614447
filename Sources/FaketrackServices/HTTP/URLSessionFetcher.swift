import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches over the network with the toolchain's `URLSession`.
///
/// Answers are decompressed, proxy variables are honoured (by libcurl, so not on Apple's
/// platforms, which have their own setting), cookies and caches are off.
package final class URLSessionFetcher: HTTPFetching {
  private let idleTimeout: Duration
  private let totalTimeout: Duration
  /// Made with the first request: it takes 4 MB, which a run without a network is spared.
  private let session = Mutex<URLSession?>(nil)
  private let transfers = TransferDelegate()

  /// Creates a fetcher.
  ///
  /// - Parameters:
  ///   - idleTimeout: How long nothing may arrive.
  ///   - totalTimeout: How long an answer may take in all.
  package init(
    idleTimeout: Duration = .seconds(10), totalTimeout: Duration = .seconds(300)
  ) {
    self.idleTimeout = idleTimeout
    self.totalTimeout = totalTimeout
  }

  deinit {
    session.withLock { $0?.finishTasksAndInvalidate() }
  }

  package func fetch(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    guard let url = request.url, let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), url.host?.isEmpty == false
    else {
      throw HTTPFailure.unusableAddress(request.redactedURL)
    }
    var urlRequest = URLRequest(url: url)
    for (name, value) in request.headers {
      urlRequest.setValue(value, forHTTPHeaderField: name)
    }
    let task = openSession().dataTask(with: urlRequest)
    let identifier = task.taskIdentifier
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        transfers.begin(
          identifier, Transfer(request: request, origin: url, continuation: continuation))
        // A cancellation that came before the transfer was known found nothing to end.
        if Task.isCancelled {
          transfers.end(identifier, with: .failure(CancellationError()))
          task.cancel()
        } else {
          task.resume()
        }
      }
    } onCancel: {
      transfers.end(identifier, with: .failure(CancellationError()))
      task.cancel()
    }
  }

  private func openSession() -> URLSession {
    session.withLock { session in
      if let session { return session }
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForRequest = idleTimeout / .seconds(1)
      configuration.timeoutIntervalForResource = totalTimeout / .seconds(1)
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

extension URLSessionFetcher: CustomReflectable {
  /// Nothing: the session's tasks hold addresses with keys.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A request under way, and what has arrived of its answer.
struct Transfer {
  let request: HTTPRequest
  let origin: URL
  let continuation: CheckedContinuation<HTTPResponse, any Error>
  var body = Data()
  var redirections = 0
}
