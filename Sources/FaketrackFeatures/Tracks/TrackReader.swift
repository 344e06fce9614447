import Foundation
import GPX

/// Reads a track during a replay, and words its notes, warnings and failures.
package struct TrackReader: Sendable {
  /// The fixes of the track.
  package let fixes: GPXFixes
  /// The name of the input in messages.
  package let name: String
  private let note: @Sendable (String) -> Void

  /// - Parameters:
  ///   - isLooped: whether the track is replayed more than once.
  ///   - isMeasured: whether ``share(at:laps:)`` is used.
  ///   - isOneOfMany: whether other tracks are read at the same time. A small one is then read
  ///     without a thread, and the choice of the source is not noted.
  ///   - note: shows a line to the user.
  package init(
    _ file: TrackFile, isStrict: Bool = false, isLooped: Bool = false, isMeasured: Bool = false,
    isOneOfMany: Bool = false, note: @escaping @Sendable (String) -> Void
  ) {
    let name = file.input.name ?? "the input"
    self.name = name
    self.note = note
    var options: GPXFixes.Options = []
    if isLooped { options.insert(.repeats) }
    if isMeasured { options.insert(.measures) }
    if isOneOfMany { options.insert(.readsSmallFilesInPlace) }
    let notesSource = file.source == .auto && !isOneOfMany
    fixes = GPXFixes(file.input, source: file.source, isStrict: isStrict, options: options) {
      event in
      switch event {
      case .source(let kind): if notesSource { note("walking: \(kind.plural) of \(name)") }
      case .issue(let issue): note(issue.warning(in: name))
      case .fixes: break
      }
    }
  }

  /// The number of points that could not be used.
  package var skipped: Int { fixes.issues.skipped }

  /// The share of the track before a place, 0 ... 1; `nil` as long as it is not known, and for a track
  /// that is not measured.
  ///
  /// - Parameter meters: the place, which must not be before that of an earlier call.
  package func share(at meters: Double, laps: Int) -> Double? {
    fixes.share(at: meters, laps: laps)
  }

  /// Notes how many issues were not shown individually.
  package func reportUnshownIssues() {
    fixes.issues.summaries(in: name).forEach(note)
  }

  /// The failure of a file that has been read without finding a usable point of its source.
  package var nothingToReplay: Failure {
    Failure(message: "\(name): nothing to replay: \(list)", hint: hint, kind: .unusableInput)
  }

  /// `3 routes without points, 12 waypoints`.
  private var list: String {
    let contents = fixes.contents
    let parts = [
      path("track", contents.tracks, contents.points[.trackPoint], "track point"),
      path("route", contents.routes, contents.points[.routePoint], "route point"),
      contents.points[.waypoint].map { Quantity.count($0, "waypoint") },
    ].compactMap(\.self)
    return parts.isEmpty ? "no tracks, routes or waypoints" : parts.joined(separator: ", ")
  }

  private func path(_ noun: String, _ number: Int, _ points: Int?, _ point: String) -> String? {
    guard let points else {
      let adjective = skipped > 0 ? "usable " : ""
      return number == 0 ? nil : "\(Quantity.count(number, noun)) without \(adjective)points"
    }
    // A point may be outside of any track or route.
    return number == 0
      ? Quantity.count(points, point)
      : "\(Quantity.count(number, noun)) with \(Quantity.count(points, "point"))"
  }

  private var hint: String {
    let sources: [GPXSource] = [.tracks, .routes, .waypoints]
    let points = fixes.contents.points
    if let source = sources.first(where: { $0.kind.flatMap { points[$0] } != nil }) {
      return "Walk its \(source) with --source \(source)."
    }
    return skipped > 0
      ? "Mend the points that the warnings name, or give another file."
      : "Give a file with points."
  }
}

extension GPXPointKind {
  /// The source of such points: `tracks`, `routes` or `waypoints`.
  fileprivate var plural: GPXSource {
    switch self {
    case .trackPoint: .tracks
    case .routePoint: .routes
    case .waypoint: .waypoints
    }
  }
}

extension GPXIssue {
  /// A line that shows the issue to the user.
  package func warning(in name: String) -> String {
    "warning: \(description(in: name))"
  }
}

extension GPXIssueLog {
  /// A line for each kind of issue that was not always shown.
  package func summaries(in name: String) -> [String] {
    unshown.map { "warning: \(name): \($0.kind): \(Quantity.grouped($0.count)) more" }
  }
}
