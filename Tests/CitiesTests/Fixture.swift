import Foundation
import Testing

@testable import Cities

/// Files of expected answers; `Fixtures/make-fixtures` makes them.
enum Fixture {
  /// The columns of each line.
  static func rows(_ name: String) throws -> [[String]] {
    let url = try #require(
      Bundle.module.url(forResource: name, withExtension: "tsv", subdirectory: "Fixtures"))
    return try Data(contentsOf: url).split(separator: 0x0A).map { line in
      line.split(separator: 0x09, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// A number that changes with each of the numbers and with their order.
  static func fingerprint(_ numbers: some Sequence<Int>) -> UInt64 {
    numbers.reduce(0) {
      $0 &* 6_364_136_223_846_793_005 &+ UInt64($1) &+ 1_442_695_040_888_963_407
    }
  }
}

/// A directory that is deleted after the test.
final class TemporaryDirectory {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  var contents: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}

extension CityIndex {
  /// An index of these cities, written to a file and opened.
  static func of(_ cities: [City]) throws -> CityIndex {
    let directory = try TemporaryDirectory()
    var builder = CityIndexBuilder()
    for city in cities { try builder.add(city) }
    let url = directory.file("cities.bin")
    try builder.write(to: url)
    return try CityIndex(contentsOf: url)
  }
}
