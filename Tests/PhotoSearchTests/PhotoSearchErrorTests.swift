import FaketrackServices
import FaketrackTestSupport
import Testing

@testable import PhotoSearch

@Suite struct PhotoSearchErrorTests {
  private let spot = PhotoQuery(center: Spot.potsdam, radius: 1)

  @Test(
    arguments: [
      (.unreachable, "Stub cannot be reached: m", "Check the network and the proxy settings."),
      (.status(500), "Stub answered HTTP 500: m", nil),
      (.refused(code: "3"), "Stub refused (3): m", nil),
      (
        .keyRejected(code: "100"), "Stub rejected the key (100): m",
        "Check the key, or search a source that needs none."
      ),
      (.brokenAnswer, "Stub sent an unusable answer: m", nil),
      (.tooLarge(limit: 9), "Stub sent more than 9 bytes", "Search a smaller radius."),
      (.unusableAddress, "Stub cannot be asked: m", "Check the address of the service."),
    ] as [(PhotoSearchError.Reason, String, String?)])
  func saysWhatHappenedAndWhatToDo(
    reason: PhotoSearchError.Reason, description: String, suggestion: String?
  ) {
    let error = PhotoSearchError(service: "Stub", reason: reason, message: "m")
    #expect(error.description == description)
    #expect(error.recoverySuggestion == suggestion)
    #expect(error.reason == reason && error.service == "Stub" && error.message == "m")
    #expect(error.isUnreachable == (reason == .unreachable))
    #expect(error.isKeyRejected == (reason == .keyRejected(code: "100")))
  }

  @Test func isSafeToPrint() {
    let error = PhotoSearchError(
      service: "Stub", reason: .refused(code: "1"), message: "a\u{1B}[2J\nb" + "x".repeated(500))
    #expect(!error.message.contains("\u{1B}") && !error.message.contains("\n"))
    #expect(error.message.count == 160)
  }

  @Test func countsTheAttempts() {
    let error = PhotoSearchError(
      service: "Stub", reason: .status(502), message: "", attempts: 4)
    #expect(error.attempts == 4)
    #expect(error.description == "Stub answered HTTP 502 (4 attempts)")
  }

  @Test func wrapsWhatAnAppsOwnSourceThrows() {
    struct Odd: Error {}
    let wrapped = PhotoSearchError(Odd(), from: "own")
    #expect(wrapped.service == "own" && wrapped.reason == .brokenAnswer)
    #expect(PhotoSearchError(PhotoSearchError.down as any Error, from: "own") == .down)
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
