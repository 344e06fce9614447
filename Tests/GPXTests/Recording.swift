import Geodesy

@testable import GPX

/// Everything that a reader said about an input, in order.
struct Recording {
  var events: [String] = []
  var fixes: [GPXPointKind: [Fix]] = [:]
  var names: [String?] = []
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

  init(_ input: GPXInput, isStrict: Bool = false) {
    do {
      try GPXReader(input, isStrict: isStrict).read { record($0) }
    } catch {
      self.error = error as? GPXError
    }
  }

  /// Reads bytes that come one by one.
  init(dribbling bytes: [UInt8]) {
    do {
      let reader = GPXReader(.bytes(bytes, name: "test.gpx"))
      try withoutActuallyEscaping({ record($0) }) { handler in
        try GPXParser.run(reader, { DribblingSource(bytes) }, handler)
      }
    } catch {
      self.error = error as? GPXError
    }
  }

  var trackPoints: [Fix] { fixes[.trackPoint] ?? [] }
  var routePoints: [Fix] { fixes[.routePoint] ?? [] }
  var waypoints: [Fix] { fixes[.waypoint] ?? [] }

  private mutating func record(_ event: GPXEvent) {
    switch event {
    case .track: events.append("track")
    case .segment: events.append("segment")
    case .route: events.append("route")
    case .trackName(let name): events.append("track name \(name)")
    case .routeName(let name): events.append("route name \(name)")
    case .points(let points):
      fixes[points.kind, default: []] += points.fixes
      names += points.names
      events.append("\(points.fixes.count) \(points.kind)")
    case .issue(let issue):
      issues.append(issue)
      events.append("issue")
    }
  }
}

/// Hands out one byte at a time.
final class DribblingSource: ByteSource {
  private var bytes: ArraySlice<UInt8>
  let share: Double? = nil

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let byte = bytes.popFirst() else { return 0 }
    buffer[0] = byte
    return 1
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
