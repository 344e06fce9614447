import FaketrackTestSupport
import Foundation
import Testing

/// What a terminal shows while a service is waited for.
@Suite(.timeLimit(.minutes(1))) struct RealPhotosTerminalTests {
  private let home: TestHome

  init() throws {
    home = try TestHome()
  }

  private func shown(_ stub: FlickrStub, _ arguments: String...) async throws -> [Substring] {
    try await StubServer.run(stub.callAsFunction) { server in
      let run = try await ReplayRun.replay(
        arguments + ["--photos", "flickr"], home: home,
        ["FAKETRACK_FLICKR_URL": "\(server.url)", "FLICKR_API_KEY": "SECRET", "NO_COLOR": "1"],
        hasTerminal: true)
      #expect(run.status == 0)
      #expect(!run.errors.contains("SECRET"))
      return run.errors.split { "\r\n".contains($0) || $0 == "\r\n" }
    }
  }

  @Test func theLineOfProgressTellsThatAServiceAsksToWait() async throws {
    let stub = FlickrStub(photosPerPage: 60, fault: .tooManyRequests(retryAfter: "1"), every: 3)
    let lines = try await shown(stub, try home.track(12))
    let waiting = lines.filter { $0.contains("Flickr asks to wait (") }
    #expect(!waiting.isEmpty, "\(lines)")
    #expect(waiting.allSatisfy { $0.contains("%") && $0.contains("photo") })
    #expect(lines.last?.contains("12 locations") == true)
  }

  @Test func theLineOfProgressTellsThatACallIsTriedAgain() async throws {
    let stub = FlickrStub(photosPerPage: 60, fault: .badGateway, every: 2)
    let lines = try await shown(stub, try home.track(12))
    #expect(lines.contains { $0.contains("trying Flickr again (") }, "\(lines)")
  }

  @Test func quietShowsNothing() async throws {
    let stub = FlickrStub(photosPerPage: 60, fault: .badGateway, every: 2)
    #expect(try await shown(stub, try home.track(12), "--quiet").isEmpty)
  }
}
