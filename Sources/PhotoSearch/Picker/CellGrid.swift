import Foundation
import Geodesy

/// A fixed grid over the whole Earth whose cells are nearly square everywhere.
///
/// Rows run along the parallels and have the same height. Each is divided into equal columns, as
/// many as keep cells within the given side. At the poles the cells are wedges.
struct EarthGrid: Sendable {
  /// A cell, by its row counted from the south pole and its column counted from longitude -180.
  struct Cell: Hashable, Sendable {
    let row: Int
    let column: Int
  }

  /// A radius in meters that is smaller than any radius of curvature of WGS-84.
  static let smallestRadius = 6_330_000.0

  let rows: Int
  private let side: Double

  /// - Parameter side: the largest height and width of a cell in meters, 1 ... 1,000,000.
  init(side: Double) {
    self.side = side
    rows = Int((WGS84.meridianLength / side).rounded(.up))
  }

  /// The height of a row in degrees.
  var height: Double { 180 / Double(rows) }

  func columns(in row: Int) -> Int {
    let south = -90 + Double(row) * height
    let north = south + height
    let widest = south <= 0 && north >= 0 ? 0 : min(abs(south), abs(north))
    let length = 2 * Double.pi * WGS84.equatorialRadius * cos(widest * .pi / 180)
    return max(1, Int((length / side).rounded(.up)))
  }

  func cell(at coordinate: Coordinate) -> Cell {
    let row = min(rows - 1, Int((coordinate.latitude + 90) / height))
    let columns = columns(in: row)
    let column = Int((coordinate.longitude + 180) / 360 * Double(columns))
    return Cell(row: row, column: column % columns)
  }

  func center(of cell: Cell) -> Coordinate {
    position(in: cell, eastward: 0.5, northward: 0.5)
  }

  /// The largest distance in meters between the center of a cell and any of its points.
  func reach(of cell: Cell) -> Double {
    let center = center(of: cell)
    let south = position(in: cell, eastward: 0, northward: 0)
    let north = position(in: cell, eastward: 0, northward: 1)
    return max(center.distance(to: south), center.distance(to: north))
  }

  /// The position at fractions, 0 ... 1, of a cell's width and height from its south-west corner.
  func position(in cell: Cell, eastward: Double, northward: Double) -> Coordinate {
    let width = 360 / Double(columns(in: cell.row))
    let latitude = -90 + (Double(cell.row) + northward) * height
    let longitude = -180 + (Double(cell.column) + eastward) * width
    return .clamped(latitude: latitude, longitude: longitude)
  }
}

/// Turns locations into cells to search: all locations in a cell share one search.
///
/// The search is centered on the cell, and its radius is larger by as much as it takes to find
/// everything within the radius of any location in the cell.
struct CellGrid: Sendable {
  private let grid: EarthGrid
  private let radius: Double
  private let maximumRadius: Double

  /// - Parameter radius: the largest distance of a photo from a location, in meters; 0 if it is
  ///   negative or not a number.
  init(radius: Double, maximumRadius: Double) {
    self.radius = max(0, radius)
    self.maximumRadius = maximumRadius
    // Small cells make the first hits close to a location, so they measure at most 1 km. Large ones
    // save searches: at 500 m, locations 100 m apart need one search for every five of them along
    // the grid, and one for every 3.5 on the worst of straight lines.
    grid = EarthGrid(side: min(max(250, radius), 1000))
  }

  func cell(of location: Coordinate) -> SearchCell {
    let cell = grid.cell(at: location)
    let wanted = (radius + grid.reach(of: cell)).rounded(.up)
    return SearchCell(center: grid.center(of: cell), radius: min(wanted, maximumRadius))
  }
}

/// A cell of a ``CellGrid`` and the search that covers it.
package struct SearchCell: Hashable, Sendable {
  let center: Coordinate
  let radius: Double
}
