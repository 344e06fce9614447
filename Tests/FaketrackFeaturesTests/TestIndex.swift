import Cities
import Foundation
import Geodesy

/// A small index: ten cities in a row, and sixty villages with a common prefix.
enum TestIndex {
  static let potsdam = 10
  static let berlin = 11

  static func make() throws -> CityIndex {
    var builder = CityIndexBuilder()
    let names = [
      "Potsdam", "Berlin", "Caputh", "Dessau", "Erfurt", "Fulda", "Gotha", "Halle", "Jena", "Köln",
    ]
    for (number, name) in names.enumerated() {
      let place = try Coordinate(latitude: 52, longitude: 13 + Double(number) / 10)
      try builder.add(
        City(
          id: potsdam + number, name: name, country: "DE", coordinate: place,
          population: name == "Berlin" ? 3_700_000 : 1_000 + number))
    }
    for number in 0..<60 {
      let place = try Coordinate(latitude: -30, longitude: Double(number))
      try builder.add(
        City(id: 1_000 + number, name: "Villa \(100 + number)", country: "AR", coordinate: place))
    }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try builder.write(to: file)
    return try CityIndex(contentsOf: file)
  }
}
