import GPX
import Geodesy
import Locations

/// A part of a track as a track in memory, with the metadata and the name of the whole.
package struct TrackPart: Sendable {
  package let input: GPXInput
  /// The part in meters along the whole track; `nil` without a point.
  package let range: ClosedRange<Double>?

  /// Reads the part of a track.
  ///
  /// - Parameters:
  ///   - fixes: the fixes of the track.
  ///   - options: the options of the replay, with the part.
  ///   - choice: the chosen track of the file, which gives its name.
  ///   - creator: the program that is named in the part.
  /// - Throws: an error of reading, or `ReplayError` for a part beyond the end.
  package init(
    of whole: GPXInput, _ fixes: GPXFixes, _ options: ReplayOptions, choice: GPXTrackChoice?,
    creator: String
  ) async throws {
    let provider = ReplayLocationProvider(
      batches: fixes, speed: .max, clock: ContinuousClock(), options: options)
    var segments: [GPXSegment] = []
    var (segment, start, end): (Int?, Double?, Double?)
    for try await update in provider.updates() {
      guard let fix = update.location else { continue }
      if fix.segment != segment { segments.append(GPXSegment()) }
      segment = fix.segment
      segments[segments.count - 1].points.append(GPXWaypoint(fix))
      (start, end) = (start ?? fix.distance, fix.distance)
    }
    range = start.flatMap { start in end.map { start...max(start, $0) } }
    let document = try GPXDocument(reading: whole)
    let names = document.tracks.map(\.name) + document.routes.map(\.name)
    let name: String? =
      switch choice {
      case .name(let name): name
      case .number(let number): names.dropFirst(number - 1).first ?? nil
      case nil: names.first ?? nil
      }
    let part = GPXDocument(
      metadata: document.metadata,
      tracks: [GPXTrack(GPXDetails(name: name), segments: segments)])
    input = .bytes([UInt8](part.data(creator: creator)), name: whole.name ?? "track.gpx")
  }
}
