import GPX
import Geodesy
import Locations

extension GPXInput {
  /// A part of a track as a track of its own, in memory, with the metadata and the name of the whole.
  ///
  /// - Parameters:
  ///   - fixes: the fixes of the track.
  ///   - options: the options of the replay, with the part.
  ///   - creator: the program that is named in the track.
  /// - Throws: an error of reading, or `ReplayError` for a part beyond the end.
  package func part(
    of fixes: GPXFixes, _ options: ReplayOptions, creator: String
  ) async throws -> GPXInput {
    var options = options
    options.interpolation = .off
    let provider = ReplayLocationProvider(
      batches: fixes, speed: .max, clock: ContinuousClock(), options: options)
    var segments: [GPXSegment] = []
    var segment: Int?
    for try await update in provider.updates() {
      guard let fix = update.location else { continue }
      if fix.segment != segment { segments.append(GPXSegment()) }
      segment = fix.segment
      segments[segments.count - 1].points.append(GPXWaypoint(fix))
    }
    let whole = try GPXDocument(reading: self)
    let name = whole.tracks.first?.name ?? whole.routes.first?.name
    let document = GPXDocument(
      metadata: whole.metadata, tracks: [GPXTrack(GPXDetails(name: name), segments: segments)])
    return .bytes([UInt8](document.data(creator: creator)), name: self.name ?? "track.gpx")
  }
}
