import FaketrackTestSupport
import Foundation
import Testing

/// A real nginx with the example's configuration, in front of a stub, without root privileges.
struct Nginx {
  struct Failed: Error {
    let log: String
  }

  private let home: TemporaryHome
  private let port: UInt16

  var directory: URL { home.url.appendingPathComponent("cache") }

  /// The value of `FAKETRACK_FLICKR_URL`.
  var address: String { "http://127.0.0.1:\(port)/services/rest/" }

  private static let executable = [
    "/usr/sbin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx",
  ]
  .first { FileManager.default.isExecutableFile(atPath: $0) }

  static var isInstalled: Bool { executable != nil }

  /// Runs the body with a cache, and stops the cache afterwards.
  static func run(before upstream: URL, _ body: (Nginx) async throws -> Void) async throws {
    let nginx = Nginx(home: try TemporaryHome(), port: try Port.free())
    try nginx.writeConfiguration(before: upstream)
    // The launched process exits once the port is open; the daemon continues.
    try await nginx.command([])
    try await withCleanup {
      try await body(nginx)
    } cleanup: {
      try await nginx.command(["-s", "stop"])
    }
  }

  private func writeConfiguration(before upstream: URL) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let example = Repository.root.appendingPathComponent("Examples/SharedCache/nginx.conf")
    let text = try String(contentsOf: example, encoding: .utf8)
      .replacingOccurrences(of: "127.0.0.1:8090", with: "127.0.0.1:\(port)")
      .replacingOccurrences(
        of: "https://api.flickr.com/services/rest/", with: "\(upstream)services/rest/")
    try Data(text.utf8).write(to: directory.appendingPathComponent("nginx.conf"))
    try Data(#"set $flickr_key "SHARED-SECRET";"#.utf8)
      .write(to: directory.appendingPathComponent("flickr-key.conf"))
    // If tests run as root, nginx still has to run without.
    if geteuid() == 0 { chown(directory.path, 65_534, 65_534) }
  }

  /// Runs nginx until it exits; the launcher of a daemon exits once its port is open.
  private func command(_ arguments: [String]) async throws {
    var command =
      [Self.executable ?? "", "-p", directory.path + "/", "-c", "nginx.conf", "-e", "start.log"]
      + arguments
    if geteuid() == 0 {
      command = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + command
    }
    let run = try await home.start(Array(command.dropFirst()), .init(program: command[0])).result()
    guard run.code == 0 else { throw Failed(log: run.errors) }
  }

  /// Expects no key in any file that nginx wrote: its logs and its cached responses.
  func expectNoKey() throws {
    let cache = directory.appendingPathComponent("cache")
    let files = FileManager.default.enumerator(at: cache, includingPropertiesForKeys: nil)
    let kept = (files?.allObjects as? [URL] ?? []).filter { !$0.hasDirectoryPath }
    try #require(!kept.isEmpty)
    let logs = ["access.log", "error.log", "start.log"]
      .map { directory.appendingPathComponent($0) }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
    for file in kept + logs {
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      #expect(!text.contains("-SECRET"), "\(file.path)")
    }
  }
}
