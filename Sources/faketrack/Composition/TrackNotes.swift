import FaketrackFeatures
import FaketrackSupport
import GPX
import Locations

extension Console {
  /// Notes the source of a track, and what cannot be used in its file.
  func notes(
    on track: Track, isOneOfMany: Bool = false
  ) -> @Sendable (GPXFixes.Event) -> Void {
    let (name, source) = (track.input.shownName, track.source)
    return { [self] event in
      switch event {
      case .source(let kind) where source == .auto && !isOneOfMany:
        let plural = GPXSource.allCases.first { $0.kind == kind } ?? source
        note("walking: \(plural) of \(name)")
      case .issue(let issue): note(issue, in: name)
      case .source, .fixes: break
      }
    }
  }
}

extension Failure {
  /// A file has been read without finding a usable point of its source, or of the part to replay.
  ///
  /// - Parameters:
  ///   - start: the place at which a part without points starts; `nil` if no part was reached.
  ///   - end: the end of the part.
  static func nothingToReplay(
    in fixes: GPXFixes, partFrom start: TrackProgress?, to end: ReplayPosition
  ) -> Failure {
    if let start { return emptyPart(of: fixes, from: start, to: end) }
    let (contents, skipsPoints) = (fixes.contents, fixes.issues.skipped > 0)
    if let choice = fixes.choice, let kind = contents.kind, kind != .waypoint {
      return unknownTrack(choice, kind, in: fixes)
    }
    if fixes.isFiltered, contents.kind != nil {
      return Failure(
        message: "\(fixes.input.shownName): every point is in an area of --privacy",
        hint: "Give a smaller radius.", kind: .unusableInput)
    }
    let adjective = skipsPoints ? "usable " : ""
    func path(_ noun: String, _ number: Int, _ kind: GPXPointKind, _ point: String) -> String? {
      guard let points = contents.points[kind] else {
        return number == 0 ? nil : "\(Quantity.count(number, noun)) without \(adjective)points"
      }
      // A point may be outside of any track or route.
      return number == 0
        ? Quantity.count(points, point)
        : "\(Quantity.count(number, noun)) with \(Quantity.count(points, "point"))"
    }
    let parts = [
      path("track", contents.tracks, .trackPoint, "track point"),
      path("route", contents.routes, .routePoint, "route point"),
      contents.points[.waypoint].map { Quantity.count($0, "waypoint") },
    ].compactMap(\.self)
    let list = parts.isEmpty ? "no tracks, routes or waypoints" : parts.joined(separator: ", ")
    let other = GPXSource.allCases.first { $0.kind.flatMap { contents.points[$0] } != nil }
    // A choice among tracks leaves out waypoints, which --source alone would not change.
    let isChoice = fixes.choice != nil && other == .waypoints
    let hint =
      if isChoice {
        "Replay its waypoints with --source waypoints, without --track."
      } else if let other {
        "Replay its \(other) with --source \(other)."
      } else if skipsPoints {
        "Fix the points that the warnings name, or give another file."
      } else {
        "Give a file with points."
      }
    let cause = isChoice ? " with --track" : ""
    return Failure(
      message: "\(fixes.input.shownName): nothing to replay\(cause): \(list)", hint: hint,
      kind: .unusableInput)
  }
}

extension Failure {
  /// A part has no points because it ends before it starts, or lies between two points.
  private static func emptyPart(
    of fixes: GPXFixes, from start: TrackProgress, to end: ReplayPosition
  ) -> Failure {
    let name = fixes.input.shownName
    let (from, to): (Double, Double)
    let unit: String
    switch end.place {
    case .meters(let meters): (from, to, unit) = (start.walked, meters, "m")
    case .elapsed(let elapsed): (from, to, unit) = (start.elapsed, elapsed / .seconds(1), "s")
    case .start, .end: (from, to, unit) = (0, 0, "")
    }
    guard to < from else {
      return Failure(
        message: "\(name): no point between --from and --to", hint: "Give a longer part.",
        kind: .unusableInput)
    }
    let numbers = [to, from].map { "\(DecimalText.fixed($0, places: 1)) \(unit)" }
    return Failure(
      message: "\(name): --to, at \(numbers[0]), is before --from, at \(numbers[1])",
      hint: "Give a --to of \(DecimalText.fixed(from.rounded(.up), places: 0)) \(unit) or more.",
      kind: .wrongUsage)
  }

  /// The track or route that was chosen is not in a file, or has no points.
  private static func unknownTrack(
    _ choice: GPXTrackChoice, _ kind: GPXPointKind, in fixes: GPXFixes
  ) -> Failure {
    let isTrack = kind == .trackPoint
    let (noun, count) =
      isTrack ? ("track", fixes.contents.tracks) : ("route", fixes.contents.routes)
    let wanted =
      switch choice {
      case .number(let number): "\(noun) \(number)"
      case .name(let name): "\(noun) \"\(name)\""
      }
    let shown = (1...max(1, count)).prefix(20).map { number in
      let name = fixes.contents.names[kind]?[number].map { " \($0.shortLine(limit: 40))" }
      return "\(number)\(name ?? "")"
    }
    let more = count > shown.count ? ", …" : ""
    return Failure(
      message: "\(fixes.input.shownName): no \(wanted) with usable points",
      hint:
        "Choose one of \(Quantity.count(count, noun)): \(shown.joined(separator: ", "))\(more).",
      kind: .unusableInput)
  }
}

extension Console {
  /// Shows an issue of a file.
  func note(_ issue: GPXIssue, in name: String) {
    note("\(issue.kind.isNote ? "note" : "warning"): \(issue.description(in: name))")
  }

  /// Shows how many issues of each kind were not shown one by one.
  func noteUnshown(_ issues: GPXIssueLog, in name: String) {
    for (kind, count) in issues.unshown {
      note("\(kind.isNote ? "note" : "warning"): \(name): \(kind): \(Quantity.grouped(count)) more")
    }
  }
}
