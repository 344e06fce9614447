import FaketrackSupport
import Foundation
import Geodesy

/// The events of one reading of an input, kept for several readers.
///
/// The first reader reads the input to its end, and the others wait for it. A fix with a position, a
/// time and an elevation takes 40 bytes.
package final class GPXRecording: Sendable {
  /// An input that can be read only once has more points than are kept.
  package struct TooLong: Error {
    package let name: String
    package let limit: Int
  }

  private enum Event {
    /// The points without their fixes, and these.
    case points(GPXPoints, PackedFixes)
    case other(GPXEvent)

    init(_ event: GPXEvent) {
      guard case .points(var points) = event else {
        self = .other(event)
        return
      }
      let fixes = PackedFixes(points.fixes[...])
      points.fixes = []
      self = .points(points, fixes)
    }
  }

  private struct Reading {
    var events: [Event] = []
    var outcome: Result<(any Error)?, GPXError>
  }

  /// The largest number of points of an input that can be read only once.
  static let limit = 2_000_000

  private let reader: GPXReader
  private let limit: Int
  private let reading = Locked<Reading?>(nil)

  /// - Parameters:
  ///   - isStrict: whether the first issue of a point ends the reading with an error.
  ///   - readsOutline: whether metadata and the details of tracks, routes and waypoints are read.
  ///   - limit: the largest number of points of an input that can be read only once, and may not end.
  package init(
    _ input: GPXInput, isStrict: Bool = false, readsOutline: Bool, limit: Int = GPXRecording.limit
  ) {
    var reader = GPXReader(input, isStrict: isStrict, readsDetails: false)
    reader.readsOutline = readsOutline
    self.reader = reader
    self.limit = input.isRepeatable ? .max : limit
  }

  /// A recording of a track with these fixes.
  package init(_ fixes: [Fix], title: String?) {
    reader = GPXReader(.bytes([]))
    limit = .max
    var events: [Event] = [.other(.track)]
    if let title { events.append(.other(.details(GPXDetails(name: title), of: .track))) }
    for start in stride(from: 0, to: fixes.count, by: GPXReader.batchSize) {
      let batch = fixes[start..<min(fixes.count, start + GPXReader.batchSize)].map { fix in
        var fix = fix
        // The times are judged again, without those around the part.
        if fix.time != nil { fix.origin.verdict = .open }
        return fix
      }
      let points = GPXPoints(
        kind: .trackPoint, fixes: batch, fraction: Double(start + batch.count) / Double(fixes.count)
      )
      events.append(Event(.points(points)))
    }
    reading.withLock { $0 = Reading(events: events, outcome: .success(nil)) }
  }

  /// Passes on the events.
  ///
  /// - Throws: `GPXError` after the events before the place of the error, and errors of the handler.
  package func read(_ handler: (GPXEvent) throws -> Void) throws {
    if let error = try run(handler) { throw error }
  }

  /// Passes on the events like ``GPXReader/run(_:)``.
  func run(_ handler: (GPXEvent) throws -> Void) throws(GPXError) -> (any Error)? {
    let reading = reading.withLock { reading in
      let known = reading ?? read()
      reading = known
      return known
    }
    do {
      for event in reading.events {
        switch event {
        case .points(var points, let fixes):
          points.fixes = fixes.fixes
          try handler(.points(points))
        case .other(let event): try handler(event)
        }
      }
    } catch {
      return error
    }
    return try reading.outcome.get()
  }

  private func read() -> Reading {
    var events: [Event] = []
    var count = 0
    let outcome = Result { () throws(GPXError) in
      try reader.run { event in
        events.append(Event(event))
        if case .points(let points) = event { count += points.fixes.count } else { count += 1 }
        if count > limit { throw TooLong(name: reader.input.shownName, limit: limit) }
      }
    }
    return Reading(events: events, outcome: outcome)
  }
}
