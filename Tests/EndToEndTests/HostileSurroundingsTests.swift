import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Testing

/// Names that steer a terminal, streams that are closed, and a home that cannot be written.
@Suite struct HostileSurroundingsTests {
  private let home: TemporaryHome
  /// Sets the title of a terminal, and forges an error on a second line.
  private static let name = "x\u{1B}]0;title\u{7}\nerror: forged\u{202E}"

  init() throws {
    home = try TemporaryHome()
    try home.file("walk.gpx", Track.north(5))
    try home.file("\(Self.name).gpx", Track.ofEachKind)
    try home.file("bad\(Self.name).gpx", "<gpx><trk><trkseg><trkpt lat='x' lon='1'/>")
    try home.file("folder\(Self.name)/none", "")
    try home.file("\(Self.name).json", "{}")
  }

  @Test(
    arguments: [
      ["replay", "\(name).gpx", "--photos", "none"],
      ["replay", "bad\(name).gpx", "--photos", "none"],
      ["replay", "bad\(name).gpx", "--photos", "none", "--strict"],
      ["replay", "\(name).gpx", "bad\(name).gpx", "none\(name)", "--photos", "none"],
      ["replay", "none\(name)", "--photos", "none"],
      ["replay", "folder\(name)", "--photos", "none"],
      ["replay", "--tracks-from", "none\(name)", "--photos", "none"],
      ["replay", "--tracks-from", "\(name).json", "--photos", "none"],
      ["replay", "walk.gpx", "--photos", "none", "--format", "ndjson", "--resume", "\(name).json"],
      ["replay", "walk.gpx", "--photos", "none", "--permission-script", "none\(name)"],
      ["replay", "walk.gpx", "--photos", "none", "--permission-script", "\(name).json"],
      ["replay", "walk.gpx", "--photos", "none", "--log", "none\(name)/log"],
      ["replay", "walk.gpx", "--photos", name], ["replay", "walk.gpx", "--\(name)"],
      ["replay", "walk.gpx", "--format", "text\u{200B}"],
      ["info", "\(name).gpx"], ["info", "bad\(name).gpx"], ["info", "none\(name)"],
      ["lists", "\(name).json"], ["lists", "none\(name)"],
      ["serve", "none\(name)"], ["serve", "folder\(name)"], ["serve", "--host", name],
      ["cities", "import", "none\(name)"], ["cities", "import", "\(name).json"],
      ["cities", "show", name], ["cities", "search", "a", name], ["cities", "nearest", name],
      ["favorites", "add", name], [name], ["\(name).gpx"], ["cities", name], ["-\(name)"],
    ])
  func aNameIsShownWithoutItsControlCharacters(arguments: [String]) async throws {
    let run = try await home.run(arguments)
    for text in [run.errors, arguments[0] == "info" ? run.output : ""] {
      let controls = "\u{1B}\u{7}\u{202E}\u{200B}".unicodeScalars
      #expect(!text.unicodeScalars.contains { controls.contains($0) }, "\(text)")
      #expect(!text.split(separator: "\n").contains { $0.hasPrefix("error: forged") }, "\(text)")
    }
    #expect(run.errors.isEmpty == (arguments == ["info", "\(Self.name).gpx"]))
  }

  /// Runs a command with a stream closed, such as `2>&-`.
  private func run(_ closing: String, _ arguments: String) async throws -> ExecutableRun {
    try await home.run(
      ["-c", "exec \"$0\" \(arguments) \(closing)", Executable.url.path],
      .init(program: "/bin/sh"))
  }

  @Test(arguments: [
    "info walk.gpx", "replay walk.gpx --photos none --format ndjson", "cities search pots",
    "about", "--help", "favorites add 2852458",
  ])
  func aCommandWorksWithoutStderrAndStdin(command: String) async throws {
    let whole = try await run("", command)
    for closing in ["2>&-", "<&-", "<&- 2>&-"] {
      let run = try await run(closing, command)
      #expect(run.code == 0)
      #expect(run.output == whole.output)
    }
  }

  @Test(arguments: ["info walk.gpx", "replay walk.gpx --photos sample", "about", "--help"])
  func aCommandSaysThatStdoutIsClosed(command: String) async throws {
    let run = try await run(">&-", command)
    #expect(run.code == 1)
    #expect(
      run.errorLines.suffix(2) == [
        "error: stdout is closed", "hint: Send the output to a file, a program or a terminal.",
      ])
  }

  @Test(arguments: [
    "info -", "replay - --photos none", "replay --tracks-from - --photos none", "cities nearest -",
  ])
  func aCommandSaysThatStdinIsClosed(command: String) async throws {
    let run = try await run("<&-", command)
    #expect(run.code == 1)
    #expect(run.errors.contains("error: standard input: cannot be read: Bad file descriptor\n"))
    #expect(!run.errors.contains("0 locations"))
  }

  @Test(arguments: [
    ("favorites add 2852458", "favorites", "faketrack.sqlite"),
    ("cities import cities.json", "cities", "cities.index"),
  ])
  func aHomeThatCannotBeMadeIsToldAlike(
    command: String, contents: String, file: String
  ) async throws {
    try home.file(
      "cities.json",
      #"[{"country":"UA","name":"Hurzuf","_id":707860,"coord":{"lon":34.283333,"lat":44.549999}}]"#)
    let place = home.path("walk.gpx")
    let run = try await home.run(
      command.split(separator: " ").map(String.init),
      .init(environment: ["FAKETRACK_HOME": place + "/home"]))
    #expect(run.code == 1)
    #expect(
      run.errorLines == [
        "error: the \(contents) in \(place)/home/\(file) cannot be used: Not a directory",
        "hint: Check the file and its folder, or name another folder with FAKETRACK_HOME.",
      ])
  }

  @Test func aMissingTrackHasNoSummary() async throws {
    let run = try await home.run("replay", "none.gpx", "--photos", "none")
    #expect(run.code == 1)
    #expect(
      run.errorLines == [
        "photos: none", "error: none.gpx: cannot be read: No such file or directory",
        "hint: Check the name and the permissions of the file.",
      ])
  }
}
