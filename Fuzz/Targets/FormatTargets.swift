import Cities
import FaketrackFeatures
import FaketrackSupport
@testable import FaketrackTerminal
import Foundation
import GPX
import Geodesy
import PhotoSearch

extension FuzzTarget {
  /// Locations in every format, with arbitrary texts and numbers; each is read back correctly.
  static let formats = FuzzTarget(name: "formats") { bytes in
    var source = ByteSource(bytes)
    let visits = (0..<3).map { source.visit(index: $0) }
    for format in OutputFormat.all() {
      let frame = format.frame(false)
      guard var renderer = format.makeRenderer?(nil) else { continue }
      var text = TextBuffer()
      text.append(contentsOf: frame.opening)
      renderer.appendOpening(to: &text)
      for visit in visits { renderer.append(visit, to: &text) }
      renderer.appendClosing(nil, to: &text)
      text.append(contentsOf: frame.closing)
      FormatCheck.run(format.name, Data(text.bytes), visits)
    }
  }
}

/// The checks for the output in each format.
private enum FormatCheck {
  static func run(_ format: String, _ output: Data, _ visits: [Visit]) {
    guard let text = String(validating: output, as: UTF8.self) else {
      fatalError("\(format) is not UTF-8")
    }
    switch format {
    case "ndjson":
      let lines = output.split(separator: UInt8(ascii: "\n"))
      check(lines.count == visits.count, "\(lines.count) records")
      for (line, visit) in zip(lines, visits) { checkRecord(Data(line), visit) }
    case "geojson":
      let object = (try? JSONSerialization.jsonObject(with: output)) as? [String: Any]
      check((object?["features"] as? [Any])?.count == visits.count, "no features in \(text)")
    case "gpx":
      do {
        let document = try GPXDocument(data: output, isStrict: true)
        check(document.tracks.first?.segments.first?.points.count == visits.count, "points")
      } catch {
        fatalError("\(error) in \(text)")
      }
    case "csv":
      let rows = rows(ofCSV: text)
      check(rows.count == visits.count + 1, "\(rows.count) rows")
      check(Set(rows.map(\.count)).count == 1, "rows of different lengths: \(rows)")
    default:
      let controls = text.unicodeScalars.filter {
        $0 != "\n" && $0 != "\r" && $0.properties.generalCategory == .control
      }
      check(controls.isEmpty, "control characters in \(format): \(controls.map(\.value))")
    }
  }

  private static func checkRecord(_ line: Data, _ visit: Visit) {
    guard let object = (try? JSONSerialization.jsonObject(with: line)) as? [String: Any] else {
      fatalError("no JSON: \(String(decoding: line, as: UTF8.self))")
    }
    let latitude = object["latitude"] as? Double ?? .infinity
    check(abs(latitude - visit.fix.coordinate.latitude) < 1e-6, "another latitude")
    check(object["interpolated"] as? Bool == visit.fix.isInterpolated, "not as interpolated")
    check(object["error"] as? String == visit.error, "another error")
    let photo = object["photo"] as? [String: Any]
    check(photo?["taken"] as? String == visit.photo?.taken?.description, "another date")
    check(photo?["title"] as? String == visit.photo?.title, "another title")
  }

  /// The fields of each row, by RFC 4180.
  private static func rows(ofCSV text: String) -> [[String]] {
    var rows: [[String]] = []
    var row = [""]
    var isQuoted = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: row.append("")
      case "\n" where !isQuoted:
        rows.append(row)
        row = [""]
      default: row[row.count - 1].unicodeScalars.append(scalar)
      }
    }
    return rows
  }
}

/// Values made of arbitrary bytes.
private struct ByteSource {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  mutating func visit(index: Int) -> Visit {
    let coordinate = Coordinate.clamped(
      latitude: angle(upTo: 90), longitude: angle(upTo: 180))
    let fix = Fix(
      coordinate, time: optional { Date(timeIntervalSince1970: $0.number()) },
      elevation: optional { $0.number() }, speed: optional { abs($0.number()) },
      course: optional { $0.angle(upTo: 180) + 180 },
      horizontalAccuracy: optional { abs($0.number()) },
      isInterpolated: byte().isMultiple(of: 2))
    let photo = optional { source in
      Photo(
        id: source.text(), title: source.text(), owner: source.text(),
        license: source.optional { PhotoLicense(name: $0.text(), terms: .creativeCommons) },
        imageURL: URL(filePath: "/" + source.text()), pageURL: nil,
        coordinate: source.optional { _ in coordinate },
        taken: source.optional { PhotoDate($0.text()) } ?? PhotoDate("2013-05-04T10:02:11"))
    }
    let city = optional { source in
      NearbyCity(
        city: City(
          id: Int(source.byte()), name: source.text(), country: "DE", region: source.text(),
          coordinate: coordinate),
        distance: abs(source.number()))
    }
    return Visit(
      index: index, fix: fix, city: city, photo: photo, error: optional { $0.text() })
  }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func optional<Value>(_ make: (inout ByteSource) -> Value) -> Value? {
    byte().isMultiple(of: 4) ? nil : make(&self)
  }

  /// Any finite number.
  mutating func number() -> Double {
    let bits = (0..<8).reduce(UInt64(0)) { bits, _ in bits << 8 | UInt64(byte()) }
    let number = Double(bitPattern: bits)
    return number.isFinite ? number : Double(Int64(bitPattern: bits))
  }

  mutating func angle(upTo limit: Double) -> Double {
    let fraction = Double(UInt32(byte()) << 16 | UInt32(byte()) << 8 | UInt32(byte())) / 0xFF_FFFF
    return (fraction * 2 - 1) * limit
  }

  /// A text with a length given by the next byte, possibly invalid UTF-8.
  mutating func text() -> String {
    let count = Int(byte() % 24)
    defer { rest = rest.dropFirst(count) }
    return String(decoding: rest.prefix(count), as: UTF8.self)
  }
}
