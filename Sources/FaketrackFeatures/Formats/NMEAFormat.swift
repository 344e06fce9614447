import FaketrackSupport
import Receivers

extension OutputFormat {
  /// The sentences of NMEA 0183, a fix every second, as a receiver sends them. Without a signal,
  /// they have no position.
  package static let nmea = OutputFormat(
    "nmea",
    summary: """
      RMC, VTG, GSA and GGA each second; GST where the accuracy is known.
      Without a signal, RMC is V, GGA has quality 0, and both have no
      position. The number of satellites and the dilution of precision
      follow the accuracy; without one, the number is the fewest that
      a fix needs: 3, or 4 with an elevation.
      """,
    showsPhotos: false, distanceFilter: 0, interval: 1, repeatsLoss: true
  ) { _ in NMEARenderer() }
}

private struct NMEARenderer: VisitRenderer {
  private var sentences = NMEASentences()

  mutating func append(_ event: WalkEvent, to text: inout TextBuffer) {
    if event.change == .signalLost { sentences.appendLoss(at: event.time, to: &text) }
  }

  mutating func append(_ visit: Visit, to text: inout TextBuffer) {
    sentences.append(visit.fix, to: &text)
  }
}
