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
  }
}

extension CompositionRoot {
  /// Runs work with the targets connected, `nil` without any, and then notes their totals.
  ///
  /// - Throws: ``UnreachableTarget``, what the work throws, or `Failure` if a target took nothing.
  func feeding(
    _ options: FeedOptions, _ work: (_ hub: FeedHub?) async throws -> Void
  ) async throws {
    if options.feeds.isEmpty { return try await work(nil) }
    let context = FeedContext(
      fetcher: services.fetcher, note: { [console] in console.note($0) })
    let hub = FeedHub(options.feeds, in: context, clock: services.clock)
    try await hub.open()
    do {
      try await work(hub)
    } catch {
      try? await close(hub)
      throw error
    }
    try await close(hub)
  }

  private func close(_ hub: FeedHub) async throws {
    let reports = await hub.close()
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
        signal = .denied
      } else if state.phase != .running, state.fix == nil || wasDenied,
        let position = state.position
      {
        signal = .position(
          Fix(position, time: state.time, elevation: state.elevation, speed: 0))
      }
      // The hub knows whether a denial is new: this stream passes over states.
      if let signal, signal == .denied || signal != last { send(signal) }
      (last, wasDenied) = (signal, signal == .denied)
    }
  }
}

extension FeedHub: WalkFollower {
  package func deny() { send(.denied) }
}

extension FeedReport {
  /// The totals in a line.
  var text: String {
    var facts = ["\(Quantity.grouped(sent)) sent"]
    if confirmed > 0 { facts.append("\(Quantity.grouped(confirmed)) confirmed") }
    if refused > 0 { facts.append("\(Quantity.grouped(refused)) refused") }
    if replaced > 0 { facts.append("\(Quantity.grouped(replaced)) replaced by newer ones") }
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
