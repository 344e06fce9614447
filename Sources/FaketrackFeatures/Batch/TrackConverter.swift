import Dispatch
import FaketrackSupport
import Foundation
import GPX

/// Reads tracks of other formats by programs that are installed: gpsbabel, and unzip for an archive with one file.
package struct TrackConverter: Sendable {
  /// The time for one program.
  private static let timeout = Duration.seconds(60)
  /// The maximum number of bytes of the output of a program.
  private static let limit = 512 << 20

  private let environment: [String: String]
  /// Shows a line to the user.
  private let note: @Sendable (String) -> Void

  package init(
    environment: [String: String], note: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.environment = environment
    self.note = note
  }

  /// The track with its input in GPX. Files that are called `.gpx` or `.gpx.gz`, are no regular files, or need a
  /// program that is not installed stay as they are; reading them names the way to convert them.
  package func converted(_ track: BatchTrack) async -> BatchTrack {
    guard case .success(.file(let path)) = track.input,
      ![".gpx", ".gpx.gz"].contains(where: path.lowercased().hasSuffix),
      FileKind(path) == .regular
    else { return track }
    if let head = try? WholeFile.head(of: path, count: 1), head.first == UInt8(ascii: "$") {
      return RecordingFile.converted(track)
    }
    var track = track
    do {
      let queue = DispatchQueue(label: "faketrack.converter")
      if let bytes = try await queue.blocking({ try self.gpx(path) }) {
        track.input = .success(.bytes(bytes, name: path))
      }
    } catch {
      track.input = .failure(Failure(error))
    }
    return track
  }

  /// The bytes of a file as GPX; `nil` if nothing converts it.
  private func gpx(_ path: String) throws -> [UInt8]? {
    guard let kind = GPXFileKind(head: try WholeFile.head(of: path, count: GPXFileKind.headLength))
    else { return nil }
    if kind.isArchive {
      guard let unzip = Program.path(of: "unzip", in: environment),
        let content = try onlyEntry(of: path, unzip)
      else { return nil }
      let inner = GPXFileKind(head: Array(content.prefix(GPXFileKind.headLength)))
      guard let inner else { return content }
      // Some formats are not read from a pipe.
      return try OwnFolder.withTemporary { folder in
        try folder.replace("track", with: Data(content))
        return try converted(folder.path + "/track", inner, of: path)
      }
    }
    return try converted(argument(path), kind, of: path)
  }

  private func converted(_ file: String, _ kind: GPXFileKind, of path: String) throws -> [UInt8]? {
    guard let format = kind.gpsbabelFormat,
      let gpsbabel = Program.path(of: "gpsbabel", in: environment)
    else { return nil }
    note("note: \(path) is \(kind.description), read by gpsbabel")
    return try run(
      gpsbabel, ["-i", format, "-f", file, "-o", "gpx", "-F", "-"], "gpsbabel", of: path)
  }

  /// The only file of an archive, besides folders and what macOS adds; `nil` for an archive with several.
  private func onlyEntry(of path: String, _ unzip: String) throws -> [UInt8]? {
    try OwnFolder.withTemporary { folder in
      // In the name of an archive, unzip reads brackets and other signs as wildcards.
      let archive = folder.path + "/archive.zip"
      try FileManager.default.createSymbolicLink(
        atPath: archive, withDestinationPath: URL(fileURLWithPath: path).path)
      let names = try run(unzip, ["-Z1", archive], "unzip", of: path)
        .split(separator: UInt8(ascii: "\n"))
        .filter { $0.last != UInt8(ascii: "/") && !$0.starts(with: "__MACOSX/".utf8) }
      guard names.count == 1 else { return nil }
      // With a password, unzip does not ask for one.
      return try run(unzip, ["-p", "-P", "", archive, "-x", "__MACOSX/*"], "unzip", of: path)
    }
  }

  /// A path that no program takes for an option.
  private func argument(_ path: String) -> String { path.hasPrefix("/") ? path : "./" + path }

  private func run(
    _ program: String, _ arguments: [String], _ name: String, of path: String
  ) throws -> [UInt8] {
    let result = try Program.run(
      program, arguments, input: Data(), outputLimit: Self.limit, timeout: Self.timeout)
    guard let (status, output) = result, status == 0 else {
      let reason =
        result == nil
        ? "takes more than a minute to read it, or makes more than 512 MB of it" : "cannot read it"
      throw Failure(
        message: "\(path): \(name) \(reason)",
        hint: "Convert it with the program that it came from.",
        kind: .unusableInput)
    }
    return Array(output)
  }
}
