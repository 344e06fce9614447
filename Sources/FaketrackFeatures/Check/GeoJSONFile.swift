import FaketrackSupport
import Foundation
import GPX
import Geodesy

/// A file of GeoJSON: locations, lines and polygons.
///
/// Source: RFC 7946.
struct GeoJSONFile {
  private static let limit = 256 << 20

  private let path: String
  /// The geometries, each with the properties of its feature.
  private var geometries: [(geometry: [String: Any], properties: [String: Any])] = []

  /// - Throws: ``Failure`` for a file that cannot be read or is no GeoJSON.
  init(_ path: String) throws(Failure) {
    self.path = path
    let bytes: [UInt8]
    do {
      bytes = try WholeFile.bytes(of: path, limit: Self.limit)
    } catch {
      throw .unreadable(path, code: error.code)
    }
    let value = try? JSONSerialization.jsonObject(with: Data(bytes.withoutByteOrderMark))
    guard let root = value as? [String: Any] else {
      throw RecordingFile.unusable("\(path): not GeoJSON")
    }
    add(root, [:])
  }

  private mutating func add(_ object: [String: Any], _ properties: [String: Any]) {
    if let features = object["features"] as? [[String: Any]] {
      for feature in features { add(feature, [:]) }
    } else if let parts = object["geometries"] as? [[String: Any]] {
      for part in parts { add(part, properties) }
    } else if let geometry = object["geometry"] as? [String: Any] {
      add(geometry, object["properties"] as? [String: Any] ?? [:])
    } else {
      geometries.append((object, properties))
    }
  }

  /// The points as one segment, and a segment for each line.
  var fixes: [Fix] {
    get throws(Failure) {
      var fixes: [Fix] = []
      var segment = 0
      for (geometry, properties) in geometries {
        let lines: [[Any]] =
          switch geometry["type"] as? String {
          case "Point": [[geometry["coordinates"] ?? []]]
          case "LineString": [geometry["coordinates"] as? [Any] ?? []]
          case "MultiLineString": geometry["coordinates"] as? [[Any]] ?? []
          default: []
          }
        let isPoint = geometry["type"] as? String == "Point"
        for line in lines {
          if !isPoint, !fixes.isEmpty { segment += 1 }
          for position in line {
            var fix = Fix(try coordinate(position))
            fix.segment = segment
            if isPoint {
              var time = properties["time"] as? String ?? ""
              fix.time = time.withUTF8 { GPXTime.parse($0) }
              fix.distance = properties["distance"] as? Double
              fix.horizontalAccuracy = properties["horizontalAccuracy"] as? Double
            }
            fixes.append(fix)
          }
        }
      }
      return fixes
    }
  }

  /// The rings of each polygon.
  var polygons: [[[Coordinate]]] {
    get throws(Failure) {
      var found: [[[Coordinate]]] = []
      for (geometry, _) in geometries {
        let polygons: [[[Any]]] =
          switch geometry["type"] as? String {
          case "Polygon": [geometry["coordinates"] as? [[Any]] ?? []]
          case "MultiPolygon": geometry["coordinates"] as? [[[Any]]] ?? []
          default: []
          }
        for rings in polygons {
          found.append(
            try rings.map { ring throws(Failure) in
              try ring.map { position throws(Failure) in try coordinate(position) }
            })
        }
      }
      if !found.joined().contains(where: { $0.count > 2 }) {
        throw Failure(
          message: "\(path): there is no polygon", hint: "Draw one, such as on geojson.io.",
          kind: .unusableInput)
      }
      return found
    }
  }

  private func coordinate(_ position: Any) throws(Failure) -> Coordinate {
    guard let numbers = position as? [Any], numbers.count >= 2,
      let longitude = (numbers[0] as? NSNumber)?.doubleValue,
      let latitude = (numbers[1] as? NSNumber)?.doubleValue,
      let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
    else { throw RecordingFile.unusable("\(path): \(position) is no longitude and latitude") }
    return coordinate
  }
}
