import Cities
import FaketrackFeatures
import FaketrackSupport
import GPX

extension TrackInfo {
  /// The known facts for reading, a line each.
  package func text(style: TerminalStyle) -> String {
    let tracks = overview.statistics
    let statistics = overview.walked.statistics
    let skipped = overview.issues.skipped
    let moving = statistics.movingSeconds.map { ", \(Quantity.duration($0)) of it moving" } ?? ""
    let bounds = statistics.bounds.map {
      [$0.minimumLatitude, $0.minimumLongitude, $0.maximumLatitude, $0.maximumLongitude]
        .map { DecimalText.fixed($0, places: 5) }
    }
    let from = statistics.start.flatMap { style.clocks.time($0, near: start) }
    let to = statistics.end.flatMap { style.clocks.time($0, near: end) }
    let rows: [(name: String, value: String?)] = [
      ("tracks", "\(overview.tracks), \(Quantity.count(tracks.segments, "segment"))"),
      ("routes", Quantity.grouped(overview.routes)),
      ("waypoints", Quantity.grouped(overview.waypoints)),
      ("points", Quantity.grouped(tracks.points)),
      ("skipped", skipped > 0 ? Quantity.grouped(skipped) : nil),
      ("length", Quantity.distance(statistics.length)),
      ("duration", statistics.durationSeconds.map { Quantity.duration($0) + moving }),
      ("ascent", statistics.hasElevations ? Quantity.height(statistics.ascent) : nil),
      ("descent", statistics.hasElevations ? Quantity.height(statistics.descent) : nil),
      ("bounds", bounds.map { "\($0[0]), \($0[1]) to \($0[2]), \($0[3])" }),
      ("time", from.flatMap { from in to.map { LocalTime.text(from: from, to: $0) } }),
      ("cities", cities.flatMap { $0.isEmpty ? nil : $0.joined(separator: ", ") }),
      ("photos", photos?.summary),
      ("clock", photos?.suggestion),
    ]
    let lines = rows.compactMap { name, value in
      value.map { "  " + style.dim(name.padded(toColumns: 10)) + $0.safeForTerminal }
    }
    return ([style.bold(file.safeForTerminal)] + lines).joined(separator: "\n") + "\n"
  }
}
