import ArgumentParser
import Dispatch
import FaketrackFeatures
import FaketrackFeeds
import FaketrackSupport
import Foundation
import GPX
import Geodesy
import Locations

/// The targets of a walk.
struct FeedOptions: ParsableArguments {
  @Option(
    name: .customLong("feed"),
    help: .init(
      "Send the walk to an app under test, live.",
      discussion: "Repeatable; see faketrack help feeds.",
      valueName: "target"), transform: FeedOptions.feed)
  var feeds: [Feed] = []

  @Option(
    help: .init(
      "Wait for what takes the positions of --feed: a tab, a reader, a device.",
      discussion: "The exit code is 69 if nothing comes in this time. (default: 0)",
      valueName: "time"), transform: Expected.duration)
  var wait: Duration?

  @Option(
    help: .init(
      "Time to send what a server that records did not take yet. (default: 30s)",
      valueName: "time"), transform: Expected.duration)
  var drain: Duration?

  @Option(
    name: .customLong("feed-interval"),
    help: .init(
      "Track time between two positions of --feed. (default: 1s)", valueName: "time"),
    transform: Expected.value("a time from 0.1s to 1h, such as 5s") { text in
      (try? Expected.duration(text)).flatMap {
        (.milliseconds(100) ... .seconds(3_600)).contains($0) ? $0 : nil
      }
    })
  var interval: Duration?

  private static func feed(_ text: String) throws -> Feed {
    do {
      return try FeedTarget.feed(text)
    } catch {
      throw ValidationError(error.reason)
    }
  }

  mutating func validate() throws {
    var names = Set<String>()
    for feed in feeds {
      try require(names.insert(feed.name).inserted, "--feed names \(feed.name) twice.")
    }
    try require(!feeds.isEmpty || wait == nil, "--wait goes with --feed.")
    try require(!feeds.isEmpty || drain == nil, "--drain goes with --feed.")
    try require(!feeds.isEmpty || interval == nil, "--feed-interval goes with --feed.")
  }
}

/// The time that the last position of a walk is kept for.
struct HoldOptions: ParsableArguments {
  /// Longer than any walk.
  private static let forever = Duration.seconds(100 * 365 * 86_400)

  @Option(
    help: .init(
      "Keep the last position of --feed for a time after the walk.",
      discussion: "forever keeps it until Ctrl-C. (default: 0)", valueName: "time|forever"),
    transform: Expected.value("a time such as 90s or 10min, or forever") {
      $0 == "forever" ? Self.forever : try? Expected.duration($0)
    })
  var hold: Duration?
}

extension CompositionRoot {
  /// Runs work with the targets connected, `nil` without any, and then notes their totals.
  ///
  /// - Parameters:
  ///   - hold: the time after the work, unless a signal ended it, in which the last position stays; a
  ///     signal ends that time, and not the process.
  ///   - isAwaited: whether the walk waits for the targets.
  /// - Throws: ``UnreachableTarget``, what the work throws, or `Failure` if a target took nothing.
  func feeding(
    _ options: FeedOptions, holding hold: Duration? = nil, isAwaited: Bool = false,
    _ work: (_ hub: FeedHub?) async throws -> Void
  ) async throws {
    if options.feeds.isEmpty { return try await work(nil) }
    let context = FeedContext(
      fetcher: services.fetcher, isAwaited: isAwaited, note: { [console] in console.note($0) })
    let hub = FeedHub(options.feeds, in: context, clock: services.clock)
    try await hub.open(waiting: options.wait ?? .zero)
    var failure: (any Error)?
    do { try await work(hub) } catch { failure = error }
    if let hold, !(failure is Interruption.Interrupted) {
      console.note("the last position stays; Ctrl-C ends it")
      try? await Interruption.run { await hub.hold(for: hold) }
    }
    do {
      try await close(hub, draining: options.drain ?? .seconds(30))
    } catch {
      throw failure ?? error
    }
    if let failure { throw failure }
  }

  private func close(_ hub: FeedHub, draining drain: Duration) async throws {
    let reports = await hub.close(draining: drain)
    for report in reports { console.note(report.text) }
    guard let report = reports.first(where: \.isEmpty) else { return }
    throw Failure(
      message: "feed \(report.target): took nothing"
        + (report.reason.map { ": \($0)" } ?? ""),
      hint: "Start the app under test before the walk.", kind: .serviceUnavailable)
  }
}

extension FeedHub {
  /// Sends the changes of permission and position on the screens while no walk moves.
  func follow(_ states: AsyncStream<TrackingState>) async {
    var wasDenied = false
    var last: FeedSignal?
    for await state in states {
      var signal: FeedSignal?
      if state.lacksPermission {
        signal = .denied(at: nil)
      } else if state.phase != .running, state.fix == nil || wasDenied,
        let position = state.position
      {
        signal = .position(
          Fix(position, time: state.time, elevation: state.elevation, speed: 0))
      }
      // The hub knows whether a denial is new: this stream passes over states.
      let isDenied = signal?.isDenial == true
      if let signal, isDenied || signal != last { send(signal) }
      (last, wasDenied) = (signal, isDenied)
    }
  }
}

extension FeedHub: WalkFollower {
  package func deny() { send(.denied(at: nil)) }
}

extension FeedReport {
  /// The totals in a line.
  var text: String {
    var facts = ["\(Quantity.grouped(sent)) sent"]
    if confirmed > 0 { facts.append("\(Quantity.grouped(confirmed)) confirmed") }
    if refused > 0 { facts.append("\(Quantity.grouped(refused)) refused") }
    if replaced > 0 { facts.append("\(Quantity.grouped(replaced)) replaced by newer ones") }
    if lost > 0 { facts.append("\(Quantity.grouped(lost)) lost") }
    let milliseconds = Int((delay / .milliseconds(1)).rounded())
    facts.append("delay up to \(Quantity.grouped(milliseconds)) ms")
    return "feed \(target): " + facts.joined(separator: ", ") + (reason.map { " (\($0))" } ?? "")
  }
}

extension UnreachableTarget: FailureConvertible {
  package var failure: Failure {
    let cause = error as? FeedError
    return Failure(
      message: "feed \(target): \(cause?.reason ?? Failure(error).message)", hint: cause?.hint,
      kind: .serviceUnavailable)
  }
}
