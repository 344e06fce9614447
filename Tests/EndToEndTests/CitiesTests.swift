import FaketrackTestSupport
import Foundation
import Testing

/// Output lines of cities.
private enum Row {
  static let potsdam = " 2852458  Potsdam, Brandenburg, DE     184,754  52.39886, 13.06566"
  static let potsdamNewYork = " 5132103  Potsdam, New York, US          9,688  44.66978, -74.98131"
  static let potsdamJSON =
    #"{"id":2852458,"name":"Potsdam","country":"DE","region":"Brandenburg","#
    + #""latitude":52.39886,"longitude":13.06566,"population":184754,"#
    + #""timezone":"Europe/Berlin","favorite":false"#
}

@Suite struct CitiesSearchTests {
  struct Search: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let names: [String]
    let total: String

    init(_ arguments: String..., names: [String], total: String) {
      (self.arguments, self.names, self.total) = (arguments, names, total)
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  static let searches = [
    Search(
      "pots", "--limit", "7",
      names: [
        "Potsdam", "Potsdam", "Potsgrove", "Potštát", "Potštejn", "Pochep (Potschep)",
        "Pochinok (Potschinok)",
      ], total: "7 of 17 matches"),
    Search(
      "potsd", names: ["Potsdam", "Potsdam", "Norwood (Potsdam Junction)"],
      total: "3 of 3 matches"),
    Search("POTSDAM", "--country", "de", names: ["Potsdam"], total: "1 of 1 match"),
    Search("POTSDAM", "--country", "germany", names: ["Potsdam"], total: "1 of 1 match"),
    Search(
      "potsdam", "--country", "US", names: ["Potsdam", "Norwood (Potsdam Junction)"],
      total: "2 of 2 matches"),
    Search("potsdam", "--country", "fr", names: [], total: "0 of 0 matches"),
    Search("pots", "--limit", "1", names: ["Potsdam"], total: "1 of 17 matches"),
    Search("pots", "--limit", "0", names: [], total: "0 of 17 matches"),
    Search("pots", "--offset", "17", names: [], total: "0 of 17 matches"),
    Search(
      "pots", "--offset", "4", "--limit", "2", names: ["Potštejn", "Pochep (Potschep)"],
      total: "2 of 17 matches"),
    Search(
      "pots", "--sort", "population", "--limit", "6",
      names: [
        "Potsdam", "Potsdam", "Potštát", "Potštejn", "Potsgrove", "Portsmouth (potsumasu)",
      ], total: "6 of 17 matches"),
    Search(
      "pots", "--min-population", "100000",
      names: ["Potsdam", "Portsmouth (potsumasu)"], total: "2 of 2 matches"),
    Search(
      "san ", "--country", "us", "--sort", "population", "--limit", "3",
      names: ["San Diego", "San Antonio", "San Jose"], total: "3 of 117 matches"),
    // Case and accents are ignored, on either side.
    Search("reykjavik", names: ["Reykjavík"], total: "1 of 1 match"),
    Search("REYKJAVÍK", names: ["Reykjavík"], total: "1 of 1 match"),
    Search("reykjavi\u{301}k", names: ["Reykjavík"], total: "1 of 1 match"),
    Search("lodz", "--limit", "1", names: ["Łódź"], total: "1 of 5 matches"),
    Search("ŁÓDŹ", "--limit", "1", names: ["Łódź"], total: "1 of 5 matches"),
    // Alternate names find a city too, and exact matches come before larger cities.
    Search(
      "München", "--sort", "population", "--limit", "2",
      names: ["Munich (München)", "Münchenstein"], total: "2 of 7 matches"),
    Search("東京", names: ["Tokyo (東京)"], total: "1 of 1 match"),
    Search("广岛", names: ["Hiroshima (廣島市)"], total: "1 of 1 match"),
    Search("橫濱", names: ["Yokohama (横滨市)"], total: "1 of 1 match"),
    Search(
      "paris", "--sort", "population", "--country", "us", "--limit", "2",
      names: ["Paris", "Paris"], total: "2 of 16 matches"),
    // Text after a comma narrows the search.
    Search("Portland, Oregon", names: ["Portland"], total: "1 of 1 match"),
    Search("portland, ore, usa", names: ["Portland"], total: "1 of 1 match"),
    Search("Paris, TX", names: ["Paris"], total: "1 of 1 match"),
    Search("Paris, Atlantis", names: [], total: "0 of 0 matches"),
    // White space before is dropped; a name ends before white space.
    Search(" pots", "--limit", "1", names: ["Potsdam"], total: "1 of 17 matches"),
    Search("Minsk ", "--limit", "1", names: ["Minsk"], total: "1 of 2 matches"),
    // Names as people type them.
    Search("St. Wendel", names: ["Sankt Wendel"], total: "1 of 1 match"),
    Search("Ft Worth", names: ["Fort Worth"], total: "1 of 1 match"),
    Search("ofallon", names: ["O'Fallon", "O'Fallon"], total: "2 of 2 matches"),
    Search("xyzzy", names: [], total: "0 of 0 matches"),
  ]

  @Test(arguments: searches)
  func findsNamesByTheirStart(search: Search) async throws {
    let run = try await home.run(
      ["cities", "search"] + search.arguments + ["--format", "ndjson"])
    #expect(run.code == 0)
    let names = try run.objects.map { city in
      let name = try #require(city["name"] as? String)
      return (city["matched"] as? String).map { "\(name) (\($0))" } ?? name
    }
    #expect(names == search.names)
    #expect(run.errors == search.total + "\n")
  }

  @Test func textIsATable() async throws {
    let run = try await home.run(
      "cities", "search", "pots", "--offset", "2", "--limit", "4")
    #expect(
      run.output == """
         2639975  Potsgrove, England, GB                             51.95939, -0.61755
         3067752  Potštát, Olomoucký, CZ                      1,237  49.63693, 17.65174
         3067751  Potštejn, Královéhradecký kraj, CZ            881  50.08209, 16.30892
          508656  Pochep (Potschep), Bryansk Oblast, RU      15,100  52.93310, 33.44702

        """)
  }

