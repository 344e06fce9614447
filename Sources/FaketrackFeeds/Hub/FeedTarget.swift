import FaketrackServices
import Foundation
import Geodesy

/// A target of `--feed`: a file of this room with a ``FeedConnection``, and a line in ``all``.
package struct FeedTarget: Sendable {
  /// The target as it is typed, with capitals for the parts to fill in: `nmea:tcp:HOST:PORT`.
  package let form: String
  /// Lines for the help, of up to 72 characters.
  package let summary: String
  /// The text before the address.
  private let prefix: String
  /// Returns a function that makes the connection, or `nil` for an address of another form.
  private let parse: @Sendable (_ address: String) -> Feed.Connect?

  init(
    _ prefix: String, _ address: String = "", _ summary: String,
    parse: @escaping @Sendable (_ address: String) -> Feed.Connect?
  ) {
    form = prefix + address
    self.prefix = prefix
    self.summary = summary
    self.parse = parse
  }

  /// The targets in the order of the help.
  package static let all: [FeedTarget] = [
    .chrome, .webDriver, .android, .androidDevice, .simulator, .nmeaTCP, .nmeaUDP, .nmeaTerminal,
    .ownTracks,
    .traccar,
  ]

  /// Returns the feed that a text names.
  ///
  /// - Throws: ``FeedError/unknownTarget(_:)`` or ``FeedError/unusableAddress(_:form:)``.
  package static func feed(_ text: String) throws(FeedError) -> Feed {
    // The password of a user in an address is not shown.
    let shown = text.replacing(#/:\/\/([^\/@:]*):[^\/@]*@/#) { "://\($0.1):***@" }
    guard let target = all.first(where: { text.hasPrefix($0.prefix) }) else {
      throw .unknownTarget(shown)
    }
    guard let connect = target.parse(String(text.dropFirst(target.prefix.count))) else {
      throw .unusableAddress(shown, form: target.form)
    }
    return Feed(name: shown, connect: connect)
  }
}

/// A target that was named, ready to be connected.
package struct Feed: Sendable {
  package typealias Connect = @Sendable (FeedContext) -> any FeedConnection

  /// The target as it was typed, without a password.
  package let name: String
  package let connect: Connect

  package init(name: String, connect: @escaping Connect) {
    self.name = name
    self.connect = connect
  }
}

/// The surroundings of the targets.
package struct FeedContext: Sendable {
  /// Sends HTTP requests.
  package var fetcher: any HTTPFetching
  /// Shows a line to the user.
  package var note: @Sendable (String) -> Void
  /// Whether the walk waits for its targets.
  package var isAwaited: Bool

  package init(
    fetcher: any HTTPFetching, isAwaited: Bool = false, note: @escaping @Sendable (String) -> Void
  ) {
    self.fetcher = fetcher
    self.isAwaited = isAwaited
    self.note = note
  }

  /// Sends a request with a short answer that comes soon.
  ///
  /// - Throws: ``FeedError`` without an answer.
  func fetch(_ request: ServiceRequest) async throws -> ServiceResponse {
    var request = request
    request.timeout = .seconds(5)
    request.maximumBodySize = 1 << 20
    do {
      return try await fetcher.fetch(request)
    } catch HTTPFailure.unreachable(let reason) {
      throw FeedError.unreachable(reason)
    } catch HTTPFailure.untrusted {
      throw FeedError.rejected(
        "its certificate is not trusted", hint: "Use the name that is in its certificate.")
    } catch HTTPFailure.tooLarge {
      throw FeedError.rejected(
        "its answer is longer than 1 MB", hint: "Another program may listen at this address.")
    } catch is HTTPFailure {
      throw FeedError.timedOut
    }
  }

  /// Connects to an address without TLS, and says so if the failure is that its server speaks it.
  func connect<Value>(
    to address: URL, hint: String, _ connect: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await connect()
    } catch let error as FeedError {
      guard await speaksTLS(address) else { throw error }
      throw FeedError.rejected("its server speaks TLS", hint: hint)
    }
  }

  /// Whether the server of an address without TLS speaks it.
  func speaksTLS(_ address: URL) async -> Bool {
    var address = URLComponents(url: address, resolvingAgainstBaseURL: false)
    guard ["http", "ws"].contains(address?.scheme) else { return false }
    address?.scheme = "https"
    guard let url = address?.url else { return false }
    var request = ServiceRequest(url)
    request.timeout = .seconds(5)
    do {
      _ = try await fetcher.fetch(request)
      return true
    } catch HTTPFailure.untrusted {
      return true
    } catch {
      return false
    }
  }
}
