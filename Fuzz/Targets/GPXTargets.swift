import FaketrackSupport
import Foundation
@testable import GPX

extension FuzzTarget {
  /// Reading, measuring and writing; written documents are read back unchanged.
  static let gpx = FuzzTarget(name: "gpx") { bytes in
    var overview = GPXOverview()
    var batches = 0
    try? GPXReader(.bytes(bytes)).read { event in
      _ = overview.receive(event)
      if case .points(let points) = event {
        check((1...GPXReader.batchSize).contains(points.fixes.count), "a batch of a wrong size")
        batches += 1
      }
    }
    let statistics = overview.statistics
    check(statistics.length.isFinite && statistics.length >= 0, "a length of \(statistics.length)")
    check(statistics.ascent.isFinite, "an ascent of \(statistics.ascent)")

    if let strict = try? GPXDocument(data: Data(bytes), isStrict: true) {
      check(strict.issues.allSatisfy { $0.point == nil }, "bad points in a strict document")
    }
    guard let document = try? GPXDocument(data: Data(bytes)) else { return }
    let written = document.data(creator: "fuzz")
    // A point in the metadata extensions stays there, and is not a track point.
    let isOrderly = !document.issues.contains { $0.kind.problem == .misplaced }
    do {
      let again = try GPXDocument(data: written, isStrict: isOrderly)
      check(again.tracks == document.tracks, "other tracks")
      check(again.routes == document.routes, "other routes")
      check(again.waypoints == document.waypoints, "other waypoints")
    } catch {
      fatalError("what was written cannot be read: \(error)")
    }
  }

  /// Decimal text in files, against Foundation; numbers in output, read back.
  static let numbers = FuzzTarget(name: "numbers") { bytes in
    let parsed = bytes.withUnsafeBufferPointer { DecimalParser.parse($0) }
    let text = String(decoding: bytes, as: UTF8.self)
    if let parsed {
      let plain = text.trimmingCharacters(in: .whitespacesAndNewlines)
      check(parsed.isFinite, "\(parsed) out of \(plain)")
      if let number = Double(plain) { check(number == parsed, "\(parsed) out of \(plain)") }
    }
    guard bytes.count >= 8 else { return }
    let number = bytes.withUnsafeBytes { Double(bitPattern: $0.loadUnaligned(as: UInt64.self)) }
    var buffer = TextBuffer()
    if number.isFinite {
      buffer.append(number)
      let written = String(decoding: buffer.bytes, as: UTF8.self)
      check(Double(written) == number, "\(written) for \(number)")
    }
    _ = DecimalText.fixed(number, places: Int(bytes[0] % 12))
  }

  /// Times in files; written times are read back unchanged, to the microsecond.
  static let times = FuzzTarget(name: "times") { bytes in
    guard let time = bytes.withUnsafeBufferPointer({ GPXTime.parse($0) }) else { return }
    guard let text = GPXTime.string(time) else { return }
    var copy = text
    let again = copy.withUTF8 { GPXTime.parse($0) }
    // Far from 2001, a `Date` is less precise.
    let precision = max(1e-6, 4 * time.timeIntervalSinceReferenceDate.ulp)
    check(
      again.map { abs($0.timeIntervalSince(time)) <= precision } == true,
      "\(text) reads as \(String(describing: again)), not as \(time)")
  }
}