  @Test func ndjsonIsTheCityObject() async throws {
    let run = try await home.run(
      "cities", "search", "potsd", "--limit", "1", "--format", "ndjson")
    #expect(run.output == Row.potsdamJSON + #","matched":null}"# + "\n")
  }

  @Test func theEmptyPrefixMatchesEveryCity() async throws {
    let run = try await home.run("cities", "search", "")
    #expect(run.lines.count == 20)
    let all = try #require(run.errors.wholeMatch(of: #/20 of ([\d,]+) matches\n/#)?.1)
    #expect((Int(all.replacing(",", with: "")) ?? 0) > 200_000)
  }

  @Test func twentyAreShownWithoutALimit() async throws {
    let run = try await home.run("cities", "search", "san", "--format", "ndjson")
    #expect(run.lines.count == 20)
  }

  @Test func pagesFitTogether() async throws {
    let whole = try await home.run("cities", "search", "berl", "--limit", "12")
    var pages: [String] = []
    for offset in ["0", "4", "8"] {
      pages += try await home.run(
        "cities", "search", "berl", "--limit", "4", "--offset", offset, "--format", "ndjson"
      ).objects.compactMap { ($0["id"] as? Int).map(String.init) }
    }
    let ids = whole.lines.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(ids == pages)
    #expect(Set(ids).count == 12)
  }

  @Test func favoritesAreTheOnlyOnesOnDemand() async throws {
    _ = try await home.run("favorites", "add", "5132103", "3413829")
    let run = try await home.run("cities", "search", "pots", "--favorites")
    #expect(run.output == " 5132103  Potsdam, New York, US       9,688  44.66978, -74.98131  ★\n")
    #expect(run.errors == "1 of 1 match\n")
    let all = try await home.run("cities", "search", "", "--favorites", "--format", "ndjson")
    #expect(try all.objects.map { $0["id"] as? Int } == [5_132_103, 3_413_829])
    #expect(try all.objects.allSatisfy { $0["favorite"] as? Bool == true })
  }
}

@Suite struct CitiesNearestTests {
  struct Question: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let output: String
    let errors: String

