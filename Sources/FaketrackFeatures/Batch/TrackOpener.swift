import FaketrackSupport
import Foundation
import GPX

/// Opens the tracks of the files and folders that the user names, on the command line and in the app.
package struct TrackOpener: Sendable {
  private let source: GPXSource
  private let converter: TrackConverter?
  /// Receives the failure of each track that is left out.
  private let report: @Sendable (Failure) -> Void

  /// - Parameters:
  ///   - source: the kind of points that are walked.
  ///   - converter: converts tracks of other formats.
  package init(
    source: GPXSource = .auto, converter: TrackConverter? = nil,
    report: @escaping @Sendable (Failure) -> Void = { _ in }
  ) {
    self.source = source
    self.converter = converter
    self.report = report
  }

  /// The tracks of files, and of all files in folders, which are read later.
  ///
  /// - Throws: the first ``Failure`` if no track can be opened.
  package func tracks(at paths: [String]) async throws -> [Track] {
    var tracks: [Track] = []
    var failures: [Failure] = []
    let files = try BatchTracks(paths, converter: converter)
    while let file = try await files.next() {
      do {
        let name = URL(fileURLWithPath: file.id).lastPathComponent
        tracks.append(Track(try file.input.get(), name: name, source: source))
      } catch {
        failures.append(error)
      }
    }
    if tracks.isEmpty, let failure = failures.first { throw failure }
    failures.forEach(report)
    return tracks
  }
}
