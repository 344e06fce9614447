import FaketrackTestSupport
import Foundation
import Testing

/// Pipes and links in the place of files, and an interrupt while the command waits for one.
@Suite struct SpecialFileTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("1.tsv", "1\tX\tX\t\t52\t13\tP\tPPL\tDE\t\t\t\t\t\t5\t\t\t\t\n")
    #expect(mkfifo(home.path("pipe"), 0o600) == 0)
  }

  @Test(arguments: [
    ("cities nearest 52 13", "cities.index", "is not a city index"),
    ("cities import 1.tsv", "cities.index", "it is not a regular file"),
    ("favorites list", "faketrack.sqlite", "it is not a regular file"),
    ("favorites add 2852458", "faketrack.sqlite", "it is not a regular file"),
    ("lists 1.tsv --log home/log", "log", "the pipe has no reader"),
  ])
  func aPipeInThePlaceOfAFileIsAnError(command: String, name: String, error: String) async throws {
    #expect(mkfifo(home.path("home/\(name)"), 0o600) == 0)
    let run = try await home.run(command.split(separator: " ").map(String.init))
    #expect(run.code == 1)
    #expect(run.errors.hasPrefix("error: ") && run.errors.contains(error), "\(run.errors)")
  }

  @Test(arguments: ["cities import pipe", "lists pipe"])
  func anInterruptEndsTheWaitForAPipe(command: String) async throws {
    let arguments = command.split(separator: " ").map(String.init)
    let process = try home.start(arguments, .init(timeout: 60))
    // Opening succeeds when the command has opened the other end.
    let writer = open(home.path("pipe"), O_WRONLY)
    defer { close(writer) }
    process.signal(SIGINT)
    #expect(await process.result().code == 130)
  }

  @Test func filesOfTheHomeFolderAreForTheirOwner() async throws {
    let store = home.path("a/b")
    for command in [["cities", "import", "1.tsv"], ["favorites", "add", "1"]] {
      let run = try await home.run(command, .init(environment: ["FAKETRACK_HOME": store]))
      #expect(run.code == 0, "\(run.errors)")
    }
    var status = stat()
    for (name, mode) in [("", 0o700), ("/cities.index", 0o600), ("/faketrack.sqlite", 0o600)] {
      #expect(stat(store + name, &status) == 0 && Int(status.st_mode & 0o777) == mode, "\(name)")
    }
  }
}
