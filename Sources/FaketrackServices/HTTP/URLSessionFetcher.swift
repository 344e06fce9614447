import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches over the network with Foundation's `URLSession`.
///
/// Bodies are decompressed; cookies and caches are off. On Linux the usual proxy variables are
/// honored; Apple's platforms have a system setting instead.
public final class URLSessionFetcher: HTTPFetching {
  private let idleTimeout: Duration
  private let totalTimeout: Duration
  /// Opened by the first request: a session takes 4 MB, which a run without network use saves.
  private let session = Mutex<URLSession?>(nil)
  private let transfers = TransferDelegate()

  /// Creates a fetcher.
  ///
  /// - Parameters:
  ///   - idleTimeout: how long to wait while nothing arrives.
  ///   - totalTimeout: how long a whole response may take.
  public init(
    idleTimeout: Duration = .seconds(10), totalTimeout: Duration = .seconds(300)
  ) {
    self.idleTimeout = idleTimeout
    self.totalTimeout = totalTimeout
  }

  deinit {
    session.withLock { $0?.finishTasksAndInvalidate() }
  }

  public func fetch(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    guard let url = request.url, url.isWebAddress else {
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
        // A cancellation before the transfer was registered found nothing to end.
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
  /// Empty, because the session's tasks hold addresses with keys.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A request under way, and what has arrived of its response so far.
private struct Transfer {
  let request: HTTPRequest
  let origin: URL
  let continuation: CheckedContinuation<HTTPResponse, any Error>
  var body = Data()
  var redirections = 0
}

/// Collects the responses of a session's tasks and completes each exactly once.
private final class TransferDelegate: NSObject, URLSessionDataDelegate {
  private let transfers = Mutex<[Int: Transfer]>([:])
  private static let maximumRedirections = 5

  func begin(_ identifier: Int, _ transfer: Transfer) {
    transfers.withLock { $0[identifier] = transfer }
  }

  /// Completes a transfer; does nothing if it is complete already.
  func end(_ identifier: Int, with result: Result<HTTPResponse, any Error>) {
    let transfer = transfers.withLock { $0.removeValue(forKey: identifier) }
    transfer?.continuation.resume(with: result)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let exceeded = transfers.withLock { transfers -> Int? in
      guard let limit = transfers[dataTask.taskIdentifier]?.request.maximumBodySize,
        let received = transfers[dataTask.taskIdentifier]?.body.count
      else { return nil }
      guard received + data.count <= limit else { return limit }
      transfers[dataTask.taskIdentifier]?.body.append(data)
      return nil
    }
    if let exceeded {
      end(dataTask.taskIdentifier, with: .failure(HTTPFailure.tooLarge(limit: exceeded)))
      dataTask.cancel()
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    var request = request
    request.url = Self.target(of: response) ?? request.url
    let follows = transfers.withLock { [target = request.url] transfers -> Bool in
      guard let transfer = transfers[task.taskIdentifier], let target else { return false }
      transfers[task.taskIdentifier]?.redirections += 1
      // What arrived so far is the redirect's own body, not the final one.
      transfers[task.taskIdentifier]?.body = Data()
      return transfer.redirections < Self.maximumRedirections
        && transfer.request.redirects.allow(from: transfer.origin, to: target)
    }
    completionHandler(follows ? request : nil)
  }

  /// Where a redirect leads. Foundation on Linux resolves a relative `Location: b` as `/b`.
  private static func target(of response: HTTPURLResponse) -> URL? {
    response.value(forHTTPHeaderField: "Location")
      .flatMap { URL(string: $0, relativeTo: response.url) }?.absoluteURL
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let identifier = task.taskIdentifier
    if let error {
      end(identifier, with: .failure(HTTPFailure(error)))
    } else if let response = task.response as? HTTPURLResponse {
      var headers: [String: String] = [:]
      for case (let name as String, let value as String) in response.allHeaderFields {
        headers[name] = value
      }
      let body = transfers.withLock { $0[identifier]?.body } ?? Data()
      let whole = HTTPResponse(status: response.statusCode, headers: headers, body: body)
      end(identifier, with: .success(whole))
    } else {
      end(identifier, with: .failure(HTTPFailure.unreachable("the answer is not HTTP")))
    }
  }
}

extension HTTPRequest.Redirects {
  /// Whether a request for `origin` may be redirected to `target`.
  func allow(from origin: URL, to target: URL) -> Bool {
    let (before, after) = (origin.scheme?.lowercased(), target.scheme?.lowercased())
    guard after == "https" || (after == "http" && before == "http") else { return false }
    return switch self {
    case .anyHost: true
    case .sameHost: origin.host?.lowercased() == target.host?.lowercased()
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
      case .badServerResponse, .cannotParseResponse, .zeroByteResource:
        .unreachable("the connection ended without an answer")
      case .unknown: .unreachable("the connection broke off")
      case let code?: .unreachable("the connection failed (\(code.rawValue))")
      case nil: .unreachable("the connection failed")
      }
  }
}
