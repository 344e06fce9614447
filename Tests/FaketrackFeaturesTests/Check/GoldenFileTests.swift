import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackFeatures

@Suite struct GoldenFileTests {
  private let home: TemporaryHome
  private static let record = #"{"latitude":52.4,"longitude":13.06,"time":"2026-05-01T08:00:00Z"}"#

  init() throws {
    home = try TemporaryHome()
  }

  private func count(_ text: String) throws -> Int {
    try home.file("golden", Data(text.utf8))
    return try GoldenFile.locations(in: home.path("golden")).count
  }

  @Test(arguments: ["\n", "", "\r\n"])
  func theLastLocationCountsHoweverItsLineEnds(end: String) throws {
    let separator = end.isEmpty ? "\n" : end
    #expect(try count(Self.record + separator + Self.record + end) == 2)
  }

  @Test func aByteOrderMarkIsSkipped() throws {
    #expect(try count("\u{FEFF}" + Self.record) == 1)
  }

  @Test func aRecordThatIsCutOffIsNone() throws {
    #expect(throws: Failure.self) { try count(Self.record + "\n" + Self.record.dropLast()) }
  }

  @Test func aLineWithoutAnEndIsAFailure() {
    #expect {
      try GoldenFile.locations(in: "/dev/zero")
    } throws: { ($0 as? Failure)?.message == "/dev/zero:1: the line does not end" }
  }
}
