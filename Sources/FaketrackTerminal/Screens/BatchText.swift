import FaketrackFeatures
import FaketrackSupport

/// Messages about a batch of tracks.
package enum BatchText {
  /// The result of a replay.
  ///
  /// - Parameters:
  ///   - leftOut: tracks that a previous output holds.
  ///   - brokenOff: locations that were written of a track that broke off.
  ///   - calls: calls to photo services; `nil` for walks without photos.
  package static func summary(
    of tally: BatchTally, leftOut: Int, brokenOff: Int = 0, calls: Int?
  ) -> String {
    var facts = [Quantity.count(tally.tracks, "track")]
    if leftOut > 0 { facts.append("\(Quantity.grouped(leftOut)) left out") }
    if tally.failed > 0 { facts.append("\(Quantity.grouped(tally.failed)) failed") }
    facts.append(Quantity.count(tally.totals.locations, "location"))
    facts.append(Quantity.distance(tally.totals.length))
    if let calls {
      facts.append(Quantity.count(tally.totals.photos, "photo"))
      let saved = max(0, tally.searches - calls)
      facts.append("\(Quantity.count(calls, "call")) (\(Quantity.grouped(saved)) saved)")
    }
    if tally.totals.skipped > 0 {
      facts.append("\(Quantity.count(tally.totals.skipped, "point")) skipped")
    }
    if brokenOff > 0 {
      facts.append("\(Quantity.count(brokenOff, "location")) of a track that broke off")
    }
    return facts.joined(separator: ", ")
  }

  /// The line that a terminal shows during the run.
  ///
  /// - Parameters:
  ///   - leftOut: tracks that a previous output holds.
  ///   - total: the number of all tracks, if it is known.
  ///   - elapsed: seconds since the run began.
  ///   - waiting: the reason why it waits, such as a service that asked for a pause.
  package static func progress(
    _ tally: BatchTally, leftOut: Int, of total: Int?, elapsed: Double, waiting: String? = nil,
    style: TerminalStyle
  ) -> String {
    var columns: [String] = []
    let done = tally.tracks + leftOut
    if let total, total > 0 {
      columns.append(ProgressLine.bar(min(1, Double(done) / Double(total))))
      columns.append("\(Quantity.grouped(done)) of \(Quantity.count(total, "track"))")
    } else {
      columns.append(Quantity.count(done, "track"))
    }
    if tally.failed > 0 { columns.append("\(Quantity.grouped(tally.failed)) failed") }
    if tally.totals.photos > 0 { columns.append(Quantity.count(tally.totals.photos, "photo")) }
    if let waiting {
      columns.append(waiting)
    } else if let total, tally.tracks > 0, elapsed > 1 {
      let left = elapsed * Double(max(0, total - done)) / Double(tally.tracks)
      columns.append("\(Quantity.duration(left)) left")
    }
    return style.fitted(columns.joined(separator: "  "))
  }
}
