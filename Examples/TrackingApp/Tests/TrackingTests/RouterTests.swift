import Testing
import Tracking

@MainActor
@Suite struct RouterTests {
  @Test func opensAndClosesScreens() {
    let router = Router()
    router.show(.tracking)
    #expect(router.path == [.tracking])
    router.showHome()
    #expect(router.path.isEmpty)
  }
}
