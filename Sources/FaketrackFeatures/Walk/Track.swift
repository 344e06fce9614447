import Dispatch
import FaketrackSupport
import GPX
import Geodesy
import Locations

/// A receiver, which delivers the locations of a walk, and every fix while the walk is not paused.
package protocol LiveLocationProviding: LocationProviding {
  /// Every fix, on a separate connection.
  func liveUpdates() -> LocationUpdates
}

/// A track to walk: the points of a file that are walked, or a receiver.
package struct Track: Sendable {
  package enum Origin: Sendable {
    case file(GPXInput)
    case receiver(any LiveLocationProviding)
  }

  /// The limit for reading a file from a source that may send anything.
  package struct Limit: Hashable, Sendable {
    package var points: Int
    package var time: Duration
    /// The remedy for a file beyond the limit.
    package var hint: String

    package init(points: Int, time: Duration, hint: String) {
      self.points = points
      self.time = time
      self.hint = hint
    }
  }

  package var name: String
  package let origin: Origin
  package var source = GPXSource.auto
  /// The only track or route of the file that is walked; `nil` for all.
  package private(set) var choice: GPXTrackChoice?
  package var repairs: GPXFixes.Repairs = []
  /// Left out.
  package private(set) var areas = PrivateAreas()
  /// Whether the first issue of a point ends the reading with an error.
  private var isStrict = false
  /// `nil` without a limit.
  package var limit: Limit?
  private var recording: GPXRecording?

  package init(
    _ input: GPXInput, name: String? = nil, source: GPXSource = .auto,
    choice: GPXTrackChoice? = nil, without areas: PrivateAreas = PrivateAreas(),
    isStrict: Bool = false, limit: Limit? = nil
  ) {
    origin = .file(input)
    self.name = name ?? input.shownName
    self.source = source
    self.choice = choice
    self.areas = areas
    self.isStrict = isStrict
    self.limit = limit
  }

  package init(receiver: any LiveLocationProviding, name: String) {
    origin = .receiver(receiver)
    self.name = name
  }

  /// A track in memory, with fixes that a replay has delivered.
  private init(_ fixes: [Fix], title: String?, like track: Track) {
    self.init(track.input, name: track.name, without: track.areas)
    recording = GPXRecording(fixes, title: title)
  }

  /// The input of a file; a receiver has an empty one.
  package var input: GPXInput {
    if case .file(let input) = origin { input } else { .bytes([], name: name) }
  }

  /// The bytes of the file if they are in memory.
  var memory: Int {
    if case .file(.bytes(let bytes, _)) = origin { bytes.count } else { 0 }
  }

  /// The track of a receiver on the screens; `nil` for others.
  var live: LiveTrack? {
    if case .receiver(let receiver) = origin { receiver as? LiveTrack } else { nil }
  }

  /// Whether it is a receiver, which does not go back.
  package var isLive: Bool {
    if case .receiver = origin { true } else { false }
  }

  /// The same track, kept in memory: its file is opened once, for all readers.
  ///
  /// - Parameter hasOutline: whether names and waypoints are kept, too.
  package func recorded(hasOutline: Bool = false) -> Track {
    if recording != nil { return self }
    var track = self
    track.recording = GPXRecording(
      input, isStrict: isStrict, readsOutline: hasOutline || choice != nil)
    return track
  }

  /// The fixes that are walked.
  ///
  /// - Parameters:
  ///   - laps: the number of iterations of an input that can be read only once.
  ///   - isMeasured: whether their share of the track is asked for.
  ///   - isOneOfMany: whether the iterating task reads a small file, which takes less than a thread
  ///     for each.
  ///   - isWhole: whether the areas are not left out.
  ///   - report: receives the source and the first issues of the first iteration.
  package func fixes(
    laps: Int = 1, isMeasured: Bool = false, isOneOfMany: Bool = false, isWhole: Bool = false,
    report: @escaping @Sendable (GPXFixes.Event) -> Void = { _ in }
  ) -> GPXFixes {
    GPXFixes(
      input, recording: recording, source: source, choice: choice, repairs: repairs,
      isStrict: isStrict,
      isRepeated: laps > 1, isMeasured: isMeasured, readsInPlace: isOneOfMany,
      makeFilter: isWhole ? nil : areas.makeFilter, report: report)
  }

  /// Reads all parts of the file, and passes them on in their order.
  ///
  /// - Throws: `GPXError` after what is before the place of the error, and errors of the handler.
  package func read(_ handler: (GPXEvent) throws -> Void) throws {
    if let recording { return try recording.read(handler) }
    try GPXReader(input, isStrict: isStrict, readsDetails: false).read(handler)
  }

  /// Reads a part of the track into memory.
  ///
  /// - Parameter options: the options of the replay, with the part.
  /// - Returns: the part under the name of the whole, and its range in meters along the whole; `nil`
  ///   without a point.
  /// - Throws: an error of reading, or `ReplayError` for a part beyond the end.
  package func part(
    _ options: ReplayOptions
  ) async throws -> (track: Track, range: ClosedRange<Double>?) {
    let provider = ReplayLocationProvider(
      batches: fixes().batches, speed: .max, clock: ContinuousClock(), options: options)
    var fixes: [Fix] = []
    var (start, end): (Double?, Double?)
    for try await update in provider.updates() {
      guard var fix = update.location else { continue }
      (start, end) = (start ?? fix.distance, fix.distance)
      (fix.distance, fix.elapsed) = (nil, nil)
      fixes.append(fix)
    }
    let title = try await DispatchQueue(label: "faketrack.track").blocking { [self] in
      (try? TrackShape(reading: self))?.name
    }
    let range = start.flatMap { start in end.map { start...max(start, $0) } }
    return (Track(fixes, title: title, like: self), range)
  }
}
