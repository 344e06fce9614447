import Geodesy

/// Turns locations into places to search: all locations of a cell share one search.
///
/// The search is centred on the cell and reaches so much further than the radius that it finds
/// whatever is within the radius of any location in the cell.
package struct PlaceGrid: Sendable {
  private let grid: EarthGrid
  private let radius: Double
  private let maximumRadius: Double

  /// Creates a grid.
  ///
  /// - Parameters:
  ///   - radius: How near to a location a photo must be, in metres.
  ///   - maximumRadius: The largest radius that the source searches, in metres.
  package init(radius: Double, maximumRadius: Double) {
    self.radius = radius
    self.maximumRadius = maximumRadius
    // The smaller the cell, the nearer the first hits are to a location: no more than 1 km.
    // The larger, the fewer the searches: at 500 m, locations 100 m apart need one search for
    // every five of them along the grid, for every 3.5 on the worst of straight lines.
    grid = EarthGrid(side: min(max(radius, 250), 1000))
  }

  /// The place of a location.
  package func place(of location: Coordinate) -> Place {
    let cell = grid.cell(at: location)
    let wanted = (radius + grid.reach(of: cell)).rounded(.up)
    return Place(cell: cell, center: grid.center(of: cell), radius: min(wanted, maximumRadius))
  }
}

/// A cell of a ``PlaceGrid`` as it is searched.
package struct Place: Hashable, Sendable {
  let cell: EarthGrid.Cell
  /// Where to search.
  package let center: Coordinate
  /// How far around, in metres.
  package let radius: Double
}
