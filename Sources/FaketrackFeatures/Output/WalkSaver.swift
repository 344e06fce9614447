import Dispatch
import FaketrackSupport
import Foundation

/// Saves what is known of a walk in a new file, whose ending names the format.
package struct WalkSaver: Sendable {
  /// The endings of the formats.
  package static let endings = [".ndjson", ".csv", ".geojson", ".gpx", ".html"]

  private let makePage: @Sendable (TrackingState) throws -> String

  /// - Parameter makePage: makes the page of a walk.
  package init(makePage: @escaping @Sendable (TrackingState) throws -> String) {
    self.makePage = makePage
  }

  /// - Throws: `FileError` or ``Failure``; there is no file then that was not there before.
  package func save(_ state: TrackingState, to path: String) async throws {
    guard let ending = Self.endings.first(where: { path.lowercased().hasSuffix($0) }),
      let format = OutputFormat.of(fileExtension: String(ending.dropFirst()))
    else {
      throw Failure(
        message: "\(path): the ending names no format",
        hint: "End it with \(Self.endings.joined(separator: ", ")).", kind: .wrongUsage)
    }
    guard state.history.count > 0 else {
      throw Failure(message: "the walk has no locations yet", hint: "Start it first.")
    }
    let locations =
      format.isPage
      ? nil
      : try await WalkFilePieces(visits: state.history, format: format)
        .reduce(into: [UInt8]()) { $0 += $1 }
    try await DispatchQueue(label: "faketrack.save").blocking {
      let file = try locations ?? Array(makePage(state).utf8)
      do { try AtomicFile.create(path, with: file) } catch let error as FileError
        where error.code == EEXIST
      {
        throw Failure(
          message: "\(path) exists", hint: "Name another file; nothing is replaced here.")
      }
    }
  }
}
