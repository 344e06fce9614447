import FaketrackServices
import FaketrackTestSupport
import Testing

@testable import FaketrackFeeds

@Suite struct FeedContextTests {
  private static let targets = [
    "chrome:127.0.0.1:1", "owntracks:http://127.0.0.1:1/pub", "traccar:http://127.0.0.1:1",
    "webdriver:ws://127.0.0.1:1/session/7", "webdriver:http://127.0.0.1:1/session/7",
  ]

  private func failure(
    of target: String, plain: Result<ServiceResponse, HTTPFailure>,
    tls: Result<ServiceResponse, HTTPFailure>
  ) async throws -> FeedError? {
    let fetcher = ScriptedFetcher { request, _ in
      try (request.endpoint.scheme == "https" ? tls : plain).get()
    }
    let feed = try FeedTarget.feed(target).connect(FeedContext(fetcher: fetcher, note: { _ in }))
    do {
      try await feed.open()
      return nil
    } catch {
      return error as? FeedError
    }
  }

  @Test(arguments: targets)
  func aServerThatSpeaksTLSIsAnErrorBeforeTheWalk(target: String) async throws {
    for tls in [Result<ServiceResponse, HTTPFailure>.failure(.untrusted), .success(.text(""))] {
      let error = try await failure(of: target, plain: .failure(.unreachable("gone")), tls: tls)
      #expect(error?.reason == "its server speaks TLS")
      #expect(error?.hint != nil)
    }
  }

  @Test(arguments: targets)
  func aServerThatIsAwayIsNotSaidToSpeakTLS(target: String) async throws {
    let error = try await failure(
      of: target, plain: .failure(.unreachable("gone")), tls: .failure(.unreachable("gone")))
    #expect(["gone", "the connection was refused"].contains(error?.reason))
  }

  @Test func aLongAnswerIsRejected() async throws {
    let error = try await failure(
      of: "traccar:http://127.0.0.1:1", plain: .failure(.tooLarge(limit: 1)),
      tls: .failure(.unreachable("plain")))
    #expect(error?.reason == "its answer is longer than 1 MB")
  }

  @Test func aServerMayAnswerTLSOnItsPortWithARefusal() async throws {
    let target = "traccar:http://127.0.0.1:1"
    let refusal = Result<ServiceResponse, HTTPFailure>.success(.text("", status: 400))
    #expect(
      try await failure(of: target, plain: refusal, tls: refusal)?.reason == "its server speaks TLS"
    )
    #expect(
      try await failure(of: target, plain: refusal, tls: .failure(.unreachable("plain"))) == nil)
  }
}
