import FaketrackSupport
import Foundation
import Geodesy
import Receivers

extension FeedTarget {
  static let simulator = FeedTarget(
    "simulator:", "UDID|booted",
    """
    Sets the position of an iOS simulator by xcrun simctl; at the recorded
    pace, with speed and course. Without a signal or permission, it has no
    position.
    """
  ) { address in
    guard !address.isEmpty, !address.hasPrefix("-") else { return nil }
    return { _ in SimulatorFeed(device: address) }
  }
}

/// Runs a command of simctl for each position: the simulator walks to it from the one before, so
/// that apps get a speed and a course, unless the walk is faster than it was recorded.
private final class SimulatorFeed: FeedConnection {
  /// The first command of a day can take seconds.
  private static let timeout = Duration.seconds(10)
  /// The seconds that a step takes; one that takes longer is a jump.
  private static let steps = 0.01...10
  /// The maximum ratio of a step to the time since the last position.
  private static let delay = 1.5
  private static let hint =
    "Boot a simulator, and name its UDID as xcrun simctl list devices shows it."

  private let device: String
  private let last = Locked<(coordinate: Coordinate, time: ContinuousClock.Instant)?>(nil)
  private let program = DeviceProgram(
    "xcrun", timeout: SimulatorFeed.timeout,
    missing: "Install Xcode; the iOS simulator needs a Mac.")

  init(device: String) {
    self.device = device
  }

  func open() async throws {
    last.withLock { $0 = nil }
    do {
      try await run(SimulatorCommand(along: []))
    } catch FeedError.unreachable(let reason, _) {
      throw FeedError.unreachable(reason, hint: Self.hint)
    }
  }

  func send(_ signal: FeedSignal) async throws -> FeedReceipt {
    guard case .position(let fix) = signal else {
      last.withLock { $0 = nil }
      try await run(SimulatorCommand(along: []))
      return .confirmed
    }
    let start = last.withLock { last in
      defer { last = (fix.coordinate, .now) }
      return last
    }
    let step = start.flatMap { start in
      fix.speed.map { start.coordinate.distance(to: fix.coordinate) / max($0, 1e-9) }
    }
    if let start, let step, let speed = fix.speed, Self.steps.contains(step),
      step <= Self.delay * ((ContinuousClock.now - start.time) / .seconds(1))
    {
      try await run(SimulatorCommand(along: [start.coordinate, fix.coordinate], speed: speed))
    } else {
      try await run(SimulatorCommand(along: [fix.coordinate]))
    }
    return .confirmed
  }

  func close() async {
    try? await run(SimulatorCommand(along: []))
  }

  private func run(_ command: SimulatorCommand) async throws {
    var (words, input) = (TextBuffer(), TextBuffer())
    command.appendArguments(to: &words)
    if command.hasInput { command.appendInput(to: &input) }
    try await program.run(
      ["simctl", "location", device] + words.string.split(separator: " ").map(String.init),
      input: Data(input.bytes))
  }
}
