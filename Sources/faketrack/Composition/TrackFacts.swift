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
  /// Whether the records tell which of many tracks they are of.
  let namesTracks: Bool
  /// How text is shown.
  let style: TerminalStyle
  let console: Console

  /// The facts of one of many tracks, as all that it has to say.
  ///
  /// - Throws: `CancellationError`.
  func chunk(of track: ArchiveTrack) async throws -> TrackChunk {
    switch track.input {
    case .failure(let failure): return chunk(of: track.id, nil, failure)
    case .success(let input) where input.isSmall:
      return chunk(of: track.id, input)
    case .success(let input):
      // Reading may block for long, which the threads of tasks must not, and nobody waits for it
      // once the task is canceled.
      let (chunks, continuation) = AsyncStream.makeStream(of: TrackChunk.self)
      DispatchQueue.global().async {
        continuation.yield(chunk(of: track.id, input))
      }
      for await chunk in chunks { return chunk }
      throw CancellationError()
    }
  }

  private func chunk(of id: String, _ input: GPXInput) -> TrackChunk {
    let (info, failure) = read(id, input)
    return chunk(of: id, info, failure)
  }

  private func chunk(of id: String, _ info: TrackInfo?, _ failure: Failure?) -> TrackChunk {
    let failure = failure?.naming(id)
    var text = TextBuffer()
    text.append(contentsOf: self.text(of: info, id, failure))
    let way = info?.overview.way
    return TrackChunk(
      text,
      outcome: TrackOutcome(
        TrackTotals(
          locations: 0, photos: 0, length: way?.length ?? 0,
          skipped: info?.overview.issues.skipped ?? 0), failure: failure))
  }

  /// The text for what was read of a track, and why that is not all.
  func text(of info: TrackInfo?, _ id: String, _ failure: Failure?) -> String {
    switch format {
    case .text: info?.text(style: style) ?? ""
    case .ndjson where namesTracks: TrackInfo.json(track: id, info, failure).serialized + "\n"
    case .ndjson: info.map { $0.json.serialized + "\n" } ?? ""
    }
  }

  /// Reads a file to its end or to where it breaks off.
  ///
  /// - Returns: the facts of what was read, if anything was, and why that is not all.
  func read(_ name: String, _ input: GPXInput) -> (info: TrackInfo?, failure: Failure?) {
    var overview = GPXOverview()
    var onTracks = CitiesPassed(cities)
    var onRoutes = CitiesPassed(cities)
    var isEmpty = true
    var failure: Failure?
    do {
      try GPXReader(input, readsDetails: false).read { event in
        isEmpty = false
        if let issue = overview.receive(event) { console.warn(of: issue, in: name) }
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
    console.warn(ofUnshown: overview.issues, in: name)
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
