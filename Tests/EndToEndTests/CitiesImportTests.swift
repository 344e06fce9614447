import FaketrackTestSupport
import Foundation
import Testing

/// `cities import`: the user's own cities in place of the built-in ones.
@Suite struct CitiesImportTests {
  struct Source: Sendable, CustomTestStringConvertible {
    let name: String
    let data: Data

    var testDescription: String { name }
  }

  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private static let json = """
    [{"country":"UA","name":"Hurzuf","_id":707860,"coord":{"lon":34.283333,"lat":44.549999}},
    {"country":"RU","name":"Novinki","_id":519188,"coord":{"lon":37.666668,"lat":55.683334}}]
    """

  /// A row of a GeoNames dump.
  private static func row(_ id: Int, _ name: String, kind: String = "P") -> String {
    "\(id)\t\(name)\t\(name)\t\t48.1\t11.5\t\(kind)\tPPL\tDE\t\t02\t\t\t\t1000\t\t5\t"
      + "Europe/Berlin\t2020-01-01\n"
  }

  private static let dump = row(1, "Hurzuf") + row(2, "Novinki")

  static let sources = [
    Source(name: "cities.json", data: Data(json.utf8)),
    Source(name: "cities.json.gz", data: Data(json.utf8).gzipped),
    Source(name: "cities.txt", data: Data(dump.utf8)),
    Source(name: "cities.txt.gz", data: Data(dump.utf8).gzipped),
  ]

  /// The number of cities on the home screen.
  private func state() async throws -> String? {
    try await home.run().lines.first { $0.hasPrefix("  city index") }
      .map { String($0.dropFirst("  city index  ".count)) }
  }

