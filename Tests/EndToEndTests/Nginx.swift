import FaketrackTestSupport
import Foundation
import Testing

/// A real nginx with the example's configuration, in front of a stub, without any privilege.
struct Nginx {
  struct DidNotStart: Error {
    let log: String
  }

  let directory: URL
  private let port: UInt16

  /// What `FAKETRACK_FLICKR_URL` is.
  var address: String { "http://127.0.0.1:\(port)/services/rest/" }

  private static let executable = [
    "/usr/sbin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx",
  ]
  .first { FileManager.default.isExecutableFile(atPath: $0) }

  static var isInstalled: Bool { executable != nil }

  /// Runs the body with a cache that is stopped after it.
  static func run(before upstream: URL, _ body: (Nginx) async throws -> Void) async throws {
    let home = try TestHome()
    let nginx = Nginx(directory: home.url.appendingPathComponent("cache"), port: try freePort())
    let process = try nginx.start(before: upstream)
    let result: Result<Void, any Error>
    do {
      try await nginx.waitForStart(of: process)
      result = .success(try await body(nginx))
    } catch {
      result = .failure(error)
    }
    process.terminate()
    while process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
    try result.get()
  }

  private func start(before upstream: URL) throws -> Process {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let example = URL(fileURLWithPath: TestHome.exampleTrack).deletingLastPathComponent()
      .appendingPathComponent("Examples/SharedCache/nginx.conf")
    let text = try String(contentsOf: example, encoding: .utf8)
      .replacingOccurrences(of: "127.0.0.1:8090", with: "127.0.0.1:\(port)")
      .replacingOccurrences(
        of: "https://api.flickr.com/services/rest/", with: "\(upstream)services/rest/")
    try Data(text.utf8).write(to: directory.appendingPathComponent("nginx.conf"))
    try Data(#"set $flickr_key "SHARED-SECRET";"#.utf8)
      .write(to: directory.appendingPathComponent("flickr-key.conf"))
    let process = Process()
    var command = [
      Self.executable ?? "", "-p", directory.path + "/", "-c", "nginx.conf", "-e", "stderr",
      "-g", "daemon off;",
    ]
    if geteuid() == 0 {
      // Where tests run as root, nginx still has to do without.
      chown(directory.path, 65_534, 65_534)
      command = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + command
    }
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    try Data().write(to: errors)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    return process
  }

  private func waitForStart(of process: Process) async throws {
    for _ in 0..<1_000 {
      guard process.isRunning else { break }
      if FileManager.default.fileExists(atPath: directory.appendingPathComponent("nginx.pid").path)
      {
        return
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw DidNotStart(log: (try? String(contentsOf: errors, encoding: .utf8)) ?? "")
  }

  private var errors: URL {
    directory.deletingLastPathComponent().appendingPathComponent("nginx.err")
  }

  /// Expects no key in anything that nginx wrote: its logs and the answers that it keeps.
  func expectNoKey() throws {
    let cache = directory.appendingPathComponent("cache")
    let files = FileManager.default.enumerator(at: cache, includingPropertiesForKeys: nil)
    let kept = (files?.allObjects as? [URL] ?? []).filter { !$0.hasDirectoryPath }
    try #require(!kept.isEmpty)
    let logs = ["access.log", "error.log"].map { directory.appendingPathComponent($0) }
    for file in kept + logs + [errors] {
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      #expect(!text.contains("-SECRET"), "\(file.path)")
    }
  }

  /// A port that nobody listens at.
  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw CocoaError(.featureUnsupported) }
    return UInt16(bigEndian: address.sin_port)
  }
}