    init(_ arguments: String, _ output: String, errors: String = "") {
      self.arguments = arguments.split(separator: " ").map(String.init)
      (self.output, self.errors) = (output, errors)
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private static let providencia =
    " 3875139  Providencia, Santiago Metropolitan, CL              -33.43107, -70.60454  3.5 km\n"

  static let questions = [
    Question("52.4009 13.0591", Row.potsdam + "  501 m\n"),
    Question("52.4009 13.0591 --format ndjson", Row.potsdamJSON + ",\"distance\":500.893}\n"),
    Question("-33.4 -70.6", providencia),
    Question("-- -33.4 -70.6", providencia),
    Question("--count 1 -- -33.4 -70.6", providencia),
    Question("-33.4 -70.6 --max-distance 3.6", providencia),
    Question("-33.4 -70.6 --max-distance 3.4", "", errors: "no city within the distance\n"),
    Question("0 -30 --max-distance 10", "", errors: "no city within the distance\n"),
    Question(
      "-33.4 -70.6 --count 2",
      """
       3875139  Providencia, Santiago Metropolitan, CL              -33.43107, -70.60454  3.5 km
       3878431  Ñuñoa, Santiago Metropolitan, CL           255,823  -33.44735, -70.58279  5.5 km

      """),
  ]

  @Test(arguments: questions)
  func answersWithTheNearest(question: Question) async throws {
    let run = try await home.run(["cities", "nearest"] + question.arguments)
    #expect(run.code == 0)
    #expect(run.output == question.output)
    #expect(run.errors == question.errors)
  }

  @Test func theNearestComeInTheOrderOfTheirDistance() async throws {
    let run = try await home.run(
      "cities", "nearest", "52.4", "13.06", "--count", "200", "--format", "ndjson")
    let distances = try run.objects.compactMap { $0["distance"] as? Double }
    #expect(distances.count == 200)
    #expect(distances == distances.sorted())
  }

  @Test(arguments: [("90", "0"), ("-90", "180"), ("0", "180"), ("0", "-180"), ("0", "0")])
  func theEndsOfTheEarthHaveANearestCity(latitude: String, longitude: String) async throws {
    let run = try await home.run(
      "cities", "nearest", latitude, longitude, "--format", "ndjson")
    #expect(run.code == 0)
    #expect(run.lines.count == 1)
  }

  @Test(
    arguments: [
      "52.4009 13.0591\n", "52.4009,13.0591\n", "  52.4009\t13.0591  \n", "52.4009, 13.0591",
      "\n\n52.4009 13.0591\r\n",
    ])
  func readsPositionsFromStandardInput(text: String) async throws {
    let run = try await home.run("cities", "nearest", "-", input: .text(text))
    #expect(run.code == 0)
    #expect(run.output == Row.potsdam + "  501 m\n")
  }

  @Test func everyLineIsAnsweredInOrder() async throws {
    let run = try await home.run(
      "cities", "nearest", "-", "--format", "ndjson", "--max-distance", "10",
      input: "48.86 2.35\n0 -30\n52.4 13.06\n")
    #expect(
      run.lines.map { $0.firstMatch(of: #/"name":"(.*?)"/#).map { String($0.1) } ?? $0 }
        == ["Paris 04 Hôtel-de-Ville", "null", "Potsdam"])
    let text = try await home.run(
      "cities", "nearest", "-", "--max-distance", "10", input: "0 -30\n52.4009 13.0591\n")
    #expect(text.output == "\n" + Row.potsdam + "  501 m\n")
  }

  @Test func aLineIsAnsweredBeforeTheNextIsRead() async throws {
    let process = try home.start(["cities", "nearest", "-"], .init(input: .later))
    try process.type("52.4009 13.0591\n")
    try await process.output.waitFor("Potsdam")
    try process.type("64.13548 -21.89541\n")
    try await process.output.waitFor("Reykjavík")
    try process.endInput()
    let run = await process.result()
    #expect(run.code == 0)
    #expect(run.lines.count == 2)
  }

  @Test(arguments: ["here", "52.4", "52.4 13.06 35", "91 0", "52.4 x", "nan nan"])
  func aLineThatIsNoPositionEndsWith65AfterWhatCameBefore(line: String) async throws {
    let run = try await home.run(
      "cities", "nearest", "-", input: .text("52.4009 13.0591\n\(line)\n52 13\n"))
    #expect(run.code == 65)
    #expect(run.lines.count == 1)
    #expect(
      run.errors == """
        error: standard input:2: "\(line)" is not a position
        hint: Write latitude and longitude in degrees, such as 52.4009 13.0591.

        """)
  }

  @Test func favoritesAreStarred() async throws {
    _ = try await home.run("favorites", "add", "2852458")
    let run = try await home.run("cities", "nearest", "52.4009", "13.0591")
    #expect(run.output == Row.potsdam + "  501 m  ★\n")
  }
}

@Suite struct CitiesShowTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private static let details = """
    Potsdam, Brandenburg, DE
    Region       Brandenburg, Germany
    Population   184,754
    Position     52.39886, 13.06566
    Time zone    Europe/Berlin
    GeoNames id  2852458

    """
  private static let nearby = """
    Nearby
     2814196  Wannsee, State of Berlin, DE         10,126  52.41915, 13.15531  6.5 km
     2890136  Kladow, State of Berlin, DE          16,368  52.45423, 13.14445  8.2 km
     2862423  Nikolassee, State of Berlin, DE      11,642  52.42270, 13.18508  8.5 km
     2810945  Werder, Brandenburg, DE              22,384  52.37874, 12.93400  9.2 km
     2871279  Michendorf, Brandenburg, DE          10,743  52.31352, 13.02996  9.8 km
     2829657  Stahnsdorf, Brandenburg, DE          12,964  52.38333, 13.21667  10.4 km
     2888523  Kleinmachnow, Brandenburg, DE        17,892  52.40786, 13.22514  10.9 km
     2922336  Gatow, State of Berlin, DE            3,469  52.48324, 13.18285  12.3 km

    """

