import FaketrackSupport
import Receivers

extension OutputFormat {
  /// The sentences of NMEA 0183, a fix every second, as a receiver sends them. Without a signal,
  /// they have no position.
  package static let nmea = OutputFormat(
    "nmea", showsPhotos: false, distanceFilter: 0, interval: 1, repeatsLoss: true
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
