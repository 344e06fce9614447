import Testing

@testable import FaketrackServices

@Suite struct ServiceErrorTests {
  @Test(arguments: [
    ("plain", "plain"), ("two\r\nlines\tand  more ", "two lines and more"),
    ("\u{1B}[31mred\u{7}\u{9B}2J", "[31mred 2J"), ("\u{202E}evil\u{2066}", "evil"), ("", ""),
    ("\n", ""), ("Zürich 東京", "Zürich 東京"),
  ])
  func messagesAreOneLineWithoutControlCharacters(text: String, expected: String) {
    #expect(ServiceError(service: "S", reason: .unreachable, message: text).message == expected)
  }

  @Test func messagesAreShort() {
    let text = String(repeating: "ab ", count: 1000)
    let message = ServiceError(service: "S", reason: .unreachable, message: text).message
    #expect(message.count == 160)
    #expect(message.hasSuffix("…"))
  }

  @Test(
    arguments: [
      (.unreachable, "S cannot be reached: m"), (.untrusted, "S cannot be reached: m"),
      (.status(502), "S answered HTTP 502: m"),
      (.refused(code: "3"), "S refused (3): m"),
      (.keyRejected(code: "100"), "S rejected the key (100): m"),
      (.brokenAnswer, "S sent an unusable answer: m"),
      (.tooLarge(limit: 9), "S sent more than 9 bytes"),
      (.unusableAddress, "S cannot be asked: m"),
    ] as [(ServiceError.Reason, String)])
  func describesItsFacts(reason: ServiceError.Reason, expected: String) {
    let error = ServiceError(service: "S", reason: reason, message: "m")
    #expect(error.description == expected)
    let repeated = ServiceError(service: "S", reason: reason, message: "m", attempts: 4)
    #expect(repeated.description == "\(expected) (4 attempts)")
    #expect(error.isUnreachable == (reason == .unreachable))
    #expect(error.isKeyRejected == (reason == .keyRejected(code: "100")))
  }

  @Test func anotherNumberOfAttemptsChangesNothingElse() {
    let error = ServiceError(service: "S", reason: .status(502), message: "m", attempts: 1)
    let later = error.after(attempts: 3)
    #expect(later.attempts == 3)
    #expect(later.after(attempts: 1) == error)
  }
}
