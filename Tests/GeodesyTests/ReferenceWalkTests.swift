import FaketrackTestSupport
import Geodesy
import Testing

@Suite struct ReferenceWalkTests {
  @Test(arguments: ReferenceWalk.all)
  func deliversWhatGeographicLibDelivers(walk: ReferenceWalk) {
    var delivered = [0]
    for (index, position) in walk.coordinates.enumerated() {
      let last = walk.coordinates[delivered[delivered.count - 1]]
      if last.distance(to: position) >= 100 { delivered.append(index) }
    }
    #expect(walk.coordinates.count == ReferenceWalk.count)
    #expect(delivered == walk.delivered)
  }

  @Test func leadsWhereDistancesAreHard() {
    #expect(ReferenceWalk.all.count == 9)
    let boxes = ReferenceWalk.all.compactMap { BoundingBox($0.coordinates) }
    #expect(boxes.filter(\.crossesDateLine).count >= 2)
    #expect(boxes.contains { $0.minimumLatitude < 0 && $0.maximumLatitude > 0 })
    #expect(boxes.contains { $0.maximumLatitude > 89.999 })
    #expect(boxes.contains { $0.minimumLatitude < -89.98 })
  }
}
