import FaketrackTestSupport
import Foundation
import Testing

/// `favorites`, and the home screen with their count.
@Suite struct FavoritesTests {
  struct Step: Sendable {
    let arguments: [String]
    let code: Int32
    let output: String
    let errors: String

    init(_ arguments: String, code: Int32 = 0, _ output: String = "", errors: String = "") {
      self.arguments = arguments.split(separator: " ").map(String.init)
      (self.code, self.output, self.errors) = (code, output, errors)
    }
  }

  struct Story: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: [Step]

    init(_ name: String, _ steps: Step...) {
      (testDescription, self.steps) = (name, steps)
    }
  }

  private static func both(_ star: String = "") -> String {
    """
     2959946  Aach, Baden-Wurttemberg, DE       2,248  47.84240, 8.85384\(star)
     2959944  Aach, Rheinland-Pfalz, DE         1,151  49.78333, 6.60000\(star)

    """
  }

  /// Commands in order, each with its output.
  static let stories = [
    Story(
      "none to begin with",
      Step(
        "favorites list",
        errors: "no favorites yet; add one: faketrack favorites add <id|name>\n")),
    Story(
      "list is what is done without a command",
      Step("favorites add 2852458", errors: "added Potsdam, Brandenburg, DE\n"),
      Step("favorites", " 2852458  Potsdam, Brandenburg, DE     184,754  52.39886, 13.06566  ★\n")),
    Story(
      "added by id and by name, listed by name",
      Step(
        "favorites add Reykjavík 2852458",
        errors: "added Reykjavík, Capital Region, IS\nadded Potsdam, Brandenburg, DE\n"),
      Step(
        "favorites list",
        """
         2852458  Potsdam, Brandenburg, DE          184,754  52.39886, 13.06566  ★
         3413829  Reykjavík, Capital Region, IS     118,918  64.13548, -21.89541  ★

        """),
      Step(
        "favorites list --format ndjson",
        """
        {"id":2852458,"name":"Potsdam","country":"DE","region":"Brandenburg",\
        "latitude":52.39886,"longitude":13.06566,"population":184754,\
        "timezone":"Europe/Berlin","favorite":true}
        {"id":3413829,"name":"Reykjavík","country":"IS","region":"Capital Region",\
        "latitude":64.13548,"longitude":-21.89541,"population":118918,\
        "timezone":"Atlantic/Reykjavik","favorite":true}

        """)),
    Story(
      "added twice is added once",
      Step("favorites add 2852458", errors: "added Potsdam, Brandenburg, DE\n"),
      Step("favorites add 2852458", errors: "Potsdam, Brandenburg, DE is a favorite already\n"),
      Step("favorites remove 2852458", errors: "removed Potsdam, Brandenburg, DE\n"),
      Step("favorites remove 2852458", errors: "Potsdam, Brandenburg, DE is not a favorite\n"),
      Step(
        "favorites",
        errors: "no favorites yet; add one: faketrack favorites add <id|name>\n")),
    Story(
      "of several cities with a name, one that is far larger is added",
      Step(
        "favorites add Potsdam",
        errors: """
          note: 2 cities are named Potsdam; this is Potsdam, Brandenburg, DE, by far the largest of \
          them; the others, by their ids:
           5132103  Potsdam, New York, US       9,688  44.66978, -74.98131
          added Potsdam, Brandenburg, DE

          """)),
    Story(
      "a name of several cities of like size is not guessed at",
      Step(
        "favorites add Aach", code: 1, both(),
        errors: """
          error: 2 cities are named Aach
          hint: Choose one by its id, for example: faketrack favorites add 2959946

          """),
      Step(
        "favorites remove Aach", code: 1,
        errors: """
          error: no favorite is named Aach
          hint: See them with their ids: faketrack favorites list

          """),
      Step(
        "favorites add 2959944 2959946",
        errors: "added Aach, Rheinland-Pfalz, DE\nadded Aach, Baden-Wurttemberg, DE\n"),
      Step(
        "favorites remove Aach", code: 1, both("  ★"),
        errors: """
          error: 2 favorites are named Aach
          hint: Choose one by its id, for example: faketrack favorites remove 2959946

          """)),
    Story(
      "of several the one that is a favorite is removed",
      Step("favorites add 5132103", errors: "added Potsdam, New York, US\n"),
      Step("favorites remove Potsdam", errors: "removed Potsdam, New York, US\n")),
    Story(
      "all are added or none",
      Step(
        "favorites add 2852458 1", code: 1,
        errors: """
          error: there is no city 1 in the index
          hint: Search for its name: faketrack cities search <prefix>

          """),
      Step(
        "favorites list",
        errors: "no favorites yet; add one: faketrack favorites add <id|name>\n")),
    Story(
      "a name that no city bears",
      Step(
        "favorites add Potsda", code: 1,
        errors: """
          error: there is no city named Potsda
          hint: Did you mean Potsdam, Brandenburg, DE (2852458); Potsdam, New York, US (5132103); Norwood, New York, US (5129364)?

          """)),
  ]

  @Test(arguments: stories)
  func tellsWhatItDid(story: Story) async throws {
    let home = try TemporaryHome()
    for step in story.steps {
      let run = try await home.run(step.arguments)
      #expect(run.code == step.code, "\(step.arguments)")
      #expect(run.output == step.output, "\(step.arguments)")
      #expect(run.errors == step.errors, "\(step.arguments)")
    }
  }

  @Test func askingMakesNoStore() async throws {
    let home = try TemporaryHome()
    for command in [
      ["favorites"], ["cities", "search", "pots"], ["cities", "nearest", "52", "13"],
    ] {
      #expect(try await home.run(command).code == 0)
    }
    #expect(home.names(in: "home").isEmpty)
  }

  @Test func severalProcessesMayAddAndListAtOnce() async throws {
    let home = try TemporaryHome()
    let ids = [2_852_458, 5_132_103, 3_413_829, 2_639_975, 3_067_752, 3_067_751]
    try await withThrowingTaskGroup(of: ExecutableRun.self) { group in
      for id in ids {
        group.addTask { try await home.run("favorites", "add", "\(id)") }
        group.addTask { try await home.run("favorites", "list") }
      }
      for try await run in group {
        #expect(run.code == 0, "\(run.errors)")
        #expect(!run.errors.contains("not in the index"))
      }
    }
    let run = try await home.run("favorites", "list", "--format", "ndjson")
    #expect(Set(try run.objects.compactMap { $0["id"] as? Int }) == Set(ids))
  }

  @Test func aStoreThatCannotBeReadIsAnError() async throws {
    let home = try TemporaryHome()
    try Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
      .write(to: home.database)
    for arguments in [["favorites", "list"], ["favorites", "add", "2852458"]] {
      let run = try await home.run(arguments)
      #expect(run.code == 1)
      #expect(run.output.isEmpty)
      #expect(run.errors.contains("not a database"))
    }
    // If only a star depends on it, it is a warning.
    let search = try await home.run("cities", "search", "potsdam", "--limit", "2")
    #expect(search.code == 0)
    #expect(search.lines.count == 2)
    #expect(search.warnings.count == 1)
  }

  struct Place: Sendable, CustomTestStringConvertible {
    let variables: [String: String]
    let file: String

    var testDescription: String { variables.keys.sorted().joined(separator: ", ") }
  }

  @Test(arguments: [
    Place(variables: ["FAKETRACK_HOME": "mine", "XDG_DATA_HOME": "share"], file: "mine"),
    Place(variables: ["FAKETRACK_HOME": "", "XDG_DATA_HOME": "share"], file: "share/faketrack"),
    Place(
      variables: ["FAKETRACK_HOME": "", "XDG_DATA_HOME": ""], file: ".local/share/faketrack"),
  ])
  func areKeptWhereTheEnvironmentSays(place: Place) async throws {
    let home = try TemporaryHome()
    var environment = place.variables.mapValues { $0.isEmpty ? "" : home.path($0) }
    environment["HOME"] = home.url.path
    let run = try await home.run("favorites", "add", "2852458", environment: environment)
    #expect(run.code == 0, "\(run.errors)")
    #expect(home.names(in: place.file).contains("faketrack.sqlite"))
  }
}

