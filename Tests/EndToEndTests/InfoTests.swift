import FaketrackTestSupport
import Foundation
import Testing

@Suite struct InfoTests {
  @Test func tellsTheFactsOfTheWalk() async throws {
    let run = try await ExecutableRun.run("info", Repository.walk.path, "--format", "ndjson")
    #expect(run.code == 0)
    #expect(run.lines.count == 1)
    let facts = try Self.facts(run.output)
    #expect(facts["tracks"] as? Int == 1)
    #expect(facts["points"] as? Int == 7_201)
    #expect(facts["duration"] as? Double == 7_200)
    #expect((9_200...9_600).contains(facts["length"] as? Double ?? 0))
    #expect(facts["start"] as? String == "2026-05-01T08:00:00Z")
    #expect(facts["cities"] as? [String] == ["Potsdam"])
  }

  @Test func aFileWithoutPointsIsFine() async throws {
    let run = try await ExecutableRun.run(
      "info", "-", "--format", "ndjson", "--no-cities",
      input: Data("<gpx version=\"1.1\"/>".utf8))
    #expect(run.code == 0)
    let facts = try Self.facts(run.output)
    #expect(facts["file"] as? String == "-")
    #expect(facts["points"] as? Int == 0)
    #expect(facts["length"] as? Double == 0)
    #expect(facts["bounds"] is NSNull)
  }

  @Test func everyFileHasItsObject() async throws {
    let scratch = try Scratch()
    let files = try [2, 3].map { try scratch.file("\($0).gpx", Track.north($0)) }
    let run = try await ExecutableRun.run(.init(["info", "--format", "ndjson"] + files))
    let points = try run.lines.map { try Self.facts($0)["points"] as? Int }
    #expect(points == [2, 3])
  }

  @Test func aBrokenFileEndsWith65() async throws {
    let scratch = try Scratch()
    let file = try scratch.file("cut.gpx", Track.opening + Track.point(0))
    let run = try await ExecutableRun.run("info", file)
    #expect(run.code == 65)
    #expect(run.errors.contains("error: \(file):5:1: "))
  }

  private static func facts(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }
}
