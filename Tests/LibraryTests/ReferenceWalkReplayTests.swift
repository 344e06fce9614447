import FaketrackTestSupport
import Geodesy
import Locations
import Testing

@Suite struct ReferenceWalkReplayTests {
  @Test(arguments: ReferenceWalk.all)
  func deliversWhatGeographicLibsDistancesDeliver(walk: ReferenceWalk) async throws {
    // The accuracy carries the index through the provider.
    let fixes = walk.coordinates.enumerated().map { Fix($1, horizontalAccuracy: Double($0)) }
    let provider = ReplayLocationProvider(
      fixes, distanceFilter: 100, speed: .max, clock: VirtualClock())
    var delivered: [Int] = []
    for try await update in provider.updates() {
      guard let fix = update.location else { continue }
      let index = Int(fix.horizontalAccuracy ?? -1)
      delivered.append(index)
      #expect(fix.coordinate == walk.coordinates[index])
    }
    #expect(delivered == walk.delivered)
  }

  @Test func thereAreNineWalks() {
    #expect(ReferenceWalk.all.count == 9)
    #expect(ReferenceWalk.all.allSatisfy { $0.coordinates.count == 4_000 })
  }
}
