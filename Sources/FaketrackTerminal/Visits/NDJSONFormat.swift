import FaketrackFeatures
import Cities
import GPX
import Geodesy
import PhotoSearch

/// `ndjson`: an object a line, every key always there.
package struct NDJSONFormat: VisitFormatting {
  package init() {}

  package func text(for visit: Visit) -> String {
    visit.json.serialized + "\n"
  }
}

extension Visit {
  /// The record of the visit: metres to the millimetre, what is not known as null.
  package var json: JSONValue {
    [
      "index": .integer(index),
      "time": .text(fix.time.flatMap(GPXTime.string)),
      "latitude": .number(fix.coordinate.latitude),
      "longitude": .number(fix.coordinate.longitude),
      "elevation": .rounded(fix.elevation, decimals: 3),
      "distance": .rounded(fix.distance, decimals: 3),
      "speed": .rounded(fix.speed, decimals: 3),
      "course": fix.course.map { .number(Quantity.course($0, decimals: 2)) } ?? .null,
      "city": city?.shortJSON ?? .null,
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
      "distance": .rounded(distance, decimals: 3),
    ]
  }
}

extension NearbyCity {
  /// What a visit tells of its city.
  var shortJSON: JSONValue {
    [
      "id": .integer(city.id),
      "name": .string(city.name),
      "country": .text(city.country),
      "distance": .rounded(distance, decimals: 3),
    ]
  }
}
