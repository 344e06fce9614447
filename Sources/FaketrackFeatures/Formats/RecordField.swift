import Foundation

/// A field of the records of locations, which ndjson, geojson and csv share.
package struct RecordField: Sendable {
  /// The keys that lead to it in the ndjson object, such as `city.name`.
  package let path: String
  /// The type of the value, and its unit.
  package let type: String
  /// When the value is unknown; `nil` if it never is.
  package let null: String?

  private init(_ path: String, _ type: String, null: String? = nil) {
    self.path = path
    self.type = type
    self.null = null
  }

  /// The name of the csv column, such as `city_name`.
  package var column: String {
    path.reduce(into: "") { name, letter in
      name += letter == "." ? "_" : letter.isUppercase ? "_\(letter.lowercased())" : "\(letter)"
    }
  }

  /// The fields in the order of the records.
  package static let all: [RecordField] = [
    RecordField("index", "integer, from 0"),
    RecordField("time", "string, UTC, RFC 3339", null: "none, or out of line"),
    RecordField("latitude", "number, degrees"),
    RecordField("longitude", "number, degrees"),
    RecordField("elevation", "number, meters", null: "not recorded"),
    RecordField("distance", "number, meters walked", null: "not measured"),
    RecordField("elapsed", "number, track time in s", null: "not measured"),
    RecordField("speed", "number, meters per second", null: "no times"),
    RecordField("course", "number, degrees from north", null: "not moving"),
    RecordField("horizontalAccuracy", "number, meters (68 %)", null: "not known, no --noise"),
    RecordField("interpolated", "boolean"),
    RecordField("city.id", "integer, GeoNames"),
    RecordField("city.name", "string"),
    RecordField("city.country", "string, ISO 3166-1", null: "not in the index"),
    RecordField("city.region", "string", null: "not in the index"),
    RecordField("city.population", "integer", null: "not in the index"),
    RecordField("city.distance", "number, meters"),
    RecordField("photo.id", "string"),
    RecordField("photo.title", "string"),
    RecordField("photo.owner", "string", null: "not named"),
    RecordField("photo.license", "string", null: "not named"),
    RecordField("photo.url", "string, URL"),
    RecordField("photo.page", "string, URL", null: "no page"),
    RecordField("photo.latitude", "number, degrees", null: "only known to be near"),
    RecordField("photo.longitude", "number, degrees", null: "only known to be near"),
    RecordField("photo.distance", "number, meters", null: "only known to be near"),
    RecordField("photo.taken", "string, local date, time", null: "no date"),
    RecordField("photo.placedBy", "string, see below", null: "placed by the service"),
    RecordField("photo.source", "string, see below"),
    RecordField("error", "string", null: "no error"),
  ]
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
