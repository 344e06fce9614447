import FaketrackTestSupport
import Foundation
import Testing

@Suite struct AboutCommandTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  @Test func tellsTheVersionTheCitiesAndWhereToReportAFault() async throws {
    let run = try await home.run("about")
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    let version = try await home.run("--version").output.trimmingCharacters(in: .newlines)
    #expect(run.output.hasPrefix("\(version) replays a GPX track"))
    #expect(run.output.contains("\n  234,908 cities, built in, as of 20"))
    #expect(run.output.contains("(https://github.com/faketrack/faketrack/issues)"))
    #expect(run.lines.allSatisfy { $0.count <= 100 })
  }

  @Test func importedCitiesHaveTheDayOfTheirImport() async throws {
    try home.file("c.json", #"[{"_id":7,"name":"Here","coord":{"lat":52.0,"lon":13.0}}]"#)
    _ = try await home.run("cities", "import", "c.json")
    let index = home.store.appendingPathComponent("cities.index").path
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_777_622_400)], ofItemAtPath: index)
    let run = try await home.run("about")
    #expect(run.output.contains("\n  1 city, imported on 2026-05-01.\n"))
  }
}
