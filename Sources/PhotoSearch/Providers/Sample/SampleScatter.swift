import FaketrackSupport
import Geodesy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The positions of sample photos: one in each cell of a fine grid over the earth, near its center.
struct SampleScatter: Sendable {
  struct Photo {
    let id: String
    let coordinate: Coordinate
  }

  /// With cells of 70 m and photos no more than 14 m off the center, at least four photos are within
  /// 100 m of any place.
  private static let side = 70.0
  private let grid = EarthGrid(side: Self.side)

  /// The nearest photos, and the approximate number of all within the radius.
  ///
  /// - Complexity: linear in `count`, however large the radius.
  func nearest(
    _ count: Int, to center: Coordinate, within radius: Double
  ) -> (photos: [Photo], total: Int) {
    let needed = Self.side * (1.3 * Double(count) / .pi).squareRoot() + 2 * Self.side
    let reach = min(radius, needed)
    let found = cells(within: reach, of: center)
      .map { (cell: $0, photo: photo(in: $0)) }
      .map { (cell: $0.cell, photo: $0.photo, distance: center.distance(to: $0.photo.coordinate)) }
      .filter { $0.distance <= reach }
      .sorted { ($0.distance, $0.cell) < ($1.distance, $1.cell) }
    let total =
      reach < radius ? Int(.pi * radius * radius / (Self.side * Self.side)) : found.count
    return (found.prefix(count).map(\.photo), total)
  }

  private func photo(in cell: EarthGrid.Cell) -> Photo {
    let key = UInt64(cell.row) << 32 | UInt64(cell.column)
    var generator = SplitMix64(seed: key)
    let position = grid.position(
      in: cell,
      eastward: 0.36 + 0.28 * generator.unit(), northward: 0.36 + 0.28 * generator.unit())
    return Photo(id: "s\(cell.row)x\(cell.column)", coordinate: position)
  }

  /// All cells that may have a photo within the reach, and some that have none.
  private func cells(within reach: Double, of center: Coordinate) -> [EarthGrid.Cell] {
    // Angles on a sphere that is smaller than the earth are never too small.
    let angle = reach / EarthGrid.smallestRadius
    let latitude = center.latitude * .pi / 180
    let rows = Int((angle * 180 / .pi / grid.height).rounded(.up))
    let middle = grid.cell(at: center).row
    let holdsPole = abs(latitude) + angle >= .pi / 2
    let span = holdsPole ? 180 : asin(sin(angle) / cos(latitude)) * 180 / .pi
    return (max(0, middle - rows)...min(grid.rows - 1, middle + rows)).flatMap { row in
      let columns = grid.columns(in: row)
      let width = 360 / Double(columns)
      let first = Int(((center.longitude - span + 180) / width).rounded(.down))
      let last = Int(((center.longitude + span + 180) / width).rounded(.down))
      return (first...max(first, min(last, first + columns - 1))).map {
        EarthGrid.Cell(row: row, column: ($0 % columns + columns) % columns)
      }
    }
  }
}
