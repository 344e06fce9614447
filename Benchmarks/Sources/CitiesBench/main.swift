import Cities
import Foundation
import Geodesy
import WorldCities

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

// Measures the built-in index with the queries of `cities.py`; `cities.sh` compares it with others.
//
//     CitiesBench <directory>          nearest and prefix search
//     CitiesBench <directory> import   the import of cities.json
//     CitiesBench <directory> ratios   nearest, as other libraries do it too
//
// The directory holds `sphere`, `near` and `walk` (pairs of 64-bit numbers, latitude and longitude),
// `prefixes` (lines) and `cities.json`. Prints a name and a number per line, and writes the ids that
// it found to `sphere.ours` and so on.

let directory = URL(fileURLWithPath: CommandLine.arguments[1])
/// Results are added here, so that the compiler cannot leave out their computation. Safe because
/// nothing here leaves the main thread.
nonisolated(unsafe) var sink = 0.0

switch CommandLine.arguments.dropFirst(2).first {
case nil:
  try measureNearest()
  try measurePrefixes(.world)
case "import":
  try measureImport()
default:
  try measureNearest(onlyRatios: true)
}
FileHandle.standardError.write(Data("computed \(sink)\n".utf8))

/// Prints the fastest of seven rounds, in nanoseconds for each of `count` operations.
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

func measureNearest(onlyRatios: Bool = false) throws {
  let opening = ContinuousClock().measure { sink += Double(CityIndex.world.count) }
  print("open", opening / .nanoseconds(1))
  let cities = CityIndex.world
  for name in ["sphere", "near", "walk"] {
    let positions = try positions(name)
    let ids = positions.compactMap { cities.nearest(to: $0).map { Int32($0.city.id) } }
    try ids.withUnsafeBytes { Data($0) }
      .write(to: directory.appendingPathComponent("\(name).ours"))
    measure(name, count: positions.count) {
      var sum = 0.0
      for position in positions { sum += Double(cities.nearest(to: position)?.city.id ?? 0) }
      sink += sum
    }
    if name == "walk" {
      measure("walk_cursor", count: positions.count) {
        var cursor = NearestCityCursor(cities)
        var sum = 0.0
        for position in positions { sum += cursor.nearest(to: position)?.distance ?? 0 }
        sink += sum
      }
    }
    if onlyRatios { continue }
    measure("\(name)_distance", count: positions.count) {
      var sum = 0.0
      for position in positions { sum += cities.nearest(1, to: position)[0].distance }
      sink += sum
    }
    for population in [1_000, 15_000, 100_000, 1_000_000] {
      measure("\(name)_\(population)", count: positions.count) {
        var sum = 0.0
        for position in positions {
          sum += Double(cities.nearest(to: position, minimumPopulation: population)?.city.id ?? 0)
        }
        sink += sum
      }
    }
  }
}

func measurePrefixes(_ cities: CityIndex) throws {
  let text = try String(
    contentsOf: directory.appendingPathComponent("prefixes"), encoding: .utf8)
  let prefixes = text.split(separator: "\n").map(String.init)
  measure("prefix_cities", count: prefixes.count * 20) {
    for prefix in repeatElement(prefixes, count: 20).joined() {
      let page = cities.search(CityQuery(prefix: prefix, limit: 50))
      sink += Double(page.total + page.cities.count)
    }
  }
  measure("prefix_names", count: prefixes.count * 20) {
    for prefix in repeatElement(prefixes, count: 20).joined() {
      let page = cities.search(CityQuery(prefix: prefix, limit: 50))
      sink += Double(page.total + page.matches.count)
    }
  }
  measure("prefix_by_population", count: prefixes.count * 20) {
    for prefix in repeatElement(prefixes, count: 20).joined() {
      let page = cities.search(CityQuery(prefix: prefix, order: .population, limit: 50))
      sink += Double(page.total + page.cities.count)
    }
  }
  measure("all_by_population", count: 1) {
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
  print("import", time / .nanoseconds(1))
  print("import_memory", peakMemory())
  try measure("open_imported", count: 1) {
    sink += Double(try CityIndex(contentsOf: file).count)
  }
}

/// The peak memory of the process in bytes.
func peakMemory() -> Int {
  var usage = rusage()
  #if canImport(Darwin)
    getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss
  #else
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1_024
  #endif
}
