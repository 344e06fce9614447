import FaketrackServices
import Testing

@Suite struct ServiceErrorTests {
  @Test(arguments: [
    ("plain", "plain"), ("two\r\nlines\tand  more ", "two lines and more"),
    ("\u{1B}[31mred\u{7}\u{9B}2J", " [31mred 2J".trimmingPrefix(" ").description),
    ("\u{202E}evil\u{2066}", "evil"), ("", ""), ("\n", ""), ("Zürich 東京", "Zürich 東京"),
  ])
  func messagesAreOneLineWithoutControlCharacters(text: String, expected: String) {
    #expect(text.asOneShortLine() == expected)
  }

  @Test func messagesAreShort() {
    let line = String(repeating: "ab ", count: 1000).asOneShortLine(limit: 20)
    #expect(line.count == 20)
    #expect(line.hasSuffix("…"))
    #expect(String(repeating: "x", count: 20).asOneShortLine(limit: 20).count == 20)
  }

  @Test(
    arguments: [
      (.unreachable, "S cannot be reached: m"), (.status(502), "S answered HTTP 502: m"),
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
}
