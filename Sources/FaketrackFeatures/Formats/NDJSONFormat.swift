import Cities
import FaketrackSupport
import Foundation
import GPX

extension OutputFormat {
  /// One JSON object per line, with every key always present.
  package static let ndjson = OutputFormat(
    "ndjson", summary: "A JSON object per line, one per location, with the fields below.",
    download: ("NDJSON", "application/x-ndjson"),
    recognizes: { VisitRecords.begin($0[...]) }
  ) { NDJSONRenderer(track: $0) }
}

private struct NDJSONRenderer: VisitRenderer {
  private var records: VisitRecords

  init(track: String?) {
    records = VisitRecords(track: track)
  }

  mutating func append(_ visit: Visit, to text: inout TextBuffer) {
    records.append(visit, to: &text)
    text.append("\n")
  }

  func append(_ event: WalkEvent, to text: inout TextBuffer) {
    records.append(event, to: &text)
  }

  func appendClosing(_ outcome: TrackOutcome?, to text: inout TextBuffer) {
    if let outcome { records.append(outcome, to: &text) }
  }
}

/// The kinds of records of a track with a name, which `--resume` reads again.
enum TrackRecord: Equatable {
  case location(isFirst: Bool)
  /// A change of permission or signal.
  case change
  case failure
  /// A line that was cut off.
  case cutOff
  /// All of the track with this name has been replayed.
  case end(track: String)

  // The beginnings of records, for the writer as for the reader.
  static var track: StaticString { "{\"track\":" }
  static var index: StaticString { "\"index\":" }
  static var event: StaticString { "\"event\":" }
  static var error: StaticString { "\"error\":" }
  static var end: StaticString { "\"end\":true" }

  /// Reads the kind of a record from its first keys; `nil` for any other line.
  init?(_ line: [UInt8]) {
    guard line.starts(with: Self.track), line.last == UInt8(ascii: "}"),
      let end = Self.endOfString(in: line, from: Self.track.utf8CodeUnitCount),
      line[end...].first == UInt8(ascii: ",")
    else { return nil }
    let rest = line[(end + 1)...]
    if rest.starts(with: Self.index) {
      self = .location(isFirst: rest.dropFirst(Self.index.utf8CodeUnitCount).starts(with: "0,"))
    } else if rest.starts(with: Self.event) {
      self = .change
    } else if rest.starts(with: Self.error) {
      self = .failure
    } else if rest.starts(with: Self.end),
      let name = try? JSONDecoder().decode(
        String.self, from: Data(line[Self.track.utf8CodeUnitCount..<end]))
    {
      self = .end(track: name)
    } else {
      return nil
    }
  }

  /// The kind of a line that was cut off and goes on with another record; `nil` for other lines.
  static func spliced(_ line: [UInt8]) -> TrackRecord? {
    var rest = line.dropFirst()
    while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
      // No string in a record holds these bytes, because its quotation marks are escaped.
      if rest[brace...].starts(with: track), isCutOff(Array(line[..<brace])) {
        switch TrackRecord(Array(line[brace...])) {
        case .end, .failure: return .failure
        default: return .cutOff
        }
      }
      rest = rest[(brace + 1)...]
    }
    return nil
  }

  /// Whether a line may be a record that was cut off.
  static func isCutOff(_ line: [UInt8]) -> Bool {
    line.starts(with: track) || track.withUTF8Buffer { $0.starts(with: line) }
  }

  private static func endOfString(in line: [UInt8], from start: Int) -> Int? {
    guard start < line.count, line[start] == UInt8(ascii: "\"") else { return nil }
    var index = start + 1
    while index < line.count {
      switch line[index] {
      case UInt8(ascii: "\""): return index + 1
      case UInt8(ascii: "\\"): index += 2
      default: index += 1
      }
    }
    return nil
  }
}

extension Collection<UInt8> {
  fileprivate func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { starts(with: $0) }
  }
}

