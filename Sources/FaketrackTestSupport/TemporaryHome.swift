import Foundation

/// A temporary folder for one test: the working directory and the store of the executable.
package final class TemporaryHome: Sendable {
  package let url: URL

  /// The value of `FAKETRACK_HOME`.
  package var store: URL { url.appendingPathComponent("home") }
  /// The database of favorites, searches and calls.
  package var database: URL { store.appendingPathComponent("faketrack.sqlite") }

  /// Creates the folder with the walk through Potsdam as `faketrack.gpx`.
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

  /// Returns the path of a file in the folder.
  package func path(_ name: String) -> String {
    url.appendingPathComponent(name).path
  }

  /// Writes a file and returns its name.
  @discardableResult
  package func file(_ name: String, _ contents: Data) throws -> String {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try contents.write(to: file)
    return name
  }

  /// Writes a file and returns its name.
  @discardableResult
  package func file(_ name: String, _ contents: String) throws -> String {
    try file(name, Data(contents.utf8))
  }

  /// Returns the text of a file, or an empty string if there is none.
  package func text(of name: String) -> String {
    FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }

  /// Returns the sorted names in a folder, without the manifest of an output folder.
  package func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? [])
      .filter { $0 != ".faketrack-files" }.sorted()
  }

  /// Starts the executable.
  package func start(
    _ arguments: [String], _ options: ExecutableProcess.Options = .init()
  ) throws -> ExecutableProcess {
    try ExecutableProcess(arguments, in: self, options: options)
  }

  /// Runs the executable and waits for its end.
  package func run(
    _ arguments: [String], _ options: ExecutableProcess.Options = .init()
  ) async throws -> ExecutableRun {
    try await Executable.gate.pass { try await start(arguments, options).result() }
  }

  /// Runs the executable and waits for its end.
  package func run(
    _ arguments: String..., environment: [String: String] = [:],
    input: ExecutableProcess.Input = ""
  ) async throws -> ExecutableRun {
    try await run(arguments, .init(environment: environment, input: input))
  }
}

/// Files of the checkout that the tests were built from.
package enum Repository {
  /// The root of the checkout.
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The two-hour walk through Potsdam.
  package static let walk = root.appendingPathComponent("faketrack.gpx")
}
