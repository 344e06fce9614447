import Cities
import Dispatch
import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal
import Foundation
import GPX
import Geodesy

/// Reads the facts of tracks, for `info`.
struct TrackFacts: Sendable {
  let format: ListingFormat
  /// Names the cities passed; `nil` where they are left out.
  let cities: NearestCityCursor?
  /// Whether the records name the track.
  let namesTracks: Bool
  /// The style of text.
  let style: TerminalStyle
  let console: Console

  /// Writes the facts of a track.
  ///
  /// - Throws: `CancellationError`, or the failure of the output.
  func write(_ track: BatchTrack, to output: TrackOutput) async throws -> TrackOutcome {
    var (info, failure) = try await read(track)
    if namesTracks { failure = failure?.naming(track.id) }
    try await output.write(text(of: info, track.id, failure))
    return TrackOutcome(
      TrackTotals(
        length: info?.overview.way.length ?? 0, skipped: info?.overview.issues.skipped ?? 0),
      failure: failure)
  }

  private func read(_ track: BatchTrack) async throws -> (info: TrackInfo?, failure: Failure?) {
    switch track.input {
    case .failure(let failure): return (nil, failure)
    case .success(let input) where input.isSmall: return read(track.id, input)
    case .success(let input):
      // Reading may block for long, which the threads of tasks must not; a canceled task does not
      // wait for it.
      let (facts, continuation) = AsyncStream.makeStream(of: (TrackInfo?, Failure?).self)
      DispatchQueue.global().async {
        continuation.yield(read(track.id, input))
      }
      for await (info, failure) in facts { return (info, failure) }
      throw CancellationError()
    }
  }

  /// The text of the facts of a track, and of the reason why they are not of the whole.
  private func text(of info: TrackInfo?, _ id: String, _ failure: Failure?) -> String {
    switch format {
    case .text: info?.text(style: style) ?? ""
    case .ndjson where namesTracks: TrackInfo.json(track: id, info, failure).serialized + "\n"
    case .ndjson: info.map { $0.json.serialized + "\n" } ?? ""
    }
  }

  /// Reads a file to its end or to where it breaks off.
  ///
  /// - Returns: the facts of what was read, if anything was, and why that is not all.
  private func read(_ name: String, _ input: GPXInput) -> (info: TrackInfo?, failure: Failure?) {
    var overview = GPXOverview()
    var onTracks = CitiesPassed(cities)
    var onRoutes = CitiesPassed(cities)
    var isEmpty = true
    var failure: Failure?
    do {
      try GPXReader(input, readsDetails: false).read { event in
        isEmpty = false
        if let issue = overview.receive(event) { console.note(issue.warning(in: name)) }
        guard case .points(let points) = event else { return }
        switch points.kind {
        case .trackPoint: for fix in points.fixes { onTracks.add(fix) }
        case .routePoint: for fix in points.fixes { onRoutes.add(fix) }
        case .waypoint: break
        }
      }
      // A whole file has its facts, even that there is nothing in it.
      isEmpty = false
    } catch {
      failure = Failure(error)
    }
    for line in overview.issues.summaries(in: name) { console.note(line) }
    let passed = overview.statistics.points > 0 ? onTracks : onRoutes
    let info = TrackInfo(
      file: name, overview: overview, cities: passed.names, start: passed.start, end: passed.end)
    return (isEmpty ? nil : info, failure)
  }
}

/// The cities along tracks or routes, each once, in order.
private struct CitiesPassed {
  private var cursor: NearestCityCursor?
  private var ids: Set<Int> = []
  private(set) var names: [String]?
  /// The fixes with the earliest and the latest time.
  private var first: Fix?
  private var last: Fix?

  init(_ cursor: NearestCityCursor?) {
    self.cursor = cursor
    names = cursor == nil ? nil : []
  }

  mutating func add(_ fix: Fix) {
    if let time = fix.time {
      if time < first?.time ?? .distantFuture { first = fix }
      if time >= last?.time ?? .distantPast { last = fix }
    }
    guard let near = cursor?.nearest(to: fix.coordinate) else { return }
    if ids.insert(near.city.id).inserted { names?.append(near.city.name) }
  }

  /// The city near the fix with the earliest time.
  var start: City? { first.flatMap(city) }

  /// The city near the fix with the latest time.
  var end: City? { last.flatMap(city) }

  private func city(near fix: Fix) -> City? {
    var cursor = cursor
    return cursor?.nearest(to: fix.coordinate)?.city
  }
}
