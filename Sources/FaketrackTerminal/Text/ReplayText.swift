import FaketrackFeatures
import FaketrackServices
import FaketrackSupport
import GPX
import Geodesy
import Locations
import PhotoSearch

/// Messages about a replay of one track or many.
package enum ReplayText {
  /// The result of a walk.
  ///
  /// - Parameters:
  ///   - skipped: the points of its file that could not be used.
  ///   - isMadeUp: whether the photos are samples, for which no service is called.
  package static func summary(
    of state: TrackingState, skipped: Int, hasOwnPhotos: Bool = false, isMadeUp: Bool = false
  ) -> String {
    let totals = TrackTotals(state, skipped: skipped)
    var facts: [String?] = [
      Quantity.count(totals.locations, "location"), Quantity.distance(totals.length),
    ]
    if let counts = state.searches {
      // A photo that was found and could not be downloaded is a failure too.
      let lost = state.failedDownloads
      let failed = state.failures - lost
      facts += [
        Quantity.count(totals.photos, "photo"),
        some(totals.locations - totals.photos - failed, "without a photo"),
        some(lost, "not downloaded"),
        failed > 0 ? Quantity.count(failed, "failed search", plural: "failed searches") : nil,
        isMadeUp ? nil : text(calls: counts.calls, saved: counts.saved),
      ]
    } else if hasOwnPhotos {
      facts.append(Quantity.count(totals.photos, "photo"))
    }
    return text(facts + [text(skipped: skipped)])
  }

  /// The result of a walk on the screens, with its jumps; `nil` if nothing was walked.
  package static func summary(ofVisible state: TrackingState) -> String? {
    guard state.walkedDistance > 0 else { return nil }
    let time = WalkFigure.elapsed.text(state).map { " in \($0)" } ?? ""
    return text([
      "walked " + Quantity.distance(state.walkedDistance) + time,
      state.searchesPhotos ? Quantity.count(state.photos.count, "photo") : nil,
    ])
  }

  /// The result of a batch.
  ///
  /// - Parameters:
  ///   - leftOut: tracks that a previous output holds.
  ///   - brokenOff: locations that were written of a track that broke off.
  ///   - calls: calls to photo services; `nil` for walks without photos.
  ///   - remoteSearches: the searches that reached a service.
  ///   - hasOwnPhotos: whether the photos are the user's own.
  ///   - isMadeUp: whether the photos are samples.
  package static func summary(
    of tally: BatchTally, leftOut: Int, brokenOff: Int = 0, calls: Int?,
    remoteSearches: Int = 0, hasOwnPhotos: Bool = false, isMadeUp: Bool = false
  ) -> String {
    var facts = [
      Quantity.count(tally.tracks, "track"), some(leftOut, "left out"),
      some(tally.failed, "failed"), Quantity.count(tally.totals.locations, "location"),
      Quantity.distance(tally.totals.length),
    ]
    if let calls {
      facts.append(Quantity.count(tally.totals.photos, "photo"))
      if !isMadeUp {
        facts.append(text(calls: calls, saved: max(0, tally.searches - remoteSearches)))
      }
    }
    if hasOwnPhotos { facts.append(Quantity.count(tally.totals.photos, "photo")) }
    facts.append(text(skipped: tally.totals.skipped))
    if brokenOff > 0 {
      facts.append("\(Quantity.count(brokenOff, "location")) of a track that broke off")
    }
    return text(facts)
  }

  /// The line that a terminal shows during a walk.
  ///
  /// - Parameters:
  ///   - share: the share of the walk that is done, 0 ... 1, if it is known.
  ///   - elapsed: seconds since it began, by the user's clock.
  ///   - waiting: the reason why it waits, such as a service that asked for a pause.
  package static func progress(
    _ state: TrackingState, share: Double?, elapsed: Double, waiting: String? = nil,
    style: TerminalStyle
  ) -> String {
    let percent = share.map { "\(DecimalText.fixed(($0 * 100).rounded(.down), places: 0))%" }
    let hold = state.phase == .paused ? "paused" : state.isAvailable ? nil : "no signal"
    let rest = share.flatMap { $0 > 0.01 && elapsed > 1 ? elapsed * (1 - $0) / $0 : nil }
    return style.progress([
      share.map { bar($0) + " " + (percent ?? "").padded(toColumns: 4, onLeft: true) },
      Quantity.distance(state.partDistance), state.city?.city.name.safeForTerminal,
      Quantity.count(state.found, "photo"), some(state.failures, "failed"),
      waiting ?? hold ?? rest.map { "\(Quantity.duration($0)) left" },
    ])
  }

  /// The same for a batch.
  ///
  /// - Parameters:
  ///   - leftOut: tracks that a previous output holds.
  ///   - total: the number of all tracks, if it is known.
  package static func progress(
    _ tally: BatchTally, leftOut: Int, of total: Int?, elapsed: Double, waiting: String? = nil,
    style: TerminalStyle
  ) -> String {
    let done = tally.tracks + leftOut
    let total = total.flatMap { $0 > 0 ? $0 : nil }
    let tracks = Quantity.count(total ?? done, "track")
    let rest = total.map { elapsed * Double(max(0, $0 - done)) / Double(max(1, tally.tracks)) }
    return style.progress([
      total.map { bar(min(1, Double(done) / Double($0))) },
      total == nil ? tracks : "\(Quantity.grouped(done)) of \(tracks)",
      some(tally.failed, "failed"),
      tally.totals.photos > 0 ? Quantity.count(tally.totals.photos, "photo") : nil,
      waiting
        ?? rest.flatMap {
          tally.tracks > 0 && elapsed > 1 ? "\(Quantity.duration($0)) left" : nil
        },
    ])
  }

  /// The problems with the times of a track; `nil` when every time could be used.
  ///
  /// - Parameter walkingSpeed: the walking speed of the replay, in meters per second; `nil` without a
  ///   replay, which leaves out missing and repeated times.
  package static func note(on times: UnusableTimes, walkingSpeed: Double?) -> String? {
    func counts(_ counts: (Int, of: String, String)..., result: String) -> String? {
      let facts = counts.filter { $0.0 > 0 }.map { "\(Quantity.count($0.0, $0.of)) \($0.2)" }
      return facts.isEmpty ? nil : "\(facts.joined(separator: ", ")): \(result)"
    }
    let line = times.firstOutOfLine.map { ", the first in line \($0)" } ?? ""
    let notes = [
      walkingSpeed.flatMap {
        counts(
          (times.missing, "point", "without a time"),
          (times.repeated, "point", "with the time of the point before"),
          result: "assuming \($0.rounded(places: 2)) m/s")
      },
      counts((times.outOfLine, "time", "out of line\(line)"), result: "left out"),
      counts(
        (times.stepsBack, "step", "back in time"), (times.leaps, "step", "of more than 366 days"),
        result: "kept as recorded, not counted as time"
          + (times.segmentsOutOfOrder > 0
            ? " (replay --sort-by-time walks in the order of the times)" : "")),
      counts(
        (times.jumps, "leg", "longer than 5 km"), (times.longLegs, "leg", "of more than 6 h"),
        result: "not interpolated"),
    ].compactMap(\.self)
    return notes.isEmpty ? nil : notes.joined(separator: "; ")
  }

  /// The positions of a track that are outliers; `nil` without any.
  ///
  /// - Parameters:
  ///   - length: the length of the track with them, in meters; `nil` if it is not known.
  ///   - areLeftOut: whether the track was read without them.
  package static func note(
    on outliers: PositionOutliers, length: Double? = nil, areLeftOut: Bool = false
  ) -> String? {
    guard outliers.count > 0 else { return nil }
    let line =
      outliers.firstLine.map {
        outliers.count == 1 ? " in line \($0)" : ", the first in line \($0)"
      } ?? ""
    let lengths = length.map {
      "\(Quantity.distance($0)) with \(outliers.count == 1 ? "it" : "them"), "
        + "\(Quantity.distance(max(0, $0 - outliers.detour))) without"
    }
    let remedy = "replay --skip-outliers leaves \(outliers.count == 1 ? "it" : "them") out"
    let facts = areLeftOut ? ["left out"] : [lengths, remedy].compactMap(\.self)
    return "\(Quantity.count(outliers.count, "position")) off the track\(line): "
      + facts.joined(separator: "; ")
  }

  /// The elevations of a track that are outliers; `nil` without any.
  package static func note(on outliers: ElevationOutliers) -> String? {
    guard outliers.count > 0 else { return nil }
    let line = outliers.firstLine.map { ", the first in line \($0)" } ?? ""
    return
      "\(Quantity.count(outliers.count, "elevation")) far from the others\(line): not counted as ascent"
  }

  /// The numbers of failed searches and downloads of photos, and the first reason; `nil` for none.
  ///
  /// - Parameter totals: all locations and photos.
  package static func note(on failures: PhotoFailures, of totals: TrackTotals) -> String? {
    guard let first = failures.first else { return nil }
    func part(_ count: Int, of total: Int, _ words: String) -> String? {
      some(count, "of \(Quantity.grouped(total)) photo \(words)")
    }
    let parts = [
      part(failures.searches, of: totals.locations, "searches"),
      part(failures.downloads, of: totals.photos, "downloads"),
    ].compactMap(\.self)
    return "\(parts.joined(separator: " and ")) failed; the first: \(first)"
  }

  package static func line(for event: ServiceEvent) -> String {
    switch event {
    case .called(let call):
      let outcome = call.failure ?? call.status.map { "HTTP \($0)" } ?? "done"
      let attempt = call.attempt > 1 ? ", attempt \(call.attempt)" : ""
      let time = DecimalText.fixed(call.duration / .seconds(1), places: 3)
      return "call: \(call.service) \(call.url) \(outcome), \(time) s\(attempt)".safeForTerminal
    case .waiting(let service, let duration, let cause):
      let reason =
        switch cause {
        case .retry: "before another attempt"
        case .retryAfter: "as the service asks"
        case .budget: "as the budget of calls is used up"
        }
      let time = DecimalText.fixed(duration / .seconds(1), places: 2)
      return "wait: \(service) \(time) s \(reason)"
    }
  }

  private static func text(_ facts: [String?]) -> String {
    facts.compactMap(\.self).joined(separator: ", ")
  }

  private static func text(calls: Int, saved: Int) -> String {
    "\(Quantity.count(calls, "call")) (\(Quantity.grouped(saved)) saved)"
  }

  private static func text(skipped: Int) -> String? {
    skipped > 0 ? "\(Quantity.count(skipped, "point")) skipped" : nil
  }

  /// A number and its words; `nil` for none.
  private static func some(_ number: Int, _ words: String) -> String? {
    number > 0 ? "\(Quantity.grouped(number)) \(words)" : nil
  }

  private static func bar(_ share: Double) -> String {
    let width = 20
    let full = Int((share * Double(width)).rounded(.down))
    return String(repeating: "━", count: full) + String(repeating: "┄", count: width - full)
  }
}
