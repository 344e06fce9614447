import Dispatch
import FaketrackSupport
import Foundation

/// A program of this computer that passes commands on to a device, one at a time.
struct DeviceProgram: Sendable {
  private let name: String
  private let timeout: Duration
  private let remedy: String
  private let queue: DispatchQueue

  /// - Parameters:
  ///   - name: the program, which is looked for in `PATH`.
  ///   - remedy: the hint if it is missing.
  init(_ name: String, timeout: Duration, missing remedy: String) {
    self.name = name
    self.timeout = timeout
    self.remedy = remedy
    queue = DispatchQueue(label: "faketrack.feeds.\(name)")
  }

  /// Runs the program to its end.
  ///
  /// - Throws: ``FeedError`` with its first line if it fails.
  func run(_ arguments: [String], input: Data = Data()) async throws {
    let ended = try await queue.blocking {
      try Program.run(
        "/usr/bin/env", [name] + arguments, input: input, includesErrors: true, timeout: timeout)
    }
    guard let (status, output) = ended else { throw FeedError.timedOut }
    switch status {
    case 0: return
    case 127: throw FeedError.rejected("\(name) is not found", hint: remedy)
    default:
      let reason = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline).first
      throw FeedError.unreachable(reason.map(String.init) ?? "\(name) ended with \(status)")
    }
  }
}
