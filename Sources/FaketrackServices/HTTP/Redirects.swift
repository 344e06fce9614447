#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension HTTPRequest.Redirects {
  /// Why a request for `origin` must not be redirected to `target`, or `nil` if it may be.
  func refusal(from origin: URL, to target: URL) -> HTTPFailure.Refusal? {
    guard target.isWebAddress else { return .notHTTP }
    if origin.scheme?.lowercased() == "https", target.scheme?.lowercased() == "http" {
      return .notEncrypted
    }
    return switch self {
    case .anyHost: nil
    case .sameHost:
      origin.host?.lowercased() == target.host?.lowercased() ? nil : .otherHost
    }
  }
}
