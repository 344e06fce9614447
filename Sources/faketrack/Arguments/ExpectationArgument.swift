import ArgumentParser
import FaketrackFeatures
import FaketrackSupport
import Foundation
import Geodesy
import Locations

/// An expectation of `check` on the command line.
struct ExpectationArgument: Sendable {
  private static let count = Locked(0)

  /// The expectation as it was given, such as `enters Potsdam,500m`.
  let name: String
  /// The values that come later on the command line have higher numbers.
  let place: Int
  /// Makes the expectation. Cities and files are read only now.
  let make:
    @Sendable @MainActor (CompositionRoot, TimeToleranceArgument?) async throws -> WalkExpectation

  private init(
    _ name: String,
    _ make:
      @escaping @Sendable @MainActor (CompositionRoot, TimeToleranceArgument?) async throws ->
      WalkExpectation
  ) {
    self.name = name
    self.make = make
    place = Self.count.withLock { count in
      count += 1
      return count
    }
  }

  // MARK: Areas

  static func area(
    _ verb: String, _ expectation: @escaping @Sendable (Area) -> WalkExpectation
  ) -> Expected.Parser<Self> {
    { text in
      let area = try areaText(text)
      return Self("\(verb) \(text)") { root, _ in expectation(try await root.area(area)) }
    }
  }

  static func stays(_ text: String) throws -> Self {
    guard let comma = text.lastIndex(of: ","),
      let duration = try? Expected.duration(String(text[comma...].dropFirst())),
      let area = try? areaText(String(text[..<comma]))
    else { throw ValidationError("expected an area and a time, such as Potsdam,500m,5min.") }
    return Self("stays \(text)") { root, _ in
      .stays(in: try await root.area(area), for: duration)
    }
  }

  static func passes(_ text: String) throws -> Self {
    guard let list = AreaText.list(text) else {
      throw ValidationError(
        "expected areas such as Potsdam,52.5,13.4,300m,Berlin,2km, or with semicolons between them."
      )
    }
    return Self("passes \(text)") { root, _ in
      var areas: [Area] = []
      for area in list { areas.append(try await root.area(area)) }
      return .passes(areas)
    }
  }

  private static func areaText(_ text: String) throws -> AreaText {
    guard let area = AreaText(text) else {
      throw ValidationError(
        "expected a circle such as 52.404,13.026,200m, a box such as 12.9,52.3,13.2,52.5, a file "
          + "such as @area.geojson, or a city such as Potsdam,500m.")
    }
    return area
  }

  // MARK: Files

  static func matches(_ text: String) throws -> Self {
    let (path, tolerance) = try file(text, usual: 1)
    return Self("matches \(text)") { _, times in
      .matches(
        try await RecordingFile.fixes(in: path), tolerance: tolerance,
        times: times?.value ?? .automatic)
    }
  }

  static func corridor(_ text: String) throws -> Self {
    let (path, width) = try file(text, usual: nil)
    return Self("within-corridor \(text)") { _, _ in
      .corridor(along: try await RecordingFile.fixes(in: path), width: width)
    }
  }

  /// A file and, after a comma, meters.
  static func file(_ text: String, usual: Double?) throws -> (path: String, meters: Double) {
    let isFile = FileManager.default.fileExists(atPath: text)
    if let usual, isFile || !text.contains(",") { return (text, usual) }
    guard let comma = text.lastIndex(of: ","), !isFile,
      let meters = try? Expected.distance()(String(text[comma...].dropFirst()))
    else {
      throw ValidationError(
        usual == nil
          ? "expected a file and a distance, such as route.gpx,50m."
          : "there is no such file; after a comma, a tolerance such as 5m is expected.")
    }
    return (String(text[..<comma]), meters)
  }

  // MARK: Legs

  static func maximumSpeed(_ text: String) throws -> Self {
    let speed = try Expected.speed(text)
    return Self("max-speed \(text)") { _, _ in .maximumSpeed(speed) }
  }

  static func maximumGap(_ text: String) throws -> Self {
    let expectation: WalkExpectation
    switch Amount(text) {
    case .distance(let meters): expectation = .maximumGap(meters)
    case .time(let seconds): expectation = .maximumPause(.seconds(clamping: seconds))
    case .number, .speed, nil: throw ValidationError("expected a distance or a time: 500m or 30s.")
    }
    return Self("max-gap \(text)") { _, _ in expectation }
  }
}

/// The value of `--time-tolerance`.
struct TimeToleranceArgument: Sendable {
  let value: WalkExpectation.TimeTolerance

  init(_ text: String) throws {
    value =
      text == "off"
      ? .off
      : .within(
        try Expected.value("off, or a time such as 5s") {
          try? Expected.duration($0)
        }(text))
  }
}

extension CompositionRoot {
  /// The area of a text, whose city may have to be found.
  fileprivate func area(_ text: AreaText) async throws -> Area {
    try await text.area { name in
      try await city(name, takesLargest: true, command: "check", as: nil)
    }
  }
}

/// The value of `--privacy`: latitude, longitude and radius.
struct RegionArgument: Sendable {
  let region: CircularRegion

  init(_ argument: String) throws {
    guard let region = AreaText.circle(argument) else {
      throw ValidationError(
        "expected a latitude, a longitude and a radius, such as 52.404,13.026,200m.")
    }
    self.region = region
  }
}
