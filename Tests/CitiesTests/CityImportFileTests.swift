import Foundation
import Geodesy
import Testing

@testable import Cities

@Suite struct CityImportFileTests {
  let directory: TemporaryDirectory
  let source: URL
  let index: URL

  init() throws {
    directory = try TemporaryDirectory()
    source = directory.file("source")
    index = directory.file("cities.bin")
  }

  /// A JSON array of many cities.
  private func array(_ count: Int, name: String) -> Data {
    let rows = (0..<count).map {
      #"{"_id":\#($0),"name":"\#(name) \#($0)","coord":{"lat":\#($0 % 90),"lon":\#($0 % 180)}}"#
    }
    return Data("[\(rows.joined(separator: ","))]".utf8)
  }

  private func install(_ name: String) throws -> Data {
    try array(3, name: name).write(to: source)
    let report = try CityImport.replaceIndex(at: index, reading: source)
    #expect(report.cities == 3)
    return try Data(contentsOf: index)
  }

  @Test func replacesTheIndex() throws {
    _ = try install("Old")
    _ = try install("New")
    #expect(try CityIndex(contentsOf: index)[id: 2]?.name == "New 2")
    #expect(try directory.contents == ["cities.bin", "source"])
  }

  @Test func keepsTheOldIndexWhenTheInputIsCutOff() throws {
    let old = try install("Old")
    try Data(array(5_000, name: "New").dropLast(40)).write(to: source)
    #expect(throws: CitiesError.self) {
      try CityImport.replaceIndex(at: index, reading: source)
    }
    #expect(try Data(contentsOf: index) == old)
    #expect(try directory.contents == ["cities.bin", "source"])
  }

  @Test func reportsProgress() throws {
    try array(20_000, name: "City").write(to: source)
    let size = try Data(contentsOf: source).count
    var seen: [CityImportProgress] = []
    _ = try CityImport.replaceIndex(at: index, reading: source) { seen.append($0) }
    #expect(seen.count > 2)
    #expect(seen.map(\.bytes) == seen.map(\.bytes).sorted())
    #expect(seen.last?.bytes == size)
    #expect(seen.allSatisfy { $0.totalBytes == size })
  }

  @Test func endsWhenProgressSaysSo() throws {
    struct Stop: Error {}
    let old = try install("Old")
    try array(20_000, name: "New").write(to: source)
    #expect(throws: Stop.self) {
      try CityImport.replaceIndex(at: index, reading: source) { _ in throw Stop() }
    }
    #expect(try Data(contentsOf: index) == old)
  }

  @Test func endsWhenTheTaskIsCancelled() async throws {
    let old = try install("Old")
    try array(20_000, name: "New").write(to: source)
    let task = Task { [index, source] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try CityImport.replaceIndex(at: index, reading: source)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try Data(contentsOf: index) == old)
  }

  @Test func readsTheNamesOfRegions() throws {
    try Data("DE.11\tBrandenburg\tBrandenburg\t2945356\nFR.84\tÎle\n\nodd\n".utf8).write(to: source)
    #expect(try CityImport.regions(contentsOf: source) == ["DE.11": "Brandenburg", "FR.84": "Île"])
    let missing = directory.file("missing")
    #expect(throws: CitiesError.self) { try CityImport.regions(contentsOf: missing) }
  }

  @Test func saysThatThereIsNoFile() {
    let missing = directory.file("missing")
    #expect(
      throws: CitiesError.unreadable(path: missing.path, reason: "No such file or directory")
    ) { try CityImport.replaceIndex(at: index, reading: missing) }
  }
}
