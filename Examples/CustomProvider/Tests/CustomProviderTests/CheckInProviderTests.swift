import CustomProvider
import Geodesy
import Locations
import Testing

@Suite struct CheckInProviderTests {
  private func places(_ count: Int) throws -> [Coordinate] {
    try (0..<count).map { try Coordinate(latitude: Double($0), longitude: 10) }
  }

  @Test func reportsThePermissionAndThenEachPlace() async throws {
    let places = try places(3)
    var seen: [LocationUpdate] = []
    for try await update in CheckInProvider(places).updates() { seen.append(update) }
    #expect(seen == [.authorization(.authorizedAlways)] + places.map { .location(Fix($0)) })
  }

  @Test func everyIterationStartsAtTheBeginning() async throws {
    let provider = CheckInProvider(try places(2))
    for _ in 0..<2 {
      var count = 0
      for try await _ in provider.updates() { count += 1 }
      #expect(count == 3)
    }
  }

  @Test func aDistanceFilterWorksWithAnyProvider() async throws {
    let provider = CheckInProvider(try places(5))
    var filter = DistanceFilter(minimumDistance: 200_000)
    var latitudes: [Double] = []
    for try await update in provider.updates() {
      guard let fix = update.location, filter.admit(fix.coordinate) else { continue }
      latitudes.append(fix.coordinate.latitude)
    }
    #expect(latitudes == [0, 2, 4])
  }
}