  private func show(
    _ arguments: String...,
    from stub: @escaping StubServer.Handler = WikipediaStub()
      .callAsFunction
  ) async throws -> (ExecutableRun, requests: [StubRequest]) {
    try await StubServer.run(stub) { server in
      let run = try await home.run(
        ["cities", "show"] + arguments,
        .init(environment: ["FAKETRACK_WIKIPEDIA_URL": "\(server.url)"]))
      return (run, server.requests)
    }
  }

  @Test func showsWhatIsKnownWithTheSummary() async throws {
    let (run, requests) = try await show("2852458")
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output.hasPrefix(Self.details))
    #expect(run.output.contains(Self.nearby))
    #expect(run.output.contains("Potsdam is the capital of Brandenburg."))
    #expect(run.output.contains("https://en.wikipedia.org/wiki/Potsdam"))
    #expect(!requests.isEmpty)
  }

  @Test func theSummaryIsAskedForOnce() async throws {
    try await StubServer.run(WikipediaStub().callAsFunction) { server in
      let environment = ["FAKETRACK_WIKIPEDIA_URL": "\(server.url)"]
      let first = try await home.run("cities", "show", "2852458", environment: environment)
      let calls = server.requests.count
      let second = try await home.run("cities", "show", "2852458", environment: environment)
      #expect(second.output == first.output)
      #expect(server.requests.count == calls)
    }
  }

  @Test(arguments: ["New York City", "new york city", "NEW YORK CITY", "5128581"])
  func aCityIsMeantByItsNameOrItsId(text: String) async throws {
    let (run, _) = try await show(text, "--format", "ndjson")
    #expect(run.code == 0)
    #expect(try run.object["id"] as? Int == 5_128_581)
  }

  @Test func ndjsonIsOneObjectWithNeighborsAndSummary() async throws {
    let (run, _) = try await show("2852458", "--format", "ndjson")
    #expect(run.lines.count == 1)
    #expect(
      run.output.hasPrefix(Row.potsdamJSON + #","neighbors":[{"id":2814196,"name":"Wannsee""#))
    let city = try run.object
    let neighbors = try #require(city["neighbors"] as? [[String: Any]])
    #expect(neighbors.count == 8)
    #expect(neighbors.first?["distance"] as? Double == 6_505.093)
    #expect(
      Set(neighbors.flatMap(\.keys)) == [
        "id", "name", "country", "region", "latitude", "longitude", "population", "timezone",
        "favorite", "distance",
      ])
    let summary = try #require(city["summary"] as? [String: Any])
    #expect(summary["title"] as? String == "Potsdam")
    #expect(summary["description"] as? String == "Capital of Brandenburg, Germany")
    #expect(summary["extract"] as? String == "Potsdam is the capital of Brandenburg.")
    #expect(summary["url"] as? String == "https://en.wikipedia.org/wiki/Potsdam")
    #expect(city["error"] is NSNull)
  }

  @Test func withoutANetworkTheCityIsShownAllTheSame() async throws {
    let environment = ["FAKETRACK_WIKIPEDIA_URL": "\(try Port.closed())"]
    let run = try await home.run("cities", "show", "2852458", environment: environment)
    #expect(run.code == 0)
    #expect(run.output == Self.details + "\n" + Self.nearby)
    #expect(
      run.errors == """
        no summary: Wikipedia cannot be reached: the connection was refused (4 attempts)
        hint: Check the network and the proxy settings, then try again.

        """)
    let json = try await home.run(
      "cities", "show", "2852458", "--format", "ndjson", environment: environment)
    #expect(json.code == 0)
    #expect(try json.object["summary"] is NSNull)
    #expect(
      try json.object["error"] as? String
        == "Wikipedia cannot be reached: the connection was refused (4 attempts)")
  }

  @Test(arguments: ["text", "ndjson"])
  func aNameOfSeveralCitiesListsThem(format: String) async throws {
    let run = try await home.run("cities", "show", "Guildford", "--format", format)
    #expect(run.code == 1)
    #expect(
      run.errors == """
        error: 3 cities are named Guildford
        hint: Choose one by its id, for example: faketrack cities show 2647793

        """)
    if format == "text" {
      #expect(
        run.lines == [
          " 2647793  Guildford, England, GB                71,873  51.23536, -0.57427",
          " 5967687  Guildford, British Columbia, CA       64,985  49.19167, -122.80000",
          " 2070332  Guildford, Western Australia, AU       1,986  -31.90000, 115.96667",
        ])
    } else {
      #expect(
        try run.objects.map { $0["id"] as? Int } == [2_647_793, 5_967_687, 2_070_332])
    }
  }

  @Test func aNameOfOneThatIsFarLargerMeansIt() async throws {
    let (run, _) = try await show("potsdam", "--format", "ndjson")
    #expect(run.code == 0)
    #expect(try run.object["id"] as? Int == 2_852_458)
    #expect(
      run.errorLines.prefix(2) == [
        "note: 2 cities are named potsdam; this is Potsdam, Brandenburg, DE, by far the largest of "
          + "them; the others, by their ids:",
        " 5132103  Potsdam, New York, US       9,688  44.66978, -74.98131",
      ])
  }

  @Test(arguments: [("Dili", 1_645_457), ("Broken Hill", 2_173_911), ("Roma", 3_169_070)])
  func anOwnNameMeansItsCityBeforeAnAlternateName(text: String, id: Int) async throws {
    let (run, _) = try await show(text, "--format", "ndjson")
    #expect(run.code == 0)
    #expect(try run.object["id"] as? Int == id)
    #expect(run.errors.contains("which has it as its own name") == (text != "Roma"))
  }

  @Test(arguments: [
    ("Potsdam, US", 5_132_103), ("München", 2_867_714), ("東京", 1_850_147),
    ("Paris, Texas, US", 4_717_560),
  ])
  func aCityIsMeantByAnyOfItsNamesAndItsPlace(text: String, id: Int) async throws {
    let (run, _) = try await show(text, "--format", "ndjson")
    #expect(run.code == 0)
    #expect(try run.object["id"] as? Int == id)
    #expect(!run.errors.contains("note:"))
    let added = try await home.run("favorites", "add", text)
    #expect(added.code == 0)
    #expect(added.errorLines.count == 1)
  }

  @Test(
    arguments: [
      (
        "1", "there is no city 1 in the index",
        "Search for its name: faketrack cities search <prefix>"
      ),
      (
        "Xyzzyqq", "there is no city named Xyzzyqq",
        "Search for the start of its name: faketrack cities search <prefix>"
      ),
      (
        "Potsda", "there is no city named Potsda",
        "Did you mean Potsdam, Brandenburg, DE (2852458); Potsdam, New York, US (5132103); Norwood, New York, US (5129364)?"
      ),
    ])
  func whatIsNoCityIsAnError(text: String, message: String, hint: String) async throws {
    let run = try await home.run("cities", "show", text)
    #expect(run.code == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors == "error: \(message)\nhint: \(hint)\n")
  }
}
