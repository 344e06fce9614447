import Cities
import Foundation
import Geodesy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

// Measures the built-in index on the queries of `cities.py`; `cities.sh` sets it beside others.
//
//     CitiesBench <directory>          nearest and prefix search
//     CitiesBench <directory> import   the import of cities.json
//
// The directory holds `sphere`, `near` and `walk` (pairs of 64-bit numbers, latitude and longitude),
// `prefixes` (lines) and `cities.json`. Prints a name and a number a line, and writes the ids found.

let directory = URL(fileURLWithPath: CommandLine.arguments[1])
/// What was computed goes here, so that it has to be.
nonisolated(unsafe) var sink = 0.0

if CommandLine.arguments.count > 2 {
  try measureImport()
} else {
  try measureSearch()
}
FileHandle.standardError.write(Data("computed \(sink)\n".utf8))

/// Prints the best of seven rounds, in nanoseconds for each of `count` operations.
func measure(_ name: String, count: Int, _ round: () throws -> Void) rethrows {
  let clock = ContinuousClock()
  try round()
  let times = try (0..<7).map { _ in try clock.measure(round) / .nanoseconds(1) }
  print(name, (times.min() ?? .nan) / Double(count))
}

func positions(_ name: String) throws -> [Coordinate] {
  let data = try Data(contentsOf: directory.appendingPathComponent(name))
  let numbers = data.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
  return try stride(from: 0, to: numbers.count, by: 2).map {
    try Coordinate(latitude: numbers[$0], longitude: numbers[$0 + 1])
  }
}

func measureSearch() throws {
  try measure("open", count: 1) { sink += Double(try CityIndex.builtIn().count) }
  let cities = try CityIndex.builtIn()
  for name in ["sphere", "near", "walk"] {
    let positions = try positions(name)
    let ids = positions.map { Int32(cities.id(of: cities.nearestRow(to: $0))) }
    try ids.withUnsafeBytes { Data($0) }
      .write(to: directory.appendingPathComponent("\(name).ours"))
    measure("\(name) city", count: positions.count) {
      for position in positions { sink += Double(cities.id(of: cities.nearestRow(to: position))) }
    }
    measure("\(name) distance", count: positions.count) {
      for position in positions { sink += cities.nearestNeighbor(to: position)?.distance ?? 0 }
    }
    guard name == "walk" else { continue }
    measure("walk cursor", count: positions.count) {
      var cursor = NearestCityCursor(cities)
      for position in positions { sink += cursor.nearest(to: position)?.distance ?? 0 }
    }
  }
  try measurePrefixes(cities)
}

func measurePrefixes(_ cities: CityIndex) throws {
  let text = try String(
    contentsOf: directory.appendingPathComponent("prefixes"), encoding: .utf8)
  let prefixes = text.split(separator: "\n").map(String.init)
  measure("prefix ids", count: prefixes.count * 20) {
    for prefix in repeatElement(prefixes, count: 20).joined() {
      let rows = cities.rows(withPrefix: prefix)
      sink += Double(rows.count)
      for row in rows.prefix(50) { sink += Double(cities.id(of: row)) }
    }
  }
  measure("prefix cities", count: prefixes.count * 20) {
    for prefix in repeatElement(prefixes, count: 20).joined() {
      let page = cities.search(CityQuery(prefix: prefix, limit: 50))
      sink += Double(page.total + page.cities.count)
    }
  }
  measure("all by population", count: 1) {
    sink += Double(cities.search(CityQuery(order: .population, limit: 50)).cities[49].id)
  }
}

func measureImport() throws {
  let file = directory.appendingPathComponent("imported.bin")
  let source = directory.appendingPathComponent("cities.json")
  let clock = ContinuousClock()
  let time = try clock.measure {
    sink += Double(try CityImport.replaceIndex(at: file, reading: source).cities)
  }
  print("import seconds", time / .seconds(1))
  print("import megabytes", peakMegabytes())
  try measure("open imported", count: 1) {
    sink += Double(try CityIndex(contentsOf: file).count)
  }
}

/// The most memory that the process had in use.
func peakMegabytes() -> Double {
  var usage = rusage()
  #if canImport(Darwin)
    getrusage(RUSAGE_SELF, &usage)
    return Double(usage.ru_maxrss) / 1_048_576
  #else
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_maxrss) / 1_024
  #endif
}
