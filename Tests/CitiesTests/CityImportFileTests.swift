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

  @Test func endsWhenProgressThrows() throws {
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

  @Test func reportsAMissingFile() {
    let missing = directory.file("missing")
    #expect(
      throws: CitiesError.unreadable(path: missing.path, reason: "No such file or directory")
    ) { try CityImport.replaceIndex(at: index, reading: missing) }
  }

  @Test func regionsOfADamagedTableAreSkipped() throws {
    try Data("\tName\nDE.11\n\n\r\nAT.1\tWien\tVienna\t1\nAT.1\tZwei\n".utf8).write(to: source)
    // Empty columns do not count, and the last name of a code wins.
    #expect(try CityImport.regions(contentsOf: source) == ["AT.1": "Zwei"])
  }

  @Test func concurrentImportsLeaveOneCompleteIndex() async throws {
    let (directory, index) = (directory, index)
    let names = (0..<8).map { "Import\($0)" }
    for name in names { try array(300, name: name).write(to: directory.file(name)) }
    let sources = names.map { directory.file($0) }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for source in sources {
        group.addTask { try CityImport.replaceIndex(at: index, reading: source).cities }
      }
      for try await cities in group { #expect(cities == 300) }
    }
    let cities = try CityIndex(contentsOf: index).search(CityQuery(limit: .max)).cities
    #expect(cities.count == 300)
    let winner = try #require(cities.first?.name.split(separator: " ").first)
    #expect(cities.allSatisfy { $0.name.hasPrefix(winner) })
    #expect(try directory.contents == (["cities.bin"] + names).sorted())
  }

  @Test func readersSeeTheOldOrTheNewIndexWhileItIsReplaced() async throws {
    let (source, index) = (source, index)
    let old = try install("Old")
    try array(300, name: "New").write(to: source)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            let count = try CityIndex(contentsOf: index).count
            #expect([3, 300].contains(count))
          }
        }
      }
      group.addTask {
        let report = try CityImport.replaceIndex(at: index, reading: source)
        #expect(report.cities == 300)
      }
      try await group.waitForAll()
    }
    #expect(try Data(contentsOf: index) != old)
  }

  @Test func reportsTheErrorOfWritingTheIndex() throws {
    try array(3, name: "New").write(to: source)
    let target = directory.file("none/cities.bin")
    #expect(
      throws: CitiesError.unwritable(path: target.path, reason: "No such file or directory")
    ) { try CityImport.replaceIndex(at: target, reading: source) }
  }

  @Test func readsAPipeWithoutKnowingItsLength() throws {
    let fifo = directory.file("fifo")
    #expect(mkfifo(fifo.path, 0o600) == 0)
    let data = array(2_000, name: "Piped")
    // A pipe blocks its writer, which is no task for the tasks' own threads.
    Thread.detachNewThread {
      let writer = try? FileHandle(forWritingTo: fifo)
      try? writer?.write(contentsOf: data)
      try? writer?.close()
    }
    var seen: [CityImportProgress] = []
    let report = try CityImport.replaceIndex(at: index, reading: fifo) { seen.append($0) }
    #expect(report.cities == 2_000)
    #expect(seen.allSatisfy { $0.totalBytes == nil })
    #expect(seen.last?.bytes == data.count)
  }

  @Test func readingADirectoryFails() throws {
    let error = #expect(throws: CitiesError.self) {
      try CityImport.replaceIndex(at: index, reading: directory.url)
    }
    #expect(error == .unreadable(path: directory.url.path, reason: "Is a directory"))
  }

  @Test func anEmptyFileHoldsNoCity() throws {
    try Data().write(to: source)
    #expect(throws: CitiesError.noUsableRow(rows: 0)) {
      try CityImport.replaceIndex(at: index, reading: source)
    }
    #expect(try directory.contents == ["source"])
  }
}
