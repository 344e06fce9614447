import FaketrackFeatures
import FaketrackServer
import FaketrackSupport
import Foundation

/// The address at which commands are taken, on this machine alone.
package enum ControlAddress: Hashable, Sendable {
  case port(host: String, UInt16)
  case socket(path: String)

  /// Reads `127.0.0.1:4000`, `[::1]:4000` or `unix:/tmp/walk.sock`; `nil` for any other text.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst("unix:".count))
      if path.isEmpty { return nil }
      self = .socket(path: path)
    } else {
      guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[colon...].dropFirst())
      else { return nil }
      let hosts = ["127.0.0.1": "127.0.0.1", "localhost": "127.0.0.1", "[::1]": "::1"]
      guard let host = hosts[text[..<colon].lowercased()] else { return nil }
      self = .port(host: host, port)
    }
  }
}

/// Takes commands for a walk over HTTP, in JSON: `GET /state` and `POST /commands`.
///
/// A page in a browser cannot reach it: browsers name the origin of each request to another server that
/// changes something, and the answers to others are not theirs to read.
package struct ControlServer: Sendable {
  private static let bodyLimit = 4_096
  /// Longer than any walk.
  private static let answerTime = Duration.seconds(30 * 86_400)

  /// The address for clients.
  package let address: String
  private let server: HTTPServer

  /// - Throws: ``Failure`` if the address cannot be listened on.
  package init(_ address: ControlAddress, _ control: WalkControl) async throws(Failure) {
    var limits = ServerLimits()
    limits.answerTime = Self.answerTime
    let access: AccessPolicy? =
      if case .port(let host, _) = address { AccessPolicy(listeningOn: host) } else { nil }
    let site = Site(
      bodyLimit: { $0.method == "POST" ? Self.bodyLimit : 0 },
      answer: { try await Self.answer($0, control, access) })
    do {
      switch address {
      case .port(let host, let port):
        server = try await HTTPServer(listeningOn: host, port: port, limits: limits, site: site)
        self.address = "http://\(HostAndPort(host: host, port: Int(server.port)))"
      case .socket(let path):
        server = try await HTTPServer(listeningAt: path, limits: limits, site: site)
        self.address = "unix:\(path)"
      }
    } catch {
      let reason = if case .failed(let reason) = error { reason } else { "not an address" }
      let hint =
        switch address {
        case .port: "Choose another port, or port 0 for any that is free."
        case .socket(let path) where FileKind(path) == .socket:
          "Choose another file, or remove it if the process that made it was killed."
        case .socket: "Choose another file."
        }
      throw Failure(
        message: "--control cannot listen at \(address.text): \(reason.lowercased())", hint: hint)
    }
  }

  /// Ends after the answers to commands that have been performed.
  package func finish() async { await server.finish() }

  private static func answer(
    _ request: WebRequest, _ control: WalkControl, _ access: AccessPolicy?
  ) async throws -> WebResponse {
    var response = try await performed(request, control, access)
    if response.status.code >= 400 { response = response.asJSON }
    response.headers["Cache-Control"] = "no-store"
    return response
  }

  private static func performed(
    _ request: WebRequest, _ control: WalkControl, _ access: AccessPolicy?
  ) async throws -> WebResponse {
    if access?.admits(host: request.headers["Host"]) == false {
      return .text("This server does not answer to that name.", status: .misdirectedRequest)
    }
    let site = request.headers["Sec-Fetch-Site"]
    if request.headers["Origin"] != nil || site != nil && site != "none" {
      return .text("Commands come from programs, not from pages.", status: .forbidden)
    }
    switch (request.method, request.path) {
    case ("GET", "/state"): return .json(await control.report)
    case ("POST", "/commands"): return try await perform(request, control)
    case (_, "/state"), (_, "/commands"):
      var response = WebResponse.text(
        "GET /state, or POST /commands.", status: .methodNotAllowed)
      response.headers["Allow"] = request.path == "/state" ? "GET" : "POST"
      return response
    default: return .text("There are GET /state and POST /commands.", status: .notFound)
    }
  }

  private static func perform(
    _ request: WebRequest, _ control: WalkControl
  ) async throws -> WebResponse {
    struct Order: Decodable { let command: String }
    guard let body = try? request.body(limit: bodyLimit),
      let order = try? JSONDecoder().decode(Order.self, from: Data(body))
    else {
      return .text(
        #"A command is JSON such as {"command": "walk to 1km"}."#, status: .badRequest)
    }
    do {
      return .json(try await control.perform(try WalkCommand(order.command)))
    } catch let error as WalkCommand.Unknown {
      let forms = error.form.map { "write \($0)" }
      return .text(
        "Not a command: \(order.command.safeForTerminal); "
          + (forms ?? "commands are \(WalkCommand.names().joined(separator: ", "))") + ".",
        status: .badRequest)
    } catch let error as CancellationError {
      throw error
    } catch {
      let failure = Failure(error)
      return .text(
        failure, status: failure.kind == .serviceUnavailable ? .serviceUnavailable : .conflict)
    }
  }
}

extension ControlAddress {
  /// The address as it is typed.
  package var text: String {
    switch self {
    case .port(let host, let port): "\(HostAndPort(host: host, port: Int(port)))"
    case .socket(let path): "unix:\(path)"
    }
  }
}
