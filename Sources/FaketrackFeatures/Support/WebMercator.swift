import Foundation
import Geodesy

/// The Web Mercator projection: the world as a square of side 1 with its northwest corner at the origin.
///
/// `projection.mjs` is the same for the page; a test holds both to the same positions.
///
/// Source: EPSG:3857.
package enum WebMercator {
  /// The largest latitude on the square, in degrees.
  package static let maximumLatitude = 85.0511287798
  /// The zoom levels of a map. At zoom 0 the world is 256 pixels wide; each level doubles the width.
  package static let zoomLevels = 1.0...18.0
  private static let equator = 40_075_016.686

  /// A position on the square. On a line that crosses the date line, `x` continues below 0 or above 1.
  package struct Point: Hashable, Sendable {
    /// From 0 at a longitude of −180° to 1 at 180°.
    package var x: Double
    /// From 0 in the north to 1 in the south.
    package var y: Double

    package init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }

    /// Projects a position; latitudes beyond the square are moved to its edge.
    package init(_ coordinate: Coordinate) {
      let limit = WebMercator.maximumLatitude
      let latitude = min(max(-limit, coordinate.latitude), limit) * .pi / 180
      x = (coordinate.longitude + 180) / 360
      y = 0.5 - log(tan(.pi / 4 + latitude / 2)) / (2 * .pi)
    }

    /// The position on Earth, with a longitude from −180 to 180.
    package var coordinate: Coordinate {
      Coordinate(
        validLatitude: min(max(-90, latitude), 90),
        longitude: (x - x.rounded(.down)) * 360 - 180)
    }

    /// The length of the parallel through the point in meters: the width of the world on its scale.
    package var worldWidth: Double { equator * cos(latitude * .pi / 180) }

    /// The copy of the point that is nearest to another one, since the world repeats every 1 in `x`.
    package func nearest(to other: Point) -> Point {
      Point(x: x + (other.x - x + 0.5).rounded(.down), y: y)
    }

    private var latitude: Double { atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi }
  }
}

extension [WebMercator.Point] {
  /// The points of a line, each on the copy of the world that is nearest to the point before it.
  package init(line coordinates: [Coordinate]) {
    self = []
    for coordinate in coordinates {
      let point = WebMercator.Point(coordinate)
      append(last.map(point.nearest) ?? point)
    }
  }
}
