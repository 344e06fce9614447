import Foundation
import Geodesy
import Locations

/// Areas around positions, such as a home, that a replay leaves out: its track has a gap there.
package struct PrivateAreas: Hashable, Sendable {
  private let areas: [CircularRegion]

  package init(_ areas: [CircularRegion] = []) {
    self.areas = areas
  }

  package var isEmpty: Bool { areas.isEmpty }

  func contains(_ coordinate: Coordinate) -> Bool {
    areas.contains { $0.contains(coordinate) }
  }

  /// Makes a filter that removes the fixes in the areas, and ends a segment before each; `nil`
  /// without areas.
  package var makeFilter: (@Sendable () -> ([Fix]) -> [Fix])? {
    guard !isEmpty else { return nil }
    return {
      var last: (coordinate: Coordinate, segment: Int)?
      var additional = 0
      return { fixes in
        fixes.compactMap { fix in
          if contains(fix.coordinate) {
            last = nil
            additional += 1
            return nil
          }
          if let last, last.segment == fix.segment, cross(last.coordinate, fix.coordinate) {
            additional += 1
          }
          last = (fix.coordinate, fix.segment)
          var kept = fix
          // Waypoints have negative numbers.
          kept.segment += kept.segment >= 0 ? additional : -additional
          return kept
        }
      }
    }
  }

  /// Whether the straight line between two places passes through an area.
  private func cross(_ start: Coordinate, _ end: Coordinate) -> Bool {
    let length = start.distance(to: end)
    return areas.contains { area in
      // An area that is farther away than this cannot be reached.
      guard start.distance(to: area.center) < length + area.radius else { return false }
      // Lines of some kilometers are straight in a plane around the center.
      let (x1, y1) = area.offset(of: start)
      let (x2, y2) = area.offset(of: end)
      let (dx, dy) = (x2 - x1, y2 - y1)
      let square = dx * dx + dy * dy
      let share = square > 0 ? min(1, max(0, -(x1 * dx + y1 * dy) / square)) : 0
      let (x, y) = (x1 + share * dx, y1 + share * dy)
      return x * x + y * y < area.radius * area.radius
    }
  }
}

extension CircularRegion {
  /// Meters to the east and north of the center.
  fileprivate func offset(of coordinate: Coordinate) -> (x: Double, y: Double) {
    let distance = center.distance(to: coordinate)
    let bearing = center.bearing(to: coordinate) * .pi / 180
    return (distance * sin(bearing), distance * cos(bearing))
  }
}
