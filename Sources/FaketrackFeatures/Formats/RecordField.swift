import Cities
import Foundation
import Geodesy
import PhotoSearch

/// The value of a field of a record, by its form.
enum RecordValue {
  case integer(Int?)
  case number(Double?)
  /// A number with at most three decimals.
  case rounded(Double?)
  case boolean(Bool)
  case time(Date?)
  case string(String?)
}

/// A form of records: JSON, a row of a table, or a description.
protocol RecordWriter {
  /// Writes a field.
  ///
  /// - Parameters:
  ///   - key: the key as JSON has it, with the punctuation before it.
  ///   - unit: the unit of the value, or what it is.
  ///   - null: when the value is unknown; empty if it never is.
  mutating func field(
    _ key: StaticString, _ value: RecordValue, _ unit: StaticString, null: StaticString)
  /// Begins the fields of an object, and returns whether they follow.
  mutating func begin(_ key: StaticString, isNull: Bool) -> Bool
  /// Ends an object.
  mutating func end()
  /// Writes the fields of the last city again, if the city is the same; returns whether it is.
  mutating func writeAgain(_ city: City?) -> Bool
  /// Keeps the fields of a city that were just written for ``writeAgain(_:)``.
  mutating func keep(_ city: City?)
}

extension RecordWriter {
  func writeAgain(_ city: City?) -> Bool { false }
  func keep(_ city: City?) {}

  @inline(__always)
  private mutating func field(
    _ key: StaticString, _ value: RecordValue, null: StaticString = ""
  ) {
    field(key, value, "", null: null)
  }

  @inline(__always)
  private mutating func field(_ key: StaticString, _ value: RecordValue, _ unit: StaticString) {
    field(key, value, unit, null: "")
  }

