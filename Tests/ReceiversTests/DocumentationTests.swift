import Geodesy
import Locations
import Receivers
import Testing

/// The snippet of the article.
@Suite struct DocumentationTests {
  private func show(_ fix: Fix) {
    Issue.record("no gpsd is running, but it has sent \(fix)")
  }

  @Test func anAppListensToAReceiver() async throws {
    let listening = Task {
      let locations = GPSDLocationProvider(distanceFilter: 100)
      for try await update in locations.updates() {
        if let fix = update.location { show(fix) }
      }
    }
    listening.cancel()
    await #expect(throws: (any Error).self) { try await listening.value }
  }
}
