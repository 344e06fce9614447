import Cities
import FaketrackFeatures
import GPX
import PhotoSearch

extension OutputFormat {
  /// One JSON object per line, with every key always present.
  package static let ndjson = OutputFormat("ndjson") { _ in NDJSONRenderer() }
}

private struct NDJSONRenderer: VisitRenderer {
  func text(for visit: Visit) -> String {
    visit.json.serialized + "\n"
  }
}

extension Visit {
  /// The record of the visit: meters to the millimeter, unknown values as null.
  var json: JSONValue {
    [
      "index": .integer(index),
      "time": .text(fix.time.flatMap(GPXTime.string)),
      "latitude": .number(fix.coordinate.latitude),
      "longitude": .number(fix.coordinate.longitude),
      "elevation": .rounded(fix.elevation, places: 3),
      "distance": .rounded(fix.distance, places: 3),
      "speed": .rounded(fix.speed, places: 3),
      "course": fix.course.map { .number(Quantity.course($0, places: 2)) } ?? .null,
      "city": city?.json ?? .null,
      "photo": photo.map { Self.json(of: $0, distance: photoDistance) } ?? .null,
      "error": .text(error),
    ]
  }

  private static func json(of photo: Photo, distance: Double?) -> JSONValue {
    [
      "id": .string(photo.id),
      "title": .string(photo.title),
      "owner": .string(photo.owner),
      "license": .text(photo.license?.name),
      "url": .string(photo.url.absoluteString),
      "page": .text(photo.page?.absoluteString),
      "latitude": photo.coordinate.map { .number($0.latitude) } ?? .null,
      "longitude": photo.coordinate.map { .number($0.longitude) } ?? .null,
      "distance": .rounded(distance, places: 3),
    ]
  }
}

extension NearbyCity {
  /// The city in the record of a visit.
  fileprivate var json: JSONValue {
    [
      "id": .integer(city.id),
      "name": .string(city.name),
      "country": .text(city.country),
      "distance": .rounded(distance, places: 3),
    ]
  }
}