  /// Writes the record of a location: the one place that names its fields.
  @inline(__always)
  mutating func write(_ visit: Visit) {
    let fix = visit.fix
    field(TrackRecord.index, .integer(visit.index), "from 0")
    field(#","time":"#, .time(fix.time), "UTC, RFC 3339", null: "none, or out of line")
    field(#","latitude":"#, .number(fix.coordinate.latitude), "degrees")
    field(#","longitude":"#, .number(fix.coordinate.longitude), "degrees")
    field(#","elevation":"#, .rounded(fix.elevation), "meters", null: "not recorded")
    field(#","distance":"#, .rounded(fix.distance), "meters walked", null: "not measured")
    field(#","elapsed":"#, .rounded(fix.elapsedSeconds), "track time in s", null: "not measured")
    field(#","speed":"#, .rounded(fix.speed), "meters per second", null: "no times")
    let course = fix.course.map { $0.roundedCourse(places: 2) }
    field(#","course":"#, .number(course), "degrees from north", null: "not moving")
    let accuracy = fix.horizontalAccuracy
    field(
      #","horizontalAccuracy":"#, .rounded(accuracy), "meters (68 %)",
      null: "not known, no --noise")
    field(#","interpolated":"#, .boolean(fix.isInterpolated))
    write(visit.city)
    write(visit.photo, at: fix.coordinate, visit.placement)
    field(#","error":"#, .string(visit.error), null: "no error")
  }

  @inline(__always)
  private mutating func write(_ nearby: NearbyCity?) {
    guard begin(#","city":"#, isNull: nearby == nil) else { return }
    let city = nearby?.city
    if !writeAgain(city) {
      field(#"{"id":"#, .integer(city?.id), "GeoNames")
      field(#","name":"#, .string(city?.name))
      field(#","country":"#, .string(city?.country), "ISO 3166-1", null: "not in the index")
      field(#","region":"#, .string(city?.region), null: "not in the index")
      field(#","population":"#, .integer(city?.population), null: "not in the index")
      keep(city)
    }
    field(#","distance":"#, .rounded(nearby?.distance), "meters")
    end()
  }

  @inline(__always)
  private mutating func write(
    _ photo: Photo?, at coordinate: Coordinate, _ placement: PhotoPlacement?
  ) {
    guard begin(#","photo":"#, isNull: photo == nil) else { return }
    let owner = photo.flatMap { $0.owner.isEmpty ? nil : $0.owner }
    let position = photo?.coordinate
    let distance = position.map { coordinate.distance(to: $0) }
    field(#"{"id":"#, .string(photo?.id))
    field(#","title":"#, .string(photo?.title))
    field(#","owner":"#, .string(owner), null: "not named")
    field(#","license":"#, .string(photo?.license?.name), null: "not named")
    field(#","url":"#, .string(photo?.imageURL.relativeString), "URL")
    field(#","page":"#, .string(photo?.pageURL?.absoluteString), "URL", null: "no page")
    field(
      #","latitude":"#, .number(position?.latitude), "degrees", null: "only known to be near")
    field(
      #","longitude":"#, .number(position?.longitude), "degrees", null: "only known to be near")
    field(#","distance":"#, .rounded(distance), "meters", null: "only known to be near")
    field(#","taken":"#, .string(photo?.taken?.description), "local date, time", null: "no date")
    field(
      #","placedBy":"#, .string(placement?.rule.rawValue), "see below",
      null: "placed by the service")
    field(#","source":"#, .string(photo?.source), "see below")
    end()
  }
}

/// A field of the records of locations, which ndjson, geojson and csv share.
package struct RecordField: Sendable {
  /// The keys that lead to it in the ndjson object, such as `city.name`.
  package let path: String
  /// The type of the value, and its unit.
  package let type: String
  /// When the value is unknown; `nil` if it never is.
  package let null: String?

  /// The name of the csv column, such as `city_name`.
  package var column: String {
    path.reduce(into: "") { name, letter in
      name += letter == "." ? "_" : letter.isUppercase ? "_\(letter.lowercased())" : "\(letter)"
    }
  }

  /// The fields in the order of the records.
  package static let all: [RecordField] = {
    var description = RecordDescription()
    description.write(Visit(index: 0, fix: Fix(Coordinate(validLatitude: 0, longitude: 0))))
    return description.fields
  }()
}

private struct RecordDescription: RecordWriter {
  var fields: [RecordField] = []
  private var object = ""

  mutating func begin(_ key: StaticString, isNull: Bool) -> Bool {
    object = key.description.filter(\.isLetter) + "."
    return true
  }

  mutating func end() { object = "" }

  mutating func field(
    _ key: StaticString, _ value: RecordValue, _ unit: StaticString, null: StaticString
  ) {
    let type =
      switch value {
      case .integer: "integer"
      case .number, .rounded: "number"
      case .boolean: "boolean"
      case .time, .string: "string"
      }
    fields.append(
      RecordField(
        path: object + key.description.filter(\.isLetter),
        type: [type, unit.description].filter { !$0.isEmpty }.joined(separator: ", "),
        null: null.utf8CodeUnitCount == 0 ? nil : null.description))
  }
}

/// Finds fields of records that a file lacks, because an earlier version wrote it.
struct MissingFields {
  /// The beginnings of objects. Each object is checked in the first record that contains the object.
  private var unchecked = ["{", "\"city\":{", "\"photo\":{"].map { Array($0.utf8) }

  /// Returns the first field that a location's record lacks.
  mutating func first(in record: [UInt8]) -> String? {
    let found = unchecked.filter { Self.has($0, in: record) }
    guard !found.isEmpty,
      let object = try? JSONSerialization.jsonObject(with: Data(record)) as? [String: Any]
    else { return nil }
    unchecked.removeAll(where: found.contains)
    return RecordField.all.map(\.path).first { path in
      let keys = path.split(separator: ".").map(String.init)
      guard let key = keys.dropFirst().first else { return object[path] == nil }
      // A city or photo that is null has no fields.
      return (object[keys[0]] as? [String: Any]).map { $0[key] == nil } ?? false
    }
  }

  /// Whether a record has the beginning of an object, found by the objects' braces, which are few.
  private static func has(_ opening: [UInt8], in record: [UInt8]) -> Bool {
    var rest = record[...]
    while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
      if record[...brace].suffix(opening.count).elementsEqual(opening) { return true }
      rest = rest[(brace + 1)...]
    }
    return false
  }
}
