import Geodesy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A fixed grid over the whole earth whose cells are about square everywhere.
///
/// Rows run along parallels and are equally high; each has as many equal columns as its length
/// asks for, so that no cell is wider or higher than the side. At the poles the cells are the
/// pieces of a round cake.
struct EarthGrid: Sendable {
  /// One cell, named by its row from the south pole and its column from the date line.
  struct Cell: Hashable, Comparable, Sendable {
    let row: Int
    let column: Int

    static func < (one: Cell, other: Cell) -> Bool {
      (one.row, one.column) < (other.row, other.column)
    }
  }

  /// How many rows there are.
  let rows: Int

  /// Creates a grid.
  ///
  /// - Parameter side: The largest height and width of a cell in metres, 1 ... 1,000,000.
  init(side: Double) {
    self.side = min(max(side, 1), 1_000_000)
    rows = Int((Self.meridian / self.side).rounded(.up))
  }

  private let side: Double
  /// Half the length of a meridian ellipse of WGS-84, in metres.
  private static let meridian = 20_003_931.46
  /// The radius of the equator of WGS-84, in metres.
  private static let equator = 6_378_137.0

  /// The height of every row in degrees.
  var height: Double { 180 / Double(rows) }

  /// How many columns a row has.
  func columns(in row: Int) -> Int {
    let south = -90 + Double(row) * height
    let north = south + height
    let widest = south <= 0 && north >= 0 ? 0 : min(abs(south), abs(north))
    let length = 2 * Double.pi * Self.equator * cos(widest * .pi / 180)
    return max(1, Int((length / side).rounded(.up)))
  }

  func cell(at coordinate: Coordinate) -> Cell {
    let row = min(rows - 1, Int((coordinate.latitude + 90) / height))
    let columns = columns(in: row)
    let column = Int((coordinate.longitude + 180) / 360 * Double(columns))
    return Cell(row: row, column: column % columns)
  }

  /// The middle of a cell.
  func center(of cell: Cell) -> Coordinate {
    position(in: cell, eastward: 0.5, northward: 0.5)
  }

  /// The largest distance in metres of any point of a cell from its middle.
  func reach(of cell: Cell) -> Double {
    let center = center(of: cell)
    let south = position(in: cell, eastward: 0, northward: 0)
    let north = position(in: cell, eastward: 0, northward: 1)
    return max(center.distance(to: south), center.distance(to: north))
  }

  /// The position at a share, 0 ... 1, of a cell's width and height from its south-west corner.
  func position(in cell: Cell, eastward: Double, northward: Double) -> Coordinate {
    let width = 360 / Double(columns(in: cell.row))
    let latitude = -90 + (Double(cell.row) + northward) * height
    let longitude = -180 + (Double(cell.column) + eastward) * width
    return .clamped(latitude: latitude, longitude: longitude)
  }
}

extension Coordinate {
  /// A position whose parts have left their ranges by no more than rounding.
  static func clamped(latitude: Double, longitude: Double) -> Coordinate {
    do {
      return try Coordinate(
        latitude: min(max(latitude, -90), 90), longitude: min(max(longitude, -180), 180))
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