/// Writes the records of a track.
struct VisitRecords {
  /// The beginning of each record, with the name of the track if it has one.
  private var opening = TextBuffer()
  private let isNamed: Bool
  private var object = JSONObject()

  /// Whether a text begins with a record.
  static func begin(_ text: Substring) -> Bool {
    let record =
      #/
      \{ ("track":"(?:[^"\\]|\\.)*",)?
      (?: "index":\d+,"time":(?:null|"[^"]*"),"latitude":
      | "event":"[^"]*","time":(?:null|"[^"]*"),"distance":
      | "end":true,"locations": | (?<error>"error":") )
      /#
    guard let match = text.prefixMatch(of: record) else { return false }
    // Only a track with a name has a record of its failure.
    return match.error == nil || match.1 != nil
  }

  init(track: String?) {
    isNamed = track != nil
    guard let track else {
      opening.append("{")
      return
    }
    opening.append(TrackRecord.track)
    opening.append(json: track)
    opening.append(",")
  }

  func append(_ outcome: TrackOutcome, to text: inout TextBuffer) {
    guard isNamed else { return }
    text.append(contentsOf: opening)
    if let failure = outcome.failure {
      text.append(TrackRecord.error)
      text.append(json: failure.message)
    } else {
      text.append(TrackRecord.end)
      text.append(",\"locations\":")
      text.append(outcome.totals.locations)
      text.append(",\"photos\":")
      text.append(outcome.totals.photos)
      text.append(",\"length\":")
      text.append(json: outcome.totals.length, roundedTo: 3)
      text.append(",\"skipped\":")
      text.append(outcome.totals.skipped)
    }
    text.append("}\n")
  }

  func append(_ event: WalkEvent, to text: inout TextBuffer) {
    text.append(contentsOf: opening)
    text.append(TrackRecord.event)
    text.append(json: event.change.rawValue)
    text.append(",\"time\":")
    text.append(json: event.time)
    text.append(",\"distance\":")
    text.append(json: event.distance, roundedTo: 3)
    text.append("}\n")
  }

  mutating func append(_ visit: Visit, to text: inout TextBuffer) {
    text.append(contentsOf: opening)
    swap(&object.text, &text)
    object.write(visit)
    swap(&object.text, &text)
    text.append("}")
  }
}

/// Writes the fields of an object, with unknown values as null.
private struct JSONObject: RecordWriter {
  var text = TextBuffer()
  /// The city of the last record and its text, since many visits in a row have the same city.
  private var city: City?
  private var cityText = TextBuffer()
  private var cityStart = 0

  @inline(__always)
  mutating func field(
    _ key: StaticString, _ value: RecordValue, _ unit: StaticString, null: StaticString
  ) {
    text.append(key)
    switch value {
    case .integer(let number): if let number { text.append(number) } else { text.append("null") }
    case .number(let number): text.append(json: number)
    case .rounded(let number): text.append(json: number, roundedTo: 3)
    case .boolean(let value): text.append(value ? "true" : "false")
    case .time(let time): text.append(json: time)
    case .string(let value): text.append(json: value)
    }
  }

  mutating func begin(_ key: StaticString, isNull: Bool) -> Bool {
    text.append(key)
    if isNull { text.append("null") }
    return !isNull
  }

  mutating func end() { text.append("}") }

  mutating func writeAgain(_ city: City?) -> Bool {
    cityStart = text.count
    guard city == self.city else { return false }
    text.append(contentsOf: cityText)
    return true
  }

  mutating func keep(_ city: City?) {
    self.city = city
    cityText.removeAll()
    text.withBytes(from: cityStart) { cityText.append(contentsOf: $0) }
  }
}

extension TextBuffer {
  fileprivate mutating func append(json time: Date?) {
    guard let time else { return append("null") }
    let start = count
    append("\"")
    if GPXTime.append(time, to: &self) {
      append("\"")
    } else {
      truncate(to: start)
      append("null")
    }
  }
}