  @Test(arguments: sources)
  func replacesTheBuiltInIndex(source: Source) async throws {
    let run = try await home.run("cities", "import", try home.file(source.name, source.data))
    #expect(run.code == 0)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == """
        imported 2 cities of 2 rows
        in use from now on: \(home.store.path)/cities.index
        note: faketrack cities reset goes back to the built-in cities

        """)
    #expect(try await state() == "2 cities, imported")
    let all = try await home.run("cities", "search", "", "--format", "ndjson")
    #expect(try all.objects.map { $0["name"] as? String } == ["Hurzuf", "Novinki"])
  }

  @Test(arguments: sources)
  func readsFromAnAddress(source: Source) async throws {
    let handler: StubServer.Handler = { _ in .answer(body: source.data) }
    try await StubServer.run(handler) { server in
      let run = try await home.run("cities", "import", "\(server.url)\(source.name)")
      #expect(run.code == 0)
      #expect(run.errorLines.first == "imported 2 cities of 2 rows")
      #expect(server.requests.map(\.path) == ["/\(source.name)"])
    }
    #expect(try await state() == "2 cities, imported")
  }

  @Test func placesThatAreNotCitiesAreCounted() async throws {
    let rows =
      Self.row(1, "Hurzuf") + Self.row(2, "Lake", kind: "H") + Self.row(3, "Peak", kind: "T")
    let run = try await home.run("cities", "import", try home.file("cities.txt", rows))
    #expect(run.code == 0)
    #expect(
      run.errorLines.dropLast(2) == [
        "imported 1 city of 3 rows", "skipped 2 places that are not cities",
      ])
  }

  @Test func rowsThatCannotBeReadAreCountedAndNamed() async throws {
    let rows = Self.row(1, "Hurzuf") + "broken\n" + Self.row(2, "Novinki") + "x\ty\n" + "\t\n"
    let run = try await home.run("cities", "import", try home.file("cities.txt", rows))
    #expect(run.code == 0)
    #expect(run.errorLines.first == "imported 2 cities of 5 rows")
    #expect(run.errors.contains("skipped 3 rows that could not be read: 2, 4, 5\n"))
  }

  @Test(
    arguments: [
      (#"{"_id":"x","name":"A","coord":{"lon":1,"lat":2}}"#, "without an id"),
      (#"{"_id":9,"name":" ","coord":{"lon":1,"lat":2}}"#, "without a name"),
      (#"{"_id":9,"name":"A"}"#, "without a position"),
      (#"{"_id":9,"name":"A","coord":{"lon":1,"lat":91}}"#, "with a position that is not on Earth"),
      (
        #"{"_id":707860,"name":"A","coord":{"lon":1,"lat":2}}"#, "with the id of an earlier row"
      ),
    ])
  func aBadRowIsToldWithItsNumber(row: String, fault: String) async throws {
    let text = Self.json.dropLast() + "," + row + "]"
    let run = try await home.run("cities", "import", try home.file("c.json", String(text)))
    #expect(run.code == 0)
    #expect(run.errorLines.first == "imported 2 cities of 3 rows")
    #expect(run.errorLines.dropFirst().first?.hasSuffix("1 row \(fault): 3") == true)
  }

  @Test(
    arguments: [
      ("empty.txt", "", "error: none of the 0 rows of the city data is a city"),
      ("notes.txt", "to be or not to be\n", "error: the only row of the city data is not a city"),
      ("cut.json", #"[{"_id":707860,"name":"Hur"#, "error: the city data breaks off after 0 rows"),
      ("lake.txt", row(2, "Lake", kind: "H"), "error: the only row of the city data is not a city"),
    ])
  func whatHasNoCitiesIsUnusableAndChangesNothing(
    name: String, text: String, message: String
  ) async throws {
    _ = try await home.run("cities", "import", try home.file("before.json", Self.json))
    let run = try await home.run("cities", "import", try home.file(name, text))
    #expect(run.code == 65)
    #expect(run.output.isEmpty)
    #expect(run.errorLines.count == 2)
    #expect(run.errorLines.first?.hasPrefix("error: ") == true)
    if name != "notes.txt" { #expect(run.errors.hasPrefix(message)) }
    #expect(run.errorLines.last?.hasPrefix("hint: ") == true)
    #expect(run.errorLines.last?.hasSuffix("the cities are as they were.") == true)
    #expect(try await state() == "2 cities, imported")
  }

  @Test func halfAGzipFileIsCutOff() async throws {
    let packed = Data(Self.dump.utf8).gzipped
    let run = try await home.run(
      "cities", "import", try home.file("c.txt.gz", packed.prefix(packed.count / 2)))
    #expect(run.code == 65)
    #expect(run.errorLines.last?.hasPrefix("hint: ") == true)
    #expect(try await state()?.hasSuffix(", built in") == true)
  }

  @Test(arguments: [("none.txt", "No such file or directory"), (".", "Is a directory")])
  func whatCannotBeReadEndsWith1(name: String, reason: String) async throws {
    let run = try await home.run("cities", "import", name)
    #expect(run.code == 1)
    #expect(run.output.isEmpty)
    let first = try #require(run.errorLines.first)
    #expect(first.hasPrefix("error: cannot read ") && first.hasSuffix(": \(reason)"))
    #expect(run.errorLines.last == "hint: Check that the file exists and may be read.")
  }

  @Test func anAddressThatCannotBeReachedEndsWith69() async throws {
    let address = try Port.closed()
    let run = try await home.run("cities", "import", "\(address)cities.json")
    #expect(run.code == 69)
    #expect(run.output.isEmpty)
    let error = try #require(run.errorLines.first { $0.hasPrefix("error: ") })
    #expect(error.contains("127.0.0.1 cannot be reached: the connection was refused (4 attempts)"))
    #expect(run.errorLines.last?.hasPrefix("hint: ") == true)
    #expect(try await state()?.hasSuffix(", built in") == true)
  }

  @Test func anAddressThatAnswersWithAnErrorEndsWith69() async throws {
    try await StubServer.run({ _ in .html(status: 404) }) { server in
      let run = try await home.run("cities", "import", "\(server.url)cities.json")
      #expect(run.code == 69)
      let error = try #require(run.errorLines.first { $0.hasPrefix("error: ") })
      #expect(error.contains("127.0.0.1 answered HTTP 404"))
      #expect(run.errorLines.last?.hasPrefix("hint: ") == true)
      #expect(server.requests.count == 1)
    }
  }

  @Test func favoritesStayWhateverTheIndex() async throws {
    _ = try await home.run("favorites", "add", "2852458")
    _ = try await home.run("cities", "import", try home.file("c.json", Self.json))
    let favorites = try await home.run("favorites")
    #expect(favorites.output.isEmpty)
    #expect(favorites.errors == "note: not in the index in use: 2852458\n")
    let removed = try await home.run("favorites", "remove", "2852458")
    #expect(removed.code == 0)
    #expect(removed.errors == "removed 2852458\n")
  }

  @Test func replayNamesTheImportedCities() async throws {
    _ = try await home.run("cities", "import", try home.file("c.txt", Self.dump))
    try home.file("walk.gpx", "<gpx><wpt lat=\"48.1\" lon=\"11.5\"/></gpx>")
    let run = try await home.run("replay", "walk.gpx", "--photos", "none", "--format", "ndjson")
    #expect(try run.records.first?.city?.name == "Hurzuf")
  }

  @Test func aDamagedIndexIsAnErrorThatTellsTheWayOut() async throws {
    try home.file("home/cities.index", "not an index")
    let run = try await home.run("cities", "search", "pots")
    #expect(run.code != 0)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == """
        error: \(home.store.path)/cities.index is not a city index
        hint: Go back to the built-in cities with faketrack cities reset, or import your own again.

        """)
  }

  @Test(arguments: [["replay", "--photos", "none"], ["info"]])
  func aDamagedIndexIsNoObstacleWithoutCities(command: [String]) async throws {
    try home.file("home/cities.index", "not an index")
    let run = try await home.run(command + ["faketrack.gpx", "--no-cities"])
    #expect(run.code == 0, "\(run.errors)")
  }
}

/// `cities reset`: back to the built-in cities.
@Suite struct CitiesResetTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func findsPotsdam() async throws -> Bool {
    try await home.run("cities", "search", "Potsdam", "--country", "de").lines.count == 1
  }

  @Test func goesBackToTheBuiltInCities() async throws {
    _ = try await home.run("favorites", "add", "2852458")
    try home.file("c.json", #"[{"_id":7,"name":"Here","coord":{"lat":52.0,"lon":13.0}}]"#)
    _ = try await home.run("cities", "import", "c.json")
    #expect(try await !findsPotsdam())
    let run = try await home.run("cities", "reset")
    #expect(run.code == 0)
    #expect(run.output.isEmpty)
    #expect(run.errors == "using the built-in 234,908 cities again\n")
    #expect(try await findsPotsdam())
    #expect(!home.names(in: "home").contains("cities.index"))
    #expect(try await home.run("favorites").lines.count == 1)
  }

  @Test func withoutAnImportedIndexThereIsNothingToDo() async throws {
    for _ in 0..<2 {
      let run = try await home.run("cities", "reset")
      #expect(run.code == 0)
      #expect(run.output.isEmpty)
      #expect(run.errors == "the built-in cities are in use already\n")
    }
    let nowhere = try await home.run(
      "cities", "reset", environment: ["FAKETRACK_HOME": home.path("none/at/all")])
    #expect(nowhere.code == 0)
  }

  @Test(arguments: ["", "not an index", "FTCITIES and no more"])
  func anIndexThatCannotBeReadIsNoObstacle(contents: String) async throws {
    try home.file("home/cities.index", contents)
    #expect(try await !findsPotsdam())
    let run = try await home.run("cities", "reset")
    #expect(run.code == 0)
    #expect(run.errors == "using the built-in 234,908 cities again\n")
    #expect(try await findsPotsdam())
  }

  @Test func whatCannotBeRemovedEndsWith1() async throws {
    try home.file("home/cities.index/file", "a folder")
    let run = try await home.run("cities", "reset")
    #expect(run.code == 1)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == """
        error: \(home.store.path)/cities.index: cannot be removed: Is a directory
        hint: Check the permissions of the folder that it is in.

        """)
  }
}
