import ArgumentParser
import Cities
import FaketrackFeatures
import FaketrackTerminal
import Foundation
import Geodesy

struct CitiesNearestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nearest",
    abstract: "The nearest cities to a position.",
    usage: "faketrack cities nearest [<options>] <latitude> <longitude>\n"
      + "       faketrack cities nearest [<options>] -",
    discussion: """
      Examples
        faketrack cities nearest 52.4009 13.0591
        faketrack cities nearest "52.4009, 13.0591"
        faketrack cities nearest -33.4 -70.6 -n 3 --format ndjson
        printf '52.4 13.06\\n48.86 2.35\\n' | faketrack cities nearest -
      """)

  @Option(
    name: [.customShort("n"), .customLong("limit"), .customLong("count")],
    help: .init("Number of cities. (default: 1)", valueName: "n"),
    transform: Expected.count(1 ... .max))
  var count = 1

  @Option(
    help: .init(
      "Maximum distance; a number is in kilometers. (default: unlimited)", valueName: "distance"),
    transform: Expected.distance(unit: 1_000, such: "20km or 10mi"))
  var maxDistance: Double?

  @OptionGroup var size: CitySizeOptions

  @Option(name: [.customShort("f"), .customLong("format")], help: "The output format.")
  var format = ListingFormat.text

  @Argument(
    parsing: .allUnrecognized,
    help: "Latitude and longitude in degrees; - reads a pair from each line of standard input.")
  var position: [String]

  mutating func validate() throws {
    // Whatever is not an option arrives here: negative numbers, and mistyped options too.
    position.removeAll { $0 == "--" }
    position = position.flatMap(Self.words)
    if let option = position.first(where: { $0.hasPrefix("-") && $0 != "-" && Double($0) == nil }) {
      throw ValidationError("Unknown option '\(option)'")
    }
    try require(
      position == ["-"] || position.count == 2,
      "Give a latitude and a longitude, or - for standard input.")
    if position.count == 2 { _ = try Self.coordinate(position) }
  }

  @MainActor
  mutating func run() async throws {
    let root = try CompositionRoot()
    let index = try root.cities().index
    let starred = await root.starred()
    guard position == ["-"] else {
      let rows = near(try Self.coordinate(position), in: index, starred)
      guard !rows.isEmpty else { return root.console.note("no city within the distance") }
      return try await root.write(rows, as: format)
    }
    try await answerLines(in: index, starred, root)
  }

  /// Answers each line before the next is read.
  @MainActor
  private func answerLines(
    in index: CityIndex, _ starred: Set<Int>, _ root: CompositionRoot
  ) async throws {
    guard read(STDIN_FILENO, nil, 0) == 0 else {
      throw Failure.unreadable("standard input")
    }
    let style = root.console.outputStyle
    var (number, hasHeader) = (0, false)
    while let line = readLine() {
      number += 1
      let words = Self.words(of: line)
      if words.isEmpty { continue }
      guard let coordinate = try? Self.coordinate(words) else {
        throw Failure(
          message: "standard input:\(number): \"\(line)\" is not a position",
          hint: "Write latitude and longitude in degrees, such as 52.4009 13.0591.",
          kind: .unusableInput)
      }
      let rows = near(coordinate, in: index, starred)
      let columns = rows.first?.json.names ?? []
      if format == .csv, !hasHeader, !rows.isEmpty {
        try await root.output.write(JSONValue.csvHeader(columns))
        hasHeader = true
      }
      let text = rows.map { row in
        switch format {
        case .text: style.line(row)
        case .ndjson: row.json.serialized + "\n"
        case .csv: row.json.csvRow(columns)
        }
      }.joined()
      if text.isEmpty, format == .csv { continue }
      try await root.output.write(text.isEmpty ? (format == .ndjson ? "null\n" : "\n") : text)
    }
  }

  private func near(
    _ coordinate: Coordinate, in index: CityIndex, _ starred: Set<Int>
  ) -> [CityRow] {
    index.nearest(
      count, to: coordinate, within: maxDistance ?? .infinity,
      minimumPopulation: size.minPopulation
    ).map { CityRow($0.city, favorites: starred, distance: $0.distance) }
  }

  private static func words(of text: String) -> [String] {
    text.split { $0.isWhitespace || $0 == "," }.map(String.init)
  }

  private static func coordinate(_ words: [String]) throws -> Coordinate {
    guard words.count == 2, let latitude = Double(words[0]), let longitude = Double(words[1])
    else {
      throw ValidationError("'\(words.joined(separator: " "))' is not a latitude and a longitude.")
    }
    do {
      return try Coordinate(latitude: latitude, longitude: longitude)
    } catch {
      throw ValidationError("\(error).")
    }
  }
}
