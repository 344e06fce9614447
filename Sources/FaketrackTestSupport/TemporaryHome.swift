import Foundation

/// A folder for one test, removed after it: the executable runs in it, so that arguments and
/// messages have short file names, and stores there what it keeps between runs.
package final class TemporaryHome: Sendable {
  package let url: URL

  /// What `FAKETRACK_HOME` is.
  package var store: URL { url.appendingPathComponent("home") }
  /// The database of favorites, searches and calls.
  package var database: URL { store.appendingPathComponent("faketrack.sqlite") }

  /// Makes the folder, with the walk through Potsdam in it as `faketrack.gpx`.
  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("faketrack-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: url.appendingPathComponent("faketrack.gpx"), withDestinationURL: Repository.walk)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The path of a name in the folder.
  package func path(_ name: String) -> String {
    url.appendingPathComponent(name).path
  }

  /// Writes a file, and returns its name.
  @discardableResult
  package func file(_ name: String, _ contents: Data) throws -> String {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try contents.write(to: file)
    return name
  }

  /// Writes a file, and returns its name.
  @discardableResult
  package func file(_ name: String, _ contents: String) throws -> String {
    try file(name, Data(contents.utf8))
  }

  /// The text of a file; empty where there is none.
  package func text(of name: String) -> String {
    FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }

  /// The names of what lies in a folder, sorted.
  package func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []).sorted()
  }

  /// Starts the executable.
  package func start(
    _ arguments: [String], _ options: ExecutableProcess.Options = .init()
  ) throws -> ExecutableProcess {
    try ExecutableProcess(arguments, in: self, options: options)
  }

  /// Runs the executable to its end.
  package func run(
    _ arguments: [String], _ options: ExecutableProcess.Options = .init()
  ) async throws -> ExecutableRun {
    try await Executable.gate.pass { try await start(arguments, options).result() }
  }

  /// Runs the executable to its end.
  package func run(
    _ arguments: String..., environment: [String: String] = [:],
    input: ExecutableProcess.Input = ""
  ) async throws -> ExecutableRun {
    try await run(arguments, .init(environment: environment, input: input))
  }
}

/// Where things lie in the checkout that the tests were built from.
package enum Repository {
  /// The root of the checkout.
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The two-hour walk through Potsdam.
  package static let walk = root.appendingPathComponent("faketrack.gpx")
}
