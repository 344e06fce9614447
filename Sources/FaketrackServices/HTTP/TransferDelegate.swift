import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Collects the answers of a session's tasks and ends each exactly once.
final class TransferDelegate: NSObject, URLSessionDataDelegate {
  private let transfers = Mutex<[Int: Transfer]>([:])
  private static let maximumRedirections = 5

  func begin(_ identifier: Int, _ transfer: Transfer) {
    transfers.withLock { $0[identifier] = transfer }
  }

  /// Ends a transfer; does nothing when it has ended already.
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
      // What came so far is the text of the redirect, not of the answer.
      transfers[task.taskIdentifier]?.body = Data()
      return transfer.redirections < Self.maximumRedirections
        && transfer.request.redirects.allow(from: transfer.origin, to: target)
    }
    completionHandler(follows ? request : nil)
  }

  /// Where a redirect leads; Foundation on Linux takes `Location: b` for `/b`.
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
      let answer = HTTPResponse(status: response.statusCode, headers: headers, body: body)
      end(identifier, with: .success(answer))
    } else {
      end(identifier, with: .failure(HTTPFailure.unreachable("the answer is not HTTP")))
    }
  }
}

extension HTTPRequest.Redirects {
  /// Whether an address may lead on to another.
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
  /// Words the system's error without its address, which may hold a key.
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
