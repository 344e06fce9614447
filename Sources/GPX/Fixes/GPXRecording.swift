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
    case points(PackedPoints)
    case other(GPXEvent)
  }

  private struct Reading {
    var events: [Event] = []
    var outcome: Result<(any Error)?, GPXError>
  }

  private let reader: GPXReader
  private let limit: Int
  private let reading = Locked<Reading?>(nil)

  /// - Parameters:
  ///   - isStrict: whether the first issue of a point ends the reading with an error.
  ///   - readsOutline: whether metadata and the details of tracks, routes and waypoints are read.
  ///   - limit: the largest number of points of an input that can be read only once, and may not end.
  package init(
    _ input: GPXInput, isStrict: Bool = false, readsOutline: Bool, limit: Int = 2_000_000
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
      events.append(.points(PackedPoints(points)))
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
        case .points(let points): try handler(.points(points.unpacked))
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
        if case .points(let points) = event {
          events.append(.points(PackedPoints(points)))
          count += points.fixes.count
        } else {
          events.append(.other(event))
          count += 1
        }
        if count > limit { throw TooLong(name: reader.input.shownName, limit: limit) }
      }
    }
    return Reading(events: events, outcome: outcome)
  }
}

/// Points whose fixes are packed if they have no more than a position, a time and an elevation.
private struct PackedPoints: Sendable {
  private struct Packed {
    var coordinate: Coordinate
    /// Seconds since the beginning of 2001; NaN if unknown, as is the elevation.
    var time: Double
    var elevation: Double
    var origin: FixOrigin
  }

  /// The points, without fixes where these are packed.
  private var points: GPXPoints
  private var packed: [Packed] = []
  private let segment: Int

  init(_ points: GPXPoints) {
    self.points = points
    segment = points.fixes.first?.segment ?? 0
    packed = points.fixes.map { fix in
      Packed(
        coordinate: fix.coordinate, time: fix.time?.timeIntervalSinceReferenceDate ?? .nan,
        elevation: fix.elevation ?? .nan, origin: fix.origin)
    }
    if zip(packed, points.fixes).allSatisfy({ unpacked($0) == $1 }) {
      self.points.fixes = []
    } else {
      packed = []
    }
  }

  var unpacked: GPXPoints {
    if packed.isEmpty { return points }
    var points = points
    points.fixes = packed.map(unpacked)
    return points
  }

  private func unpacked(_ packed: Packed) -> Fix {
    var fix = Fix(
      packed.coordinate,
      time: packed.time.isNaN ? nil : Date(timeIntervalSinceReferenceDate: packed.time),
      elevation: packed.elevation.isNaN ? nil : packed.elevation, segment: segment)
    fix.origin = packed.origin
    return fix
  }
}
