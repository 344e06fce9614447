import FaketrackTestSupport
import Foundation
import Testing

/// The Tab key in bash, zsh and fish, each with a terminal and the script that `script/install`
/// puts in its place.
@Suite struct CompletionTests {
  private static let shells = ["bash", "zsh", "fish"].compactMap { name in
    ["/usr/bin/", "/bin/"].map { $0 + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private static let completed = [
    ("replay thr", "replay three.gpx"), ("replay three.gpx folder", "replay three.gpx folder/"),
    ("serve thr", "serve three.gpx"), ("app thr", "app three.gpx"), ("info thr", "info three.gpx"),
    ("replay --format geo", "replay --format geojson"),
    ("replay --photos com", "replay --photos commons"),
    ("replay --download fol", "replay --download folder/"),
    ("serve --lists ite", "serve --lists items.json"), ("lists ite", "lists items.json"),
    ("cities import ite", "cities import items.json"), ("rep", "replay"),
    ("help fav", "help favorites"), ("help cities sea", "help cities search"),
    ("replay --help folder", "replay --help folder/"),
  ]

  @Test(arguments: shells)
  func aTabCompletesFilesValuesAndCommands(shell: String) async throws {
    let home = try TemporaryHome()
    let name = URL(fileURLWithPath: shell).lastPathComponent
    let script = try await home.run("--generate-completion-script", name)
    #expect(script.code == 0)
    try home.file("_faketrack", script.output)
    // Shows its arguments in place of a run.
    try home.file("bin/faketrack", "#!/bin/sh\necho \"got=$*=\"\n")
    chmod(home.path("bin/faketrack"), 0o755)
    try home.file("three.gpx", Track.north(3))
    try home.file("items.json", "[]")
    try home.file("folder/walk.gpx", Track.north(3))
    try home.file("folded", "")

    let terminal = try PseudoTerminal(columns: 200)
    let options = ["bash": ["--norc", "--noprofile", "-i"], "zsh": ["-f", "-i"]][name]
    let process = try home.start(
      options ?? ["--no-config", "-i"],
      .init(
        program: shell, environment: ["PATH": "\(home.path("bin")):/usr/bin:/bin"],
        terminal: terminal))
    let load = [
      "bash": "source ./_faketrack", "fish": "source ./_faketrack",
      "zsh": "fpath=($PWD $fpath); autoload -U compinit; compinit -u -D",
    ]
    try terminal.press("\(load[name] ?? ""); echo read''y\r")
    try await terminal.transcript.waitFor("ready")
    for (number, (typed, _)) in Self.completed.enumerated() {
      try terminal.press("faketrack \(typed)\t\r")
      try await terminal.transcript.waitFor("got=", count: number + 1)
    }
    try terminal.press("exit\r")
    _ = await process.result()
    let lines = await terminal.finish().matches(of: #/got=(.*)=/#)
    // zsh removes a slash at the end of a line.
    #expect(
      lines.map { $0.1.hasSuffix("/") ? $0.1.dropLast() : $0.1 }
        == Self.completed.map { $1.hasSuffix("/") ? $1.dropLast() : $1[...] })
  }
}
