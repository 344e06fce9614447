import Foundation
import Geodesy
import Locations

/// Locations that arrive as lines of JSON, from a socket, a pipe or a log:
/// `{"lat":52.4,"lon":13.05,"time":"2026-05-01T08:00:00Z"}`.
///
/// A line without a valid position means that the signal is lost.
public struct JSONLinesProvider<Lines: AsyncSequence & Sendable>: LocationProviding
where Lines.Element == String {
  private struct Line: Decodable {
    var lat: Double?
    var lon: Double?
    var time: Date?
  }

  private let lines: Lines

  /// - Parameter lines: the lines, which each iteration of the updates reads from the beginning.
  public init(_ lines: Lines) {
    self.lines = lines
  }

  /// The permission, then each line as a location.
  public func updates() -> LocationUpdates {
    LocationUpdates { [lines] in
      var lines = lines.makeAsyncIterator()
      var hasBegun = false
      return { isolation in
        guard hasBegun else {
          hasBegun = true
          return .authorization(.authorizedWhenInUse)
        }
        return try await lines.next(isolation: isolation).map(Self.update)
      }
    }
  }

  private static func update(_ text: String) -> LocationUpdate {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let line = try? decoder.decode(Line.self, from: Data(text.utf8)),
      let latitude = line.lat, let longitude = line.lon,
      let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
    else { return .unavailable }
    return .location(Fix(coordinate, time: line.time))
  }
}