/// `faketrack` without arguments.
@Suite struct HomeTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private static func page(key: String, index: String, favorites: Int) -> String {
    """
    faketrack walks any GPX track: for every 100 meters, a photo taken there and the city you are near.

    Try next
      faketrack demo                the sample walk, in the terminal or on a local web page
      faketrack replay walk.gpx     a photo URL for every 100 meters of a walk
      faketrack cities search pots  cities whose names start with “pots”

    Status
      Flickr key  \(key)
      city index  \(index)
      favorites   \(favorites)

    All commands: faketrack --help

    """
  }

  private static let noKey = "not set: photos come from Wikimedia Commons, which needs none"
  private static let builtIn = "234,908 cities, built in"

  @Test func tellsWhatCanBeDoneAndHowThingsAre() async throws {
    let run = try await home.run()
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output == Self.page(key: Self.noKey, index: Self.builtIn, favorites: 0))
  }

  @Test func countsTheFavorites() async throws {
    _ = try await home.run("favorites", "add", "2852458", "5132103")
    let run = try await home.run()
    #expect(run.output == Self.page(key: Self.noKey, index: Self.builtIn, favorites: 2))
  }

  @Test func tellsOfAnImportedIndex() async throws {
    try home.file(
      "c.json", #"[{"_id":7,"name":"Here","country":"DE","coord":{"lat":52,"lon":13}}]"#)
    _ = try await home.run("cities", "import", "c.json")
    let run = try await home.run()
    #expect(run.output == Self.page(key: Self.noKey, index: "1 city, imported", favorites: 0))
  }

  @Test func tellsThatThereIsAKeyAndNotWhich() async throws {
    let run = try await home.run(environment: ["FLICKR_API_KEY": "0123456789abcdef"])
    #expect(
      run.output
        == Self.page(key: "set: photos come from Flickr", index: Self.builtIn, favorites: 0))
    let blank = try await home.run(environment: ["FLICKR_API_KEY": " \t"])
    #expect(blank.output == Self.page(key: Self.noKey, index: Self.builtIn, favorites: 0))
  }
}
