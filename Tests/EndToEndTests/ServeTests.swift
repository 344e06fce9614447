import FaketrackTestSupport
import Foundation
import GRDB
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `serve`, from start to exit; the pages are tested separately.
@Suite struct ServeTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("walk.gpx", Track.north(5))
  }

  /// Runs the body with the URL of a server, and interrupts the server afterwards.
  @discardableResult
  private func serve(
    _ arguments: String..., body: (URL) async throws -> Void
  ) async throws -> ExecutableRun {
    try await serve(arguments, body: body)
  }

  private func serve(
    by command: String = "serve", _ arguments: [String], body: (URL) async throws -> Void
  ) async throws -> ExecutableRun {
    let process = try home.start([command, "--port", "0", "--photos", "sample"] + arguments)
    try await process.output.waitFor("\n")
    let address = try #require(
      URL(string: process.output.text.trimmingCharacters(in: .whitespacesAndNewlines)))
    try await withCleanup {
      try await body(address)
    } cleanup: {
      process.signal(SIGINT)
      _ = await process.result()
    }
    return await process.result()
  }

  private func page(_ url: URL) async throws -> (status: Int, text: String) {
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let (data, response) = try await session.data(from: url)
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
  }

  @Test func printsItsAddressAndServesUntilCtrlC() async throws {
    let run = try await serve("walk.gpx") { address in
      #expect(address.host == "127.0.0.1")
      let status = try await page(address).status
      #expect(status == 200)
    }
    #expect(run.code == 130)
    #expect(!run.timedOut)
    #expect(run.output.wholeMatch(of: #/http://127\.0\.0\.1:\d+/\n/#) != nil)
    let address = run.output.trimmingCharacters(in: .newlines)
    #expect(
      run.errorLines == [
        "photos: the built-in sample, made up; --photos commons for real ones, "
          + "FLICKR_API_KEY for Flickr",
        "the page is at \(address) until you press Ctrl-C",
      ])
  }

  @Test func aPageShowsTheSampleIfCommonsCannotBeReached() async throws {
    let process = try home.start(
      ["serve", "walk.gpx", "--port", "0", "--photos", "auto", "--speed", "max"],
      .init(environment: ["FAKETRACK_COMMONS_URL": "\(try Port.closed())"]))
    try await process.output.waitFor("\n")
    let origin = String(process.output.text.dropLast(2))
    try await withCleanup {
      var request = URLRequest(url: try #require(URL(string: "\(origin)/tracking/start")))
      request.httpMethod = "POST"
      request.setValue(origin, forHTTPHeaderField: "Origin")
      let (_, response) = try await URLSession.shared.data(for: request)
      try #require((response as? HTTPURLResponse)?.statusCode == 200)
      try await process.errors.waitFor(
        "photos: the built-in sample, since Wikimedia Commons cannot be reached")
    } cleanup: {
      process.signal(SIGINT)
      _ = await process.result()
    }
  }

  @Test func aWalkThatWasNotStartedFeedsNothing() async throws {
    let run = try await serve("walk.gpx", "--feed", "nmea:tcp:127.0.0.1:0") { _ in }
    #expect(run.code == 130)
    #expect(run.errorLines.contains { $0.contains("listening on 127.0.0.1:") })
    #expect(run.errorLines.last == "feed nmea:tcp:127.0.0.1:0: 0 sent, delay up to 0 ms")
    let unreachable = try await home.run(
      "serve", "walk.gpx", "--port", "0", "--photos", "sample", "--feed", "chrome:127.0.0.1:1")
    #expect(unreachable.code == 69)
    #expect(unreachable.output.isEmpty)
  }

  @Test func outsideOfATerminalTheDemoIsThePageOfTheSampleWalk() async throws {
    let run = try await serve(by: "demo", []) { address in
      let text = try await page(address).text
      #expect(text.contains("Sanssouci, Neuer Garten, Havel"))
    }
    #expect(run.code == 130)
    let usage = try await home.run("demo", "--no-such-option")
    #expect(usage.code == 64)
    #expect(usage.errors.contains("faketrack serve -h"))
  }

  @Test func aFolderMeansTheTracksBelow() async throws {
    try home.file("tracks/a/first.gpx", Track.north(3))
    try home.file("tracks/b/second.gpx", Track.north(3))
    try await serve("tracks", "walk.gpx") { address in
      let text = try await page(address).text
      for name in ["first.gpx", "second.gpx", "walk.gpx"] { #expect(text.contains(name)) }
    }
  }

  @Test(
    arguments: [
      ("none.gpx", 1, "none.gpx: cannot be read: No such file or directory"),
      ("home", 65, "home: there is no .gpx or .gpx.gz in this folder"),
    ] as [(String, Int32, String)])
  func aTrackThatIsMissingEndsTheStart(path: String, code: Int32, error: String) async throws {
    let run = try await home.run("serve", path, "--port", "0", "--photos", "sample")
    #expect(run.code == code)
    #expect(run.errors.contains("error: \(error)\n"))
  }

  @Test func everyScreenHasItsAddress() async throws {
    let screens = [
      ("", 200, "<title>faketrack<"), ("tracking", 200, "<title>Tracking · faketrack<"),
      ("cities?q=pots", 200, "Potsdam"), ("cities/2852458", 200, "<title>Potsdam · faketrack<"),
      ("lists", 200, "<title>Lists · faketrack<"), ("about", 200, "<title>About · faketrack<"),
      ("nope", 404, "<title>Nothing here · faketrack<"), ("cities/1", 404, "faketrack"),
    ]
    try await serve("walk.gpx") { address in
      for (path, status, text) in screens {
        let url = try #require(URL(string: "\(address)\(path)"))
        let page = try await page(url)
        #expect(page.status == status, "\(path)")
        #expect(page.text.contains(text), "\(path)")
      }
    }
  }

  @Test(arguments: [
    "--host 127.0.0.1", "--distance-filter 1", "--distance-filter 1000", "--speed max",
    "--speed 0.1", "--speed x1000", "--walking-speed 0.1", "--source tracks", "--source auto",
    "--photos none", "--photos commons", "--radius 31.9", "--size s", "--license cc", "--seed 1",
    "--concurrency 64", "--refresh", "--no-cities", "--max-city-distance 1",
    "--min-population 100000",
    "--authorization denied", "--authorization not-determined", "--noise 10000", "--utc",
    "--outage 10s-1min --outage 1km-2km", "--permission-script script",
  ])
  func takesTheOption(options: String) async throws {
    try home.file("script", "0s authorized\n300m denied\n")
    let words = options.split(separator: " ").map(String.init)
    let run = try await serve(["walk.gpx"] + words) { address in
      let page = try await page(address.appendingPathComponent("tracking"))
      #expect(page.status == 200)
      #expect(page.text.contains("walk.gpx"))
    }
    #expect(run.code == 130)
    #expect(run.warnings.isEmpty)
  }

  @Test(arguments: [([], "Europe/Berlin"), (["--utc"], nil), (["--no-cities"], nil)])
  func timesAreLocalUnlessUTCIsAskedFor(options: [String], zone: String?) async throws {
    _ = try await serve(["walk.gpx"] + options) { address in
      let text = try await page(address.appendingPathComponent("tracks/1")).text
      let track = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      #expect(track?["start"] as? Double == 1_777_622_400)
      #expect(track?["zone"] as? String == zone)
    }
  }

  @Test func showsTheFeedThatItIsGiven() async throws {
    try home.file("feed.json", #"[{"id":684,"listId":1,"name":"Item 684"}]"#)
    try await serve("--lists", "feed.json") { address in
      let text = try await page(address.appendingPathComponent("lists")).text
      #expect(text.contains("Item 684"))
    }
  }

  @Test func aRandomSeedIsSaid() async throws {
    let run = try await serve("walk.gpx", "--seed", "random") { _ in }
    #expect(run.errorLines.dropFirst().first?.wholeMatch(of: /seed: \d+/) != nil)
  }

  @Test func showsTilesWhereItIsGivenThem() async throws {
    let template = "https://tiles.example/{z}/{x}/{y}.png"
    try await serve(
      "walk.gpx", "--tiles", template, "--tiles-attribution", "© The Mapmakers"
    ) { address in
      let text = try await page(address.appendingPathComponent("tracking")).text
      #expect(text.contains("tiles.example"))
      #expect(text.contains("© The Mapmakers"))
    }
    try await serve("walk.gpx") { address in
      let text = try await page(address.appendingPathComponent("tracking")).text
      #expect(!text.contains("tiles.example"))
    }
  }

  /// Makes a file of tiles with a single one, at zoom 1, column 1, row 0.
  private func tiles(_ format: String = "png") throws -> String {
    let name = "\(format).mbtiles"
    let queue = try DatabaseQueue(path: home.url.appendingPathComponent(name).path)
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE metadata (name TEXT, value TEXT);
          CREATE TABLE tiles (
            zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
          INSERT INTO metadata VALUES ('attribution', '<b>The Mapmakers</b>');
          INSERT INTO tiles VALUES (1, 1, 1, CAST('a picture' AS BLOB));
          """)
      try database.execute(
        sql: "INSERT INTO metadata VALUES ('format', ?)", arguments: [format])
    }
    try queue.close()
    return name
  }

  @Test func sendsTheTilesOfAFile() async throws {
    try await serve("walk.gpx", "--tiles", try tiles()) { address in
      let tile = try await page(address.appendingPathComponent("tiles/1/1/0"))
      #expect(tile.status == 200 && tile.text == "a picture")
      #expect(try await page(address.appendingPathComponent("tiles/1/1/1")).status == 404)
      let text = try await page(address.appendingPathComponent("tracking")).text
      #expect(text.contains("/tiles/{z}/{x}/{y}") && text.contains(">The Mapmakers</span>"))
    }
    let vector = try await home.run("serve", "walk.gpx", "--tiles", try tiles("pbf"))
    #expect(vector.code == 65 && vector.output.isEmpty)
    #expect(
      vector.errorLines == [
        "error: pbf.mbtiles: has vector tiles, which the map cannot draw",
        "hint: Use an MBTiles file with PNG, JPEG or WebP tiles.",
      ])
  }

  @Test func aPortThatIsTakenEndsWith1() async throws {
    let stub = try await StubServer { _ in .hangUp }
    let port = try #require(stub.url.port)
    let run = try await home.run(
      ["serve", "walk.gpx", "--port", "\(port)", "--photos", "none"])
    await stub.stop()
    #expect(run.code == 1)
    #expect(!run.timedOut)
    #expect(run.output.isEmpty)
    #expect(
      run.errorLines.suffix(2) == [
        "error: cannot listen on 127.0.0.1:\(port): Address already in use",
        "hint: Use another port with --port, or --port 0 for any that is free.",
      ])
  }

  @Test func anAddressOfAnotherMachineEndsWith1() async throws {
    // An address reserved for documentation (RFC 5737), which no machine has.
    let run = try await home.run(
      ["serve", "--host", "192.0.2.1", "--port", "0", "--photos", "none"])
    #expect(run.code == 1)
    #expect(run.output.isEmpty)
    #expect(run.errorLines.contains { $0.hasPrefix("error: cannot listen on 192.0.2.1:0: ") })
    #expect(run.errorLines.last?.hasPrefix("hint: ") == true)
  }

  @Test(arguments: ["nowhere.invalid", "999.1.1.1", "localhost:80"])
  func aHostThatIsNoNumericAddressIsWrongUsage(host: String) async throws {
    let run = try await home.run("serve", "--host", host, "--port", "0", "--photos", "none")
    #expect(run.code == 64)
    #expect(
      run.errorLines.suffix(2) == [
        "error: \(host) is not a numeric address",
        "hint: Give one such as 127.0.0.1 or ::1 with --host.",
      ])
  }

  @Test func terminationIsLikeCtrlC() async throws {
    let process = try home.start(["serve", "--port", "0", "--photos", "none"])
    try await process.output.waitFor("\n")
    process.signal(SIGTERM)
    #expect(await process.result().code == 143)
  }

  @Test func flickrNeedsAKeyHereToo() async throws {
    let run = try await home.run("serve", "--port", "0", "--photos", "flickr")
    #expect(run.code == 64)
    #expect(run.errorLines.contains("error: --photos flickr needs a key"))
  }

  @Test func aScriptThatCannotBeReadEndsBeforeThePageIsServed() async throws {
    let run = try await home.run(
      "serve", "--port", "0", "--photos", "none", "--permission-script", "none")
    #expect(run.code == 1)
    #expect(run.output.isEmpty)
    #expect(
      run.errorLines.suffix(2) == [
        "error: none: cannot be read: No such file or directory",
        "hint: Name a file of up to 1 MB with a step on each line, such as 2km denied.",
      ])
  }
}
