import FaketrackFeatures
import FaketrackTerminal
import FaketrackTestSupport
import Foundation
import Geodesy
import Locations
import Testing

@testable import faketrack

/// The values of options, as people write them.
@Suite struct ArgumentTests {
  @Test(
    arguments: [
      ("90s", .elapsed(.seconds(90))), ("10min", .elapsed(.seconds(600))),
      ("1h5min", .elapsed(.seconds(3_900))), ("1h1min1s", .elapsed(.seconds(3_661))),
      ("0s", .elapsed(.zero)), ("1.5h", .elapsed(.seconds(5_400))), ("500m", .meters(500)),
      ("0.5km", .meters(500)), ("2mi", .meters(3_218.688)), ("0m", .meters(0)),
      ("1h30", .elapsed(.seconds(5_400))), ("10min30", .elapsed(.seconds(630))),
      ("1:05:00", .elapsed(.seconds(3_900))), ("1640ft", .meters(499.872)),
    ] as [(String, ReplayPosition)])
  func readsAPlaceOnATrack(text: String, position: ReplayPosition) {
    #expect(ReplayPosition(text: text) == position)
  }

  @Test(arguments: [
    "", " ", "1", "km", "1 km", "1km2km", "1km5min", "5min1km", "-1km", "1e3m", "1.2.3m", "1parsec",
    "nan s", "1M", "١km", "1000000000000000h", "1m ", "1h30:00",
    "1:60", "1:5:00", "90:30", "5km/h", ":30", "1:2:3:4", "1h5min30s10", "1km500",
  ])
  func refusesWhatIsNoPlace(text: String) {
    #expect(ReplayPosition(text: text) == nil)
  }

