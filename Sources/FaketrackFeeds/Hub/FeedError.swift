import Foundation
import Locations
import NIOCore
import NIOPosix
import Receivers

/// The reason why a target cannot be fed.
package enum FeedError: Error, Hashable, Sendable {
  case unknownTarget(String)
  /// The address of a target does not have its form.
  case unusableAddress(String, form: String)
  /// There is no connection, or it was lost, or nothing is there that takes positions; the reason and a hint.
  case unreachable(String, hint: String = "Start the target first, and check its address.")
  /// Something else than the target answers, or it does not let us in; the reason and a hint.
  case rejected(String, hint: String)
  /// The target did not answer in time.
  case timedOut

  /// The reason in a few words.
  package var reason: String {
    switch self {
    case .unknownTarget(let text): "unknown target '\(text)'"
    case .unusableAddress(_, let form): "does not have the form \(form)"
    case .unreachable(let reason, _), .rejected(let reason, _): reason
    case .timedOut: "does not answer"
    }
  }

  package var hint: String? {
    switch self {
    case .unknownTarget: "See faketrack help feeds."
    case .unusableAddress: nil
    case .unreachable(_, let hint), .rejected(_, let hint): hint
    case .timedOut: "Start the target first, and check its address."
    }
  }

  /// Whether the target may be there later.
  var mayPass: Bool {
    switch self {
    case .unreachable, .timedOut: true
    case .unknownTarget, .unusableAddress, .rejected: false
    }
  }
}

extension FeedError {
  /// The failure of a socket.
  init(socket error: any Error) {
    switch error {
    case let error as FeedError: self = error
    case is IOError, is NIOConnectionError, is SocketAddressError.UnknownHost:
      self = .unreachable(socketErrno(of: error).map(Self.words) ?? "the host name is not known")
    default: self = .unreachable("the connection ended")
    }
  }

  private static func words(_ code: CInt) -> String {
    switch code {
    case ECONNREFUSED: "the connection was refused"
    case EADDRINUSE: "the port is in use"
    case EADDRNOTAVAIL: "the address is not one of this computer"
    case EACCES: "the port is reserved"
    default: String(cString: strerror(code)).lowercased()
    }
  }
}
