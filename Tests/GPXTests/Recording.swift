import FaketrackSupport
import Geodesy
import Testing

@testable import GPX

/// Everything that a reader said about an input, in order.
struct Recording {
  var events: [String] = []
  private var delivered: [GPXEvent] = []
  var fixes: [GPXPointKind: [Fix]] = [:]
  var names: [String?] = []
  /// All that was said of the file, its tracks, segments, routes and points.
  var metadata: GPXMetadata?
  var details: [(GPXEvent.Owner, GPXDetails)] = []
  var points: [GPXWaypoint] = []
  var fractions: [Double?] = []
  var issues: [GPXIssue] = []
  var error: GPXError?

  /// Reads bytes to their end or break.
  init(_ bytes: [UInt8], isStrict: Bool = false) {
    self.init(.bytes(bytes, name: "test.gpx"), isStrict: isStrict)
  }

  /// Reads text to its end or break.
  init(_ text: String, isStrict: Bool = false) {
    self.init(Array(text.utf8), isStrict: isStrict)
  }

  init(_ input: GPXInput, isStrict: Bool = false, readsDetails: Bool = true) {
    do {
      try GPXReader(input, isStrict: isStrict, readsDetails: readsDetails).read { record($0) }
    } catch {
      self.error = error as? GPXError
    }
  }

  /// Reads bytes that come one by one.
  init(dribbling bytes: [UInt8]) {
    self.init(from: PiecewiseSource(bytes, sizes: [1]))
  }

  /// Reads a source to its end or break.
  init(from source: any ByteSource, isStrict: Bool = false) {
    do {
      let reader = GPXReader(.bytes([], name: "test.gpx"), isStrict: isStrict)
      let handlerError = try withoutActuallyEscaping({ record($0) }) { handler in
        try GPXParser.run(reader, { source }, handler)
      }
      #expect(handlerError == nil)
    } catch {
      self.error = error as? GPXError
    }
  }

  /// The events with the points one by one, which does not depend on how the bytes came.
  var transcript: [String] { delivered.flatMap(Self.lines) }

  var trackPoints: [Fix] { fixes[.trackPoint] ?? [] }
  var routePoints: [Fix] { fixes[.routePoint] ?? [] }
  var waypoints: [Fix] { fixes[.waypoint] ?? [] }

  private mutating func record(_ event: GPXEvent) {
    delivered.append(event)
    switch event {
    case .track: events.append("track")
    case .segment: events.append("segment")
    case .route: events.append("route")
    case .metadata(let metadata):
      self.metadata = metadata
      events.append("metadata")
    case .details(let details, let owner):
      self.details.append((owner, details))
      events.append("\(owner) details \(details.name ?? "")")
    case .points(let points):
      fixes[points.kind, default: []] += points.fixes
      fractions.append(points.fraction)
      self.points += points.waypoints
      if points.kind == .waypoint { names += points.waypoints.map(\.name) }
      events.append("\(points.fixes.count) \(points.kind)")
    case .issue(let issue):
      issues.append(issue)
      events.append("issue")
    }
  }
}

extension Recording {
  /// An event in lines that are equal if and only if what they say is.
  ///
  /// Bytes that are not UTF-8 are left out: they are reported when they are taken in, which is
  /// buffer by buffer.
  private static func lines(of event: GPXEvent) -> [String] {
    switch event {
    case .points(let points):
      points.waypoints.map { point in
        let fix = point.fix
        let values = [fix.elevation, fix.speed, fix.course, fix.time?.timeIntervalSince1970]
        let known = values.map { $0.map { "\($0)" } ?? "-" }.joined(separator: " ")
        let texts =
          point.details.isEmpty ? "" : " \(point.details.name ?? "") \(point.details.size)"
        return "\(points.kind) \(fix.segment): \(fix.position) \(known)\(texts)"
      }
    case .issue(let issue):
      issue.kind.part == .encoding ? [] : [issue.description(in: "test.gpx")]
    case .metadata(let metadata): ["metadata \(metadata.details.name ?? "")"]
    case .details(let details, let owner): ["\(owner) \(details.name ?? "") \(details.size)"]
    case .track, .segment, .route: ["\(event)"]
    }
  }
}

/// Hands out bytes in pieces whose sizes come from a list, again and again, and then ends or fails.
final class PiecewiseSource: ByteSource {
  private var bytes: ArraySlice<UInt8>
  private let sizes: [Int]
  private let failure: GPXError.Cause?
  private var pieces = 0
  func fraction(without unused: Int) -> Double? { nil }

  init(_ bytes: [UInt8], sizes: [Int], failure: GPXError.Cause? = nil) {
    self.bytes = bytes[...]
    self.sizes = sizes
    self.failure = failure
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(GPXError.Cause) -> Int {
    let piece = bytes.prefix(min(buffer.count, sizes[pieces % sizes.count]))
    pieces += 1
    if piece.isEmpty, let failure { throw failure }
    buffer.copyBytes(from: piece)
    bytes = bytes.dropFirst(piece.count)
    return piece.count
  }
}

/// A GPX 1.1 document with `content` inside of its root element.
func gpx(_ content: String) -> String {
  """
  <?xml version="1.0" encoding="UTF-8"?>
  <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">
  \(content)
  </gpx>
  """
}

/// A GPX document of one track segment with `content`.
func segment(_ content: String) -> String {
  gpx("<trk><trkseg>\(content)</trkseg></trk>")
}

/// A document with as many valid track points.
func walk(_ count: Int) -> String {
  segment(
    (0..<count).map { "<trkpt lat=\"52.\(10_000 + $0)\" lon=\"13.5\"/>\n" }.joined())
}

extension Fix {
  /// `latitude longitude`.
  var position: String { "\(coordinate.latitude) \(coordinate.longitude)" }
}

extension SplitMix64 {
  /// A number of the standard normal distribution.
  mutating func normal() -> Double {
    // The sum of twelve numbers in 0 ..< 1 has the variance 1.
    (0..<12).reduce(-6) { sum, _ in sum + unit() }
  }
}