  @Test func aNumberOfAnyLengthDoesNotTrap() {
    let digits = String(repeating: "9", count: 400)
    for unit in ["s", "min", "h", "m", "km", "mi"] {
      #expect(ReplayPosition(text: digits + unit) == nil)
      // Finite, but not in meters or seconds.
      #expect(
        ReplayPosition(text: String(digits.prefix(308)) + (unit == "m" ? "km" : unit)) == nil)
    }
  }

  @Test(
    arguments: [
      (.meters(1), .meters(2), true), (.meters(2), .meters(2), false),
      (.meters(3), .meters(2), false),
      (.elapsed(.seconds(1)), .elapsed(.seconds(2)), true),
      (.elapsed(.seconds(2)), .elapsed(.seconds(1)), false),
      (.meters(1), .elapsed(.seconds(100)), false), (.meters(1), .end, false), (.end, .end, false),
    ] as [(ReplayPosition, ReplayPosition, Bool)])
  func tellsWhichPlaceComesFirst(one: ReplayPosition, other: ReplayPosition, isBefore: Bool) {
    #expect(one.isBefore(other) == isBefore)
  }

  @Test func readsAPartWithoutASignal() {
    #expect(
      ReplayOptions.Outage(text: "1km-2km")
        == ReplayOptions.Outage(from: .meters(1_000), to: .meters(2_000)))
    #expect(
      ReplayOptions.Outage(text: "5min-1h")
        == ReplayOptions.Outage(from: .elapsed(.seconds(300)), to: .elapsed(.seconds(3_600))))
    for text in ["", "-", "1km", "1km-", "-2km", "1km-2km-3km", "1km–2km"] {
      #expect(ReplayOptions.Outage(text: text) == nil, "\(text)")
    }
  }

  @Test(
    arguments: [
      ("auto", .automatic), ("off", .off), ("1", .interval(.seconds(1))),
      ("0.5", .interval(.milliseconds(500))), ("2s", .interval(.seconds(2))),
      ("1min", .interval(.seconds(60))), ("1km", nil), ("0x10", nil), ("on", nil),
    ] as [(String, ReplayOptions.Interpolation?)])
  func readsAnInterval(text: String, interpolation: ReplayOptions.Interpolation?) {
    #expect((try? IntervalArgument.parser(text))?.interpolation == interpolation)
  }

  @Test func readsAStart() throws {
    func start(_ text: String) throws -> Date { try StartArgument.parser(text).date }
    #expect(try start("1970-01-01T00:00:01Z").timeIntervalSince1970 == 1)
    #expect(try start("1970-01-01T02:00:00+02:00").timeIntervalSince1970 == 0)
    #expect(try start("now").timeIntervalSinceNow <= 0)
    for text in ["", "today", "2026-05-01", "1777622400"] {
      #expect(throws: (any Error).self, "\(text)") { try start(text) }
    }
  }

  @Test(
    arguments: [
      ("5min", .position(.elapsed(.seconds(300)))), ("-5min", .beforeEnd(.elapsed(.seconds(300)))),
      ("-2km", .beforeEnd(.meters(2_000))), ("5m", .position(.meters(5))),
      ("1970-01-01T00:00:09Z", .date(Date(timeIntervalSince1970: 9))),
      ("1970-01-01 00:01", .date(Date(timeIntervalSince1970: 60))),
      ("-5", nil), ("5", nil), ("--5min", nil), ("09:00", nil), ("1970-01-01", nil),
    ] as [(String, TrackPlace?)])
  func readsAPlaceFromEitherEnd(text: String, place: TrackPlace?) {
    #expect(TrackPlace(text: text) == place)
    #expect((try? Expected.place(text)) == place)
  }

  @Test(
    arguments: [
      ("1.3", 1.3), ("5km/h", 5 / 3.6), ("3mph", 1.341_12), ("12:30/km", 1_000 / 750.0),
      ("10min/km", 1_000 / 600.0), ("8:00/mi", 1_609.344 / 480), ("2m/s", 2), ("0", nil),
      ("0km/h", nil), ("5km", nil), ("5/km", nil), ("0:00/km", nil), ("fast", nil), ("-1", nil),
    ] as [(String, Double?)])
  func readsAWalkingSpeed(text: String, speed: Double?) throws {
    let read = try? Expected.speed(text)
    #expect((read == nil) == (speed == nil))
    if let read, let speed { #expect(abs(read - speed) < 1e-9) }
  }

  @Test func numbersHaveTheUnitOfTheirOption() throws {
    #expect(try Expected.distance()("500") == 500)
    #expect(try Expected.distance(unit: 1_000)("0.5") == 500)
    #expect(try Expected.distance(unit: 1_000)("500m") == 500)
    #expect(try Expected.duration("90") == .seconds(90))
    #expect(try Expected.signedDuration("-1h30") == -5_400)
    #expect(try Expected.signedDuration("+90") == 90)
    for text in ["", "1e3", "0x10", "nan", "-1", "5min", "5km/h"] {
      #expect(throws: (any Error).self, "\(text)") { try Expected.distance()(text) }
    }
  }

  @Test(
    arguments: [
      ("en_US.UTF-8", .imperial), ("es_PR", .imperial), ("en_GB.UTF-8", .metric), ("C", .metric),
      ("de_DE@euro", .metric), ("", .metric), (nil, .metric),
    ] as [(String?, Units)])
  func readsTheUnitsOfALocale(locale: String?, units: Units) {
    #expect(Units(locale: locale) == units)
  }

  @Test(
    arguments: [
      ("52.4,13,50", 50), ("52.4, 13, 50m", 50), ("-52.4,13,0.5km", 500), ("0,0,1mi", 1_609.344),
      ("52.4,13,5min", nil), ("52.4,13,50 ", nil), ("52.4,13,-50", nil), ("52.4,13,nan", nil),
      ("52.4,13,1:00", nil), ("52.4,13,1h30", nil), ("52.4,13,5k", nil), ("52.4,13,", nil),
      ("91,13,50", nil), ("52.4,13", nil), ("", nil),
    ] as [(String, Double?)])
  func readsARegion(text: String, radius: Double?) {
    #expect((try? RegionArgument(text))?.region.radius == radius)
  }

  @Test func readsAGoldenFileAndItsTolerance() throws {
    let home = try TemporaryHome()
    func file(_ text: String) throws -> (path: String, meters: Double) {
      try ExpectationArgument.file(text, usual: 1)
    }
    for (text, tolerance) in [("5", 5.0), ("5m", 5), ("0.5km", 500), ("0", 0)] {
      #expect(try file("a,b.ndjson,\(text)") == ("a,b.ndjson", tolerance))
    }
    for text in ["a.ndjson,5min", "a.ndjson,", "a.ndjson,1h30", "a,b.ndjson"] {
      #expect(throws: (any Error).self, "\(text)") { try file(text) }
    }
    let path = home.path("gold,5")
    #expect(try file(path).path == home.path("gold"))
    try home.file("gold,5", "")
    #expect(try file(path) == (path, 1))
    #expect(try file("gold.ndjson").meters == 1)
    #expect(throws: (any Error).self) { try ExpectationArgument.file("route.gpx", usual: nil) }
  }

  @Test func readsExpectations() throws {
    #expect(try ExpectationArgument.stays("Potsdam,500m,5min").name == "stays Potsdam,500m,5min")
    for text in ["Potsdam", "Potsdam,500m", "1,2,3", ",5min"] {
      #expect(throws: (any Error).self, "\(text)") { try ExpectationArgument.stays(text) }
    }
    for text in ["500", "5km/h", ""] {
      #expect(throws: (any Error).self, "\(text)") { try ExpectationArgument.maximumGap(text) }
    }
    #expect(try TimeToleranceArgument("off").value == .off)
    #expect(try TimeToleranceArgument("2min").value == .within(.seconds(120)))
    #expect(throws: (any Error).self) { try TimeToleranceArgument("soon") }
  }

  @Test func readsASpeed() {
    #expect(ReplaySpeed(name: "x10")?.multiple == 10)
    #expect(ReplaySpeed(name: "max") == .max)
    #expect(ReplaySpeed(name: "0") == nil)
    #expect((try? Expected.replaySpeed("1001")) == nil)
  }

  @Test func readsASeed() throws {
    #expect(try SeedArgument.parser("0") == SeedArgument(0))
    #expect(try SeedArgument.parser("18446744073709551615").number == .max)
    for text in ["", "-1", "1.5", "0x10", "Random", "random ", "18446744073709551616"] {
      #expect(throws: (any Error).self, "\(text)") { try SeedArgument.parser(text) }
    }
  }

  @Test func aRandomSeedIsAnotherEachTime() {
    let seeds = (0..<8).compactMap { _ in try? SeedArgument.parser("random") }
    #expect(seeds.count == 8 && seeds.allSatisfy(\.isRandom))
    #expect(Set(seeds.map(\.number)).count > 1)
  }

  @Test func everySpeedThatKeysLeadToIsAValue() {
    var speed = ReplaySpeed.realTime
    for step in [\ReplaySpeed.slower, \.faster] {
      for _ in 0..<30 {
        speed = speed[keyPath: step]
        if let multiple = speed.multiple { #expect(ReplaySpeed.range.contains(multiple)) }
        #expect(ReplaySpeed(name: speed.name) == speed)
      }
    }
    #expect(speed == .max)
  }

  @Test func everyOutputFormatIsAValue() {
    #expect(OutputFormat.allValueStrings == OutputFormat.all().map(\.name))
    for name in OutputFormat.allValueStrings {
      #expect(OutputFormat(argument: name)?.name == name)
      #expect(OutputFormat(argument: name)?.defaultValueDescription == name)
    }
    for name in ["", "TEXT", "json", "text "] {
      #expect(OutputFormat(argument: name) == nil)
    }
  }

  @Test(
    arguments: [
      ("authorized", .authorizedWhenInUse), ("denied", .denied), ("restricted", .restricted),
      ("not-determined", .notDetermined),
    ] as [(String, AuthorizationStatus)])
  func readsAPermission(name: String, status: AuthorizationStatus) {
    #expect(PermissionName(rawValue: name)?.status == status)
  }
}

@Suite struct WalkScriptTests {
  private func read(_ text: String) throws -> WalkScript {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(text.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try WalkScript(file: url.path)
  }

  private static let script = WalkScript(steps: [
    DeviceStep(.status(.notDetermined), at: .start),
    DeviceStep(.status(.authorizedWhenInUse), at: .elapsed(.seconds(3))),
    DeviceStep(.status(.denied), at: .meters(2_000)),
  ])

  @Test(arguments: ["\n", "\r\n", "\r"])
  func readsItsStepsWithAnyLineEnd(lineEnd: String) throws {
    let lines = ["# a walk", "0s not-determined", "", "  3s   authorized ", "\t2km\tdenied"]
    #expect(try read(lines.joined(separator: lineEnd)) == Self.script)
    #expect(try read(lines.joined(separator: lineEnd) + lineEnd) == Self.script)
  }

  @Test func readsEachKindOfStep() throws {
    let script = try read(
      """
      1km deny
      1.2km allow
      2km outage 30s
      2.5km accuracy reduced
      3km speed 2x
      4km teleport 52.5, 13.4
      5km return
      6km speed max
      """)
    #expect(
      script.steps == [
        DeviceStep(.status(.denied), at: .meters(1_000)),
        DeviceStep(.status(.authorizedWhenInUse), at: .meters(1_200)),
        DeviceStep(.signalLost(for: .seconds(30)), at: .meters(2_000)),
        DeviceStep(.accuracy(.reducedAccuracy), at: .meters(2_500)),
        DeviceStep(
          .moved(to: Coordinate(validLatitude: 52.5, longitude: 13.4)), at: .meters(4_000)),
        DeviceStep(.moved(to: nil), at: .meters(5_000)),
      ])
    #expect(script.turns.map(\.position) == [.meters(3_000), .meters(6_000)])
    #expect(script.turns.map(\.speed) == [.times(2), .max])
  }

  @Test func anEmptyScriptHasNoSteps() throws {
    #expect(try read("") == WalkScript())
    #expect(try read("# nothing\n\n") == WalkScript())
  }

  @Test(arguments: [
    ("2km", 1), ("2km denied now", 1), ("denied 2km", 1), ("0s authorized\n\n5x denied", 3),
    ("# a\r\n2km Denied", 2), ("2km refused", 1), ("2km walk to 3km", 1), ("1km pause", 1),
    ("1km speed 2x over 3s", 1), ("1km outage 3km", 1), ("1km teleport 91,0", 1),
  ])
  func namesTheLineThatIsNoStep(text: String, line: Int) {
    let failure = #expect(throws: Failure.self) { try read(text) }
    #expect(failure?.message.hasSuffix(":\(line): not a step of a script") == true)
    #expect(
      failure?.hint
        == "Write a position and what happens there, such as 3s authorized or 2km outage 30s; "
        + "a step is one of speed, authorized, denied, restricted, not-determined, allow, deny, "
        + "accuracy, outage, teleport, return.")
    #expect(failure?.kind == .unusableInput)
  }

  @Test func aFileThatIsNotThereIsToldByName() {
    let failure = #expect(throws: Failure.self) {
      try WalkScript(file: "/no/such/script")
    }
    #expect(
      failure
        == Failure(
          message: "/no/such/script: cannot be read: No such file or directory",
          hint: "Name a file of up to 1 MB with a step on each line, such as 2km denied."))
  }
}
