import Geodesy
import Testing

/// The geodesic functions against GeographicLib, over the whole ellipsoid.
@Suite struct GeodesicTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let group: Substring
    let numbers: [Double]

    var testDescription: String { "\(group): \(numbers)" }

    func coordinate(at index: Int) throws -> Coordinate {
      try Coordinate(latitude: numbers[index], longitude: numbers[index + 1])
    }

    static func rows(of table: String) -> [Row] {
      var group: Substring = ""
      return table.split(separator: "\n").compactMap { line in
        if line.hasPrefix("#") {
          group = line.dropFirst(2)
          return nil
        }
        return Row(group: group, numbers: line.split(separator: " ").compactMap { Double($0) })
      }
    }

    static let inverse = rows(of: GeodesicTable.inverse)
    static let direct = rows(of: GeodesicTable.direct)
  }

  @Test func readsAllOfTheTable() {
    #expect(Row.inverse.count == 185)
    #expect(Row.direct.count == 36)
    #expect((Row.inverse + Row.direct).allSatisfy { $0.numbers.count == 6 })
  }

  @Test(arguments: Row.inverse)
  func measuresTheDistance(row: Row) throws {
    let (a, b) = (try row.coordinate(at: 0), try row.coordinate(at: 2))
    let error = abs(a.distance(to: b) - row.numbers[4])
    #expect(error < 6e-8)
    #expect(error <= 5e-9 + 1e-11 * row.numbers[4])
    #expect(abs(a.distance(to: b) - b.distance(to: a)) < 2e-8)
  }

  @Test(arguments: Row.inverse)
  func takesTheBearing(row: Row) throws {
    let (a, b) = (try row.coordinate(at: 0), try row.coordinate(at: 2))
    let bearing = a.bearing(to: b)
    #expect((0..<360).contains(bearing))
    // Along the shortest path by this bearing, one comes to the same place.
    let arrival = a.destination(distance: row.numbers[4], bearing: bearing)
    #expect(arrival.distance(to: b) < 1e-7)
    // Between antipodes the azimuth hangs on the last digit of the positions.
    guard row.numbers[4] > 1, row.numbers[4] < 19_900_000 else { return }
    let error = abs(bearing - row.numbers[5])
    #expect(min(error, 360 - error) < 1e-6 / row.numbers[4] + 1e-11)
  }

  @Test(arguments: Row.direct)
  func findsTheDestination(row: Row) throws {
    let reached = try row.coordinate(at: 0)
      .destination(distance: row.numbers[3], bearing: row.numbers[2])
    #expect(reached.distance(to: try row.coordinate(at: 4)) < 1e-7)
  }

  @Test(arguments: Row.inverse, [0.25, 0.5, 0.9])
  func interpolatesAlongTheGeodesic(row: Row, fraction: Double) throws {
    let (a, b) = (try row.coordinate(at: 0), try row.coordinate(at: 2))
    let between = a.interpolated(to: b, fraction: fraction)
    #expect(abs(a.distance(to: between) - fraction * row.numbers[4]) < 1e-7)
    #expect(abs(between.distance(to: b) - (1 - fraction) * row.numbers[4]) < 1e-7)
  }
}
