import FaketrackTestSupport
import Foundation
import Testing

/// Usage errors: an invalid value for every option of every command, with the complete message.
/// Usage lines and the option's help are taken from the help pages.
@Suite struct UsageTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    /// The command whose usage is shown.
    let command: String
    let arguments: [String]
    let message: String

    /// - Parameters:
    /// - rest: The arguments after the command.
    /// - message: The text after `error: `.
    init(_ command: String, _ rest: String, _ message: String) {
      self.command = command
      arguments = (command + " " + rest).split(separator: " ").map(String.init)
      self.message = message
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  private static func invalid(_ value: String, _ option: String, oneOf values: String...) -> String
  {
    let message = "The value '\(value)' is invalid for '\(option)'"
    switch values.count {
    case 0: return message
    case 1...4:
      let quoted = values.map { "'\($0)'" }
      let most = quoted.dropLast().joined(separator: ", ")
      let last = quoted.last ?? ""
      let joint = values.count == 2 ? " and " : " or "
      return "\(message). Please provide one of \(most)\(joint)\(last)."
    case 5:
      let quoted = values.map { "'\($0)'" }
      return
        "\(message). Please provide one of \(quoted.dropLast().joined(separator: ", ")) or \(quoted[4])."
    default:
      let list = values.map { "\n  - \($0)" }.joined()
      return "\(message). Please provide one of the following:\(list)"
    }
  }

  static let replay = [
    Mistake(
      "replay", "",
      "Name a GPX file or a folder, or give --tracks-from; faketrack demo has a sample walk."),
    Mistake(
      "replay", "w.gpx --tracks-from -", "Either name the tracks, or give --tracks-from."),
    Mistake("replay", "--tracks-from", "Missing value for '--tracks-from <file|->'"),
    Mistake("replay", "w.gpx --jobs 0", "--jobs takes a number from 1 to 256."),
    Mistake("replay", "w.gpx --jobs many", invalid("many", "--jobs <n>")),
    Mistake(
      "replay", "w.gpx --resume old.ndjson",
      "--resume needs --format ndjson, whose records tell which tracks are whole."),
    Mistake(
      "replay", "w.gpx --events --format csv",
      "--events needs --format ndjson, whose records are told apart by their keys."),
    Mistake("replay", "w.gpx --nope", "Unknown option '--nope'. Did you mean '--noise'?"),

    Mistake("replay", "w.gpx --distance-filter", "Missing value for '--distance-filter <m>'"),
    Mistake("replay", "w.gpx --distance-filter=-1", "--distance-filter takes meters, 0 or more."),
    Mistake("replay", "w.gpx --distance-filter nan", "--distance-filter takes meters, 0 or more."),
    Mistake("replay", "w.gpx --distance-filter inf", "--distance-filter takes meters, 0 or more."),
    Mistake("replay", "w.gpx --distance-filter far", invalid("far", "--distance-filter <m>")),
    Mistake("replay", "w.gpx --speed 0", invalid("0", "--speed <x|max>")),
    Mistake("replay", "w.gpx --speed 0.09", invalid("0.09", "--speed <x|max>")),
    Mistake("replay", "w.gpx --speed 1001", invalid("1001", "--speed <x|max>")),
    Mistake("replay", "w.gpx --speed nan", invalid("nan", "--speed <x|max>")),
    Mistake("replay", "w.gpx --speed fast", invalid("fast", "--speed <x|max>")),
    Mistake("replay", "w.gpx --speed xx", invalid("xx", "--speed <x|max>")),
    Mistake(
      "replay", "w.gpx --walking-speed 0",
      "--walking-speed takes meters per second, more than 0."),
    Mistake(
      "replay", "w.gpx --walking-speed inf",
      "--walking-speed takes meters per second, more than 0."),
    Mistake("replay", "w.gpx --walking-speed slow", invalid("slow", "--walking-speed <m/s>")),
    Mistake(
      "replay", "w.gpx --interval 0", "--interval takes auto, off, or seconds, 0.001 or more."),
    Mistake(
      "replay", "w.gpx --interval 0.0009",
      "--interval takes auto, off, or seconds, 0.001 or more."),
    Mistake(
      "replay", "w.gpx --interval nan", "--interval takes auto, off, or seconds, 0.001 or more."),
    Mistake("replay", "w.gpx --interval 1m", invalid("1m", "--interval <auto|off|s>")),
    Mistake("replay", "w.gpx --max-pause=-1s", "--max-pause takes a duration of 0 s or more."),
    Mistake("replay", "w.gpx --max-pause 1km", invalid("1km", "--max-pause <duration>")),
    Mistake("replay", "w.gpx --start yesterday", invalid("yesterday", "--start <now|time>")),
    Mistake("replay", "w.gpx --track 0", "--track takes a number from 1, or a name."),
    Mistake(
      "replay", "w.gpx --track 1 --source waypoints",
      "--track takes a track or a route, not waypoints."),
    Mistake(
      "replay", "w.gpx --from -5min",
      "--from takes a time or distance from the start of the track, 0 or more."),
    Mistake(
      "replay", "w.gpx --to=-1km",
      "--to takes a time or distance from the start of the track, 0 or more."),
    Mistake("replay", "w.gpx --from 1parsec", invalid("1parsec", "--from <time|distance>")),
    Mistake("replay", "w.gpx --from 1e3m", invalid("1e3m", "--from <time|distance>")),
    Mistake("replay", "w.gpx --from 1km500m", invalid("1km500m", "--from <time|distance>")),
    Mistake("replay", "w.gpx --from 1h2km", invalid("1h2km", "--from <time|distance>")),
    Mistake("replay", "w.gpx --from km", invalid("km", "--from <time|distance>")),
    Mistake("replay", "w.gpx --from 5", invalid("5", "--from <time|distance>")),
    Mistake("replay", "w.gpx --from=", "Missing value for '--from <time|distance>'"),
    Mistake("replay", "w.gpx --to soon", invalid("soon", "--to <time|distance>")),
    Mistake(
      "replay", "w.gpx --from 2km --to 1km",
      "--to takes a position that is not before --from."),
    Mistake(
      "replay", "w.gpx --from 1h --to 59min",
      "--to takes a position that is not before --from."),
    Mistake(
      "replay", "w.gpx --reverse=yes",
      "The option '--reverse' does not take any value, but 'yes' was specified."),
    Mistake("replay", "w.gpx --loop 0", "--loop takes a number of 1 or more."),
    Mistake("replay", "w.gpx --loop -1", "--loop takes a number of 1 or more."),
    Mistake("replay", "w.gpx --loop=-2", "--loop takes a number of 1 or more."),
    Mistake("replay", "w.gpx --loop 1.5", invalid("1.5", "--loop <n>")),
    Mistake(
      "replay", "w.gpx --loop 99999999999999999999", invalid("99999999999999999999", "--loop <n>")),
    Mistake(
      "replay", "w.gpx --source segments",
      invalid("segments", "--source <source>", oneOf: "auto", "tracks", "routes", "waypoints")),

    Mistake(
      "replay", "w.gpx --photos picasa",
      invalid(
        "picasa", "--photos <photos>", oneOf: "auto", "flickr", "commons", "sample", "none")),
    Mistake(
      "replay", "w.gpx --radius 0", "--radius takes kilometers, more than 0 and less than 32."),
    Mistake(
      "replay", "w.gpx --radius 32", "--radius takes kilometers, more than 0 and less than 32."),
    Mistake(
      "replay", "w.gpx --radius nan", "--radius takes kilometers, more than 0 and less than 32."),
    Mistake("replay", "w.gpx --radius near", invalid("near", "--radius <km>")),
    Mistake(
      "replay", "w.gpx --size o",
      invalid(
        "o", "--size <s|q|t|m|n|w|z|c|b>", oneOf: "s", "q", "t", "m", "n", "w", "z", "c", "b")),
    Mistake(
      "replay", "w.gpx --license gpl",
      invalid("gpl", "--license <license>", oneOf: "any", "cc", "commercial", "public-domain")),
    Mistake("replay", "w.gpx --seed=-1", invalid("-1", "--seed <n|random>")),
    Mistake(
      "replay", "w.gpx --seed 18446744073709551616",
      invalid("18446744073709551616", "--seed <n|random>")),
    Mistake("replay", "w.gpx --concurrency 0", "--concurrency takes a number from 1 to 64."),
    Mistake("replay", "w.gpx --concurrency 65", "--concurrency takes a number from 1 to 64."),
    Mistake("replay", "w.gpx --concurrency many", invalid("many", "--concurrency <n>")),
    Mistake("replay", "w.gpx --download=", "Missing value for '--download <dir>'"),
    Mistake(
      "replay", "w.gpx --refresh=1",
      "The option '--refresh' does not take any value, but '1' was specified."),

    Mistake(
      "replay", "w.gpx --no-cities=1",
      "The option '--no-cities' does not take any value, but '1' was specified."),
    Mistake(
      "replay", "w.gpx --max-city-distance 0",
      "--max-city-distance takes kilometers, more than 0."),
    Mistake(
      "replay", "w.gpx --max-city-distance inf",
      "--max-city-distance takes kilometers, more than 0."),
    Mistake(
      "replay", "w.gpx --min-population=-1",
      "--min-population takes a number of 0 or more."),
    Mistake(
      "cities search", "a --min-population few", invalid("few", "--min-population <n>")),
    Mistake(
      "replay", "w.gpx --max-city-distance far", invalid("far", "--max-city-distance <km>")),
    Mistake(
      "replay", "w.gpx --authorization maybe",
      invalid(
        "maybe", "--authorization <authorization>",
        oneOf: "authorized", "denied", "restricted", "not-determined")),
    Mistake("replay", "w.gpx --noise=-1", "--noise takes meters, 0 to 10000."),
    Mistake("replay", "w.gpx --noise 10001", "--noise takes meters, 0 to 10000."),
    Mistake("replay", "w.gpx --noise loud", invalid("loud", "--noise <m>")),
    Mistake("replay", "w.gpx --outage 1km", invalid("1km", "--outage <from-to>")),
    Mistake("replay", "w.gpx --outage 1km-", invalid("1km-", "--outage <from-to>")),
    Mistake("replay", "w.gpx --outage here-there", invalid("here-there", "--outage <from-to>")),
    Mistake(
      "replay", "w.gpx --permission-script", "Missing value for '--permission-script <file>'"),

    Mistake(
      "replay", "w.gpx --format yaml",
      invalid(
        "yaml", "--format <format>",
        oneOf: "text", "list", "ndjson", "csv", "geojson", "gpx", "nmea", "xcode", "simctl",
        "adb", "md", "html")),
    Mistake(
      "replay", "w.gpx --strict=1",
      "The option '--strict' does not take any value, but '1' was specified."),
    Mistake(
      "replay", "w.gpx --quiet=1",
      "The option '--quiet' does not take any value, but '1' was specified."),
    Mistake(
      "replay", "w.gpx --verbose=1",
      "The option '--verbose' does not take any value, but '1' was specified."),
    Mistake("replay", "w.gpx --log", "Missing value for '--log <file>'"),
    Mistake("replay", "w.gpx --log l --log-level loud", invalidLevel("loud")),
    Mistake("replay", "w.gpx --log-level info", levelWithoutLog),
  ]

  private static func invalidLevel(_ value: String) -> String {
    invalid(value, "--log-level <level>", oneOf: "debug", "info", "warning", "error")
  }

  private static let levelWithoutLog = "--log-level needs --log, which names the file."

  static let info = [
    Mistake(
      "info", "",
      "Name a GPX file or a folder, or give --tracks-from; faketrack demo has a sample walk."),
    Mistake("info", "w.gpx --tracks-from -", "Either name the tracks, or give --tracks-from."),
    Mistake("info", "w.gpx --jobs 257", "--jobs takes a number from 1 to 256."),
    Mistake("info", "w.gpx --nope", "Unknown option '--nope'. Did you mean '--jobs'?"),
    Mistake("info", "w.gpx --resume x", "Unknown option '--resume'"),
    Mistake(
      "info", "w.gpx --format csv", invalid("csv", "--format <format>", oneOf: "text", "ndjson")),
    Mistake(
      "info", "w.gpx --no-cities=1",
      "The option '--no-cities' does not take any value, but '1' was specified."),
  ]

  private static let noPosition = "Give a latitude and a longitude, or - for standard input."

  static let cities = [
    Mistake("cities", "--nope", "Unknown option '--nope'"),

    Mistake("cities search", "", "Missing expected argument '<prefix>'"),
    Mistake("cities search", "a b", "Unexpected argument 'b'"),
    Mistake("cities search", "a --limit=-1", "--limit takes a number of 0 or more."),
    Mistake("cities search", "a --limit -1", "--limit takes a number of 0 or more."),
    Mistake(
      "cities search", "a --country xx",
      "--country takes a country's English name or its code, such as Germany or DE."),
    Mistake("cities search", "a --limit few", invalid("few", "--limit <n>")),
    Mistake("cities search", "a --offset=-1", "--offset takes a number of 0 or more."),
    Mistake("cities search", "a --offset x", invalid("x", "--offset <n>")),
    Mistake("cities search", "a --country", "Missing value for '--country <country>'"),
    Mistake(
      "cities search", "a --favorites=1",
      "The option '--favorites' does not take any value, but '1' was specified."),
    Mistake(
      "cities search", "a --sort age",
      invalid("age", "--sort <order>", oneOf: "name", "population")),
    Mistake(
      "cities search", "a --format csv",
      invalid("csv", "--format <format>", oneOf: "text", "ndjson")),

    Mistake("cities nearest", "", "Missing expected argument '<position> ...'"),
    Mistake("cities nearest", "52.4", noPosition),
    Mistake("cities nearest", "52.4 13.06 35", noPosition),
    Mistake("cities nearest", "- 13.06", "'- 13.06' is not a latitude and a longitude."),
    Mistake("cities nearest", "here there", "'here there' is not a latitude and a longitude."),
    Mistake(
      "cities nearest", "91 0", "latitude 91.0, longitude 0.0 is not a position on Earth."),
    Mistake(
      "cities nearest", "0 181", "latitude 0.0, longitude 181.0 is not a position on Earth."),
    Mistake(
      "cities nearest", "nan 0", "latitude nan, longitude 0.0 is not a position on Earth."),
    Mistake("cities nearest", "1 2 --counts 3", "Unknown option '--counts'"),
    Mistake("cities nearest", "1 2 --count 0", "--count takes a number of 1 or more."),
    Mistake("cities nearest", "1 2 --count x", invalid("x", "--count <n>")),
    Mistake(
      "cities nearest", "1 2 --max-distance=-1", "--max-distance takes kilometers, 0 or more."),
    Mistake(
      "cities nearest", "1 2 --max-distance nan", "--max-distance takes kilometers, 0 or more."),
    Mistake("cities nearest", "1 2 --max-distance far", invalid("far", "--max-distance <km>")),
    Mistake(
      "cities nearest", "1 2 --format xml",
      invalid("xml", "--format <format>", oneOf: "text", "ndjson")),

    Mistake("cities show", "", "Missing expected argument '<city>'"),
    Mistake("cities show", "Potsdam Berlin", "Unexpected argument 'Berlin'"),
    Mistake("cities show", "Potsdam --log l --log-level INFO", invalidLevel("INFO")),
    Mistake(
      "cities show", "1 --format xml",
      invalid("xml", "--format <format>", oneOf: "text", "ndjson")),

    Mistake("cities import", "", "Missing expected argument '<source>'"),
    Mistake("cities import", "a.txt b.txt", "Unexpected argument 'b.txt'"),
    Mistake("cities import", "a.txt --log-level error", levelWithoutLog),

    Mistake("cities reset", "all", "Unexpected argument 'all'"),
  ]

  static let favorites = [
    Mistake("favorites add", "", "Missing expected argument '<cities> ...'"),
    Mistake("favorites add", "1 --nope", "Unknown option '--nope'"),
    Mistake("favorites remove", "", "Missing expected argument '<cities> ...'"),
    Mistake("favorites list", "x", "Unexpected argument 'x'"),
    Mistake(
      "favorites list", "--format xml",
      invalid("xml", "--format <format>", oneOf: "text", "ndjson")),
  ]

  static let lists = [
    Mistake("lists", "", "Missing expected argument '<feed>'"),
    Mistake("lists", "a.json b.json", "Unexpected argument 'b.json'"),
    Mistake("lists", "a.json --log l --log-level 1", invalidLevel("1")),
    Mistake("lists", "a.json --sort up", invalid("up", "--sort <sort>", oneOf: "text", "natural")),
    Mistake(
      "lists", "a.json --format xml",
      invalid("xml", "--format <format>", oneOf: "text", "ndjson")),
  ]

  static let about = [
    Mistake("about", "us", "Unexpected argument 'us'"),
    Mistake("about", "--format text", "Unknown option '--format'"),
  ]

  private static let noRegion =
    ": expected a latitude, a longitude and a radius, such as 52.404,13.026,200m."

  static let check = [
    Mistake(
      "check", "w.gpx --enters 52,13,5min",
      invalid("52,13,5min", "--enters <lat,lon,radius>") + noRegion),
    Mistake(
      "check", "w.gpx --leaves 52,13", invalid("52,13", "--leaves <lat,lon,radius>") + noRegion),
    Mistake(
      "replay", "w.gpx --privacy 91,13,5",
      invalid("91,13,5", "--privacy <lat,lon,radius>") + noRegion),
    Mistake(
      "check", "w.gpx --matches gold,5min",
      invalid("gold,5min", "--matches <file[,tolerance]>")
        + ": there is no such file; after a comma, a tolerance such as 5m is expected."),
  ]

  private static let noTiles = "--tiles takes an http(s) address with {z}, {x} and {y} in it."

  static let serve = [
    Mistake(
      "serve", "-", "serve reads each track more than once, so it cannot read standard input."),
    Mistake(
      "serve", "--outage 2km-1km",
      "--outage takes two positions, the first of which is before the other."),
    Mistake("serve", "--port 65536", invalid("65536", "--port <n>")),
    Mistake("serve", "--port=-1", invalid("-1", "--port <n>")),
    Mistake("doctor", "--port 0", "--port takes 1 to 65535, the port to check."),
    Mistake("serve", "--port http", invalid("http", "--port <n>")),
    Mistake("serve", "--host", "Missing value for '--host <address>'"),
    Mistake("serve", "--lists", "Missing value for '--lists <file|url>'"),
    Mistake("serve", "--tiles x", noTiles),
    Mistake("serve", "--tiles http://x/{z}/{x}", noTiles),
    Mistake("serve", "--tiles ftp://x/{z}/{x}/{y}", noTiles),
    Mistake("serve", "--tiles-attribution", "Missing value for '--tiles-attribution <text>'"),
    Mistake("serve", "--distance-filter 0", "--distance-filter takes meters, 1 or more."),
    Mistake("serve", "--distance-filter inf", "--distance-filter takes meters, 1 or more."),
    Mistake("serve", "--speed 0", invalid("0", "--speed <x|max>")),
    Mistake(
      "serve", "--walking-speed 0", "--walking-speed takes meters per second, more than 0."),
    Mistake(
      "serve", "--source x",
      invalid("x", "--source <source>", oneOf: "auto", "tracks", "routes", "waypoints")),
    Mistake(
      "serve", "--photos picasa",
      invalid(
        "picasa", "--photos <photos>", oneOf: "auto", "flickr", "commons", "sample", "none")),
    Mistake("serve", "--radius 0", "--radius takes kilometers, more than 0 and less than 32."),
    Mistake("serve", "--concurrency 0", "--concurrency takes a number from 1 to 64."),
    Mistake("serve", "--seed=-1", invalid("-1", "--seed <n|random>")),
    Mistake("serve", "--seed Random", invalid("Random", "--seed <n|random>")),
    Mistake(
      "serve", "--download x", "serve does not download photos; use replay with --download."),
    Mistake("serve", "--log-level debug", levelWithoutLog),
    Mistake("serve", "--noise=-1", "--noise takes meters, 0 to 10000."),
    Mistake("serve", "--outage x-y", invalid("x-y", "--outage <from-to>")),
    Mistake(
      "serve", "--max-city-distance 0", "--max-city-distance takes kilometers, more than 0."),
    Mistake("serve", "--loop 2", "Unknown option '--loop'. Did you mean '--log'?"),
  ]

  @Test(arguments: [replay, info, cities, favorites, lists, serve, about, check].flatMap(\.self))
  func wrongUsageEndsWith64(mistake: Mistake) async throws {
    let run = try await TemporaryHome().run(mistake.arguments)
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
    let page = HelpPage(command: mistake.command)
    let opening = "error: \(mistake.message)\n"
    let closing = """
      Usage: \(try page.usage)
      hint: See 'faketrack \(mistake.command) --help' for more information.

      """
    #expect(run.errors.hasPrefix(opening), "\(run.errors)")
    #expect(run.errors.hasSuffix(closing), "\(run.errors)")
    // The lines between are the help of the option with the error, if there is one.
    let between = run.errors.dropFirst(opening.count).dropLast(closing.count)
    let blamed = mistake.message.wholeMatch(
      of: #/.*(?:for|argument) '([-<].*?)(?: \.\.\.)?'.*/#.dotMatchesNewlines())
    if let blamed, !mistake.message.hasPrefix("Unexpected") {
      #expect(between.hasPrefix("Help:  \(blamed.1)  "))
      #expect(between.last == "\n")
      let words = Self.words(of: between.dropFirst("Help:  ".count))
      #expect(try Self.words(of: page.text[...]).contains(words))
    } else {
      #expect(between.isEmpty)
    }
  }

  /// The words separated by single spaces, as if on one line.
  private static func words(of text: Substring) -> String {
    text.split { $0.isWhitespace }.joined(separator: " ")
  }

  @Test(
    arguments: [
      ("repla", "Did you mean faketrack replay?"), ("lsits", "Did you mean faketrack lists?"),
      ("favourites", "Did you mean faketrack favorites?"),
      ("serch", "Did you mean faketrack cities search?"),
      ("cities serch", "Did you mean faketrack cities search?"),
      ("favorites lst", "Did you mean faketrack favorites list?"),
      ("walk.gpx", "Did you mean faketrack replay walk.gpx?"),
      ("xyzzy", "See 'faketrack --help' for the commands."),
      ("cities xyzzy", "See 'faketrack cities --help' for the commands."),
    ])
  func whatIsNoCommandIsWrongUsage(words: String, hint: String) async throws {
    let run = try await TemporaryHome().run(words.split(separator: " ").map(String.init))
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
    #expect(run.errorLines == ["error: there is no command '\(words)'", "hint: \(hint)"])
  }

  @Test func anOptionInPlaceOfACommandIsWrongUsage() async throws {
    let run = try await TemporaryHome().run("--xyzzy")
    #expect(run.code == 64)
    #expect(run.errorLines == ["error: unknown option '--xyzzy'", "hint: See 'faketrack --help'."])
  }

  /// Extreme numbers: an option accepts or rejects them, and no run ends with a trap.
  @Test(
    arguments: [
      "--interval=1e30", "--from=99999999999999999999h", "--to=99999999999999999999h",
      "--from=99999999999999999999km", "--to=99999999999999999999km", "--walking-speed=1e-300",
      "--walking-speed=1e300", "--distance-filter=1e300", "--max-city-distance=1e300",
      "--outage=0s-99999999999999999999h", "--noise=0.0000000001",
      "--seed=18446744073709551615",
    ])
  func hugeNumbersEndNoRunWithATrap(option: String) async throws {
    let home = try TemporaryHome()
    let track = try home.file("untimed.gpx", Track.potsdam(3))
    let run = try await home.run("replay", track, "--photos", "none", option)
    #expect([0, 64].contains(run.code), "\(run.code) \(run.errors)")
  }
}
