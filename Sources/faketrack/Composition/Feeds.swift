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

  /// The seconds of track time between two fixes for the targets.
  static let interval = Duration.seconds(1)

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
      if let signal, signal != last { send(signal) }
      (last, wasDenied) = (signal, signal == .denied)
    }
  }

  /// Follows a walk on a second reading of its track, which shares its pace.
  func companion(
    of provider: ReplayLocationProvider<ContinuousClock>, _ fixes: GPXFixes
  ) -> @Sendable (StateStore<TrackingState>) async -> Void {
    { store in
      await self.follow(
        provider.liveUpdates(
          of: fixes, every: FeedOptions.interval, untimedStart: StartArgument.now))
      // A walk that the permission has ended breaks off before the update arrives here.
      if store.state.authorization?.isAuthorized == false { self.send(.denied) }
    }
  }
}

extension GPXInput {
  /// The same input, in memory if it can be read only once.
  func repeatable() async throws -> GPXInput {
    guard !isRepeatable, let name else { return self }
    // The reader reports why it cannot be read.
    if case .file = self, access(name, R_OK) != 0 { return self }
    return try await DispatchQueue.global().blocking {
      let number =
        if case .descriptor(let number, _) = self { number } else {
          open(name, O_RDONLY | O_CLOEXEC)
        }
      guard number >= 0 else { throw FileError(path: name) }
      defer { if case .file = self { close(number) } }
      do throws(FileError) {
        let bytes = try WholeFile.bytes(
          of: number, path: name, limit: Self.memory, timeout: nil)
        return .bytes(bytes, name: name)
      } catch {
        throw Failure(
          message: error.code == FileError.tooLarge
            ? "\(name): has more than \(Self.memory >> 20) MB"
            : "\(name): cannot be read: \(error.reason)",
          hint: "Save the track as a file first.", kind: .unusableInput)
      }
    }
  }

  /// The maximum number of bytes of a track that is kept in memory.
  private static let memory = 128 << 20
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
