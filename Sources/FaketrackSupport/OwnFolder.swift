import Foundation

/// A folder that belongs to faketrack: its home, a folder in it, or a temporary one.
///
/// Only its owner can read it: folders are made with mode 700, files with mode 600. Files that users
/// name are written by `OutputFile` and `OutputFolder`.
package struct OwnFolder: Sendable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// Creates the folder and those above it, unless they exist.
  package func make() throws(FileError) { try AtomicFile.makeFolder(path, mode: 0o700) }

  /// Replaces a file in one step, and creates the folder if necessary.
  package func replace(_ name: String, with bytes: some ContiguousBytes) throws(FileError) {
    try make()
    try AtomicFile.replace("\(path)/\(name)", with: bytes, mode: 0o600)
  }

  /// Removes a file; returns whether it existed.
  ///
  /// - Throws: ``FileError``.
  package func remove(_ name: String) throws(FileError) -> Bool {
    let file = "\(path)/\(name)"
    if unlink(file) == 0 { return true }
    guard errno == ENOENT || errno == ENOTDIR else { throw FileError(path: file) }
    return false
  }

  /// Removes the temporary files of killed processes: regular files with one link that this user
  /// owns and no process has locked.
  package func removeLeftovers() {
    for file in files where TemporaryFile.isRandomName(file.name) {
      let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      var status = stat()
      if fstat(descriptor, &status) == 0, status.kind == .regular,
        status.st_nlink == 1, status.st_uid == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0
      {
        unlink(file.path)
      }
      close(descriptor)
    }
  }

  /// Removes the oldest of some regular files until the rest has at most `limit` bytes; errors are ignored.
  ///
  /// - Parameters:
  ///   - limit: the number of bytes.
  ///   - isIncluded: whether a file with this name counts.
  package func trim(to limit: Int, _ isIncluded: (String) -> Bool) {
    // A link leads to a folder of the user.
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    guard facts?[.type] as? FileAttributeType == .typeDirectory else { return }
    let kept: [(path: String, bytes: Int, modified: Date)] = files.compactMap { file in
      guard isIncluded(file.name) else { return nil }
      let facts = try? FileManager.default.attributesOfItem(atPath: file.path)
      guard let facts, facts[.type] as? FileAttributeType == .typeRegular else { return nil }
      let modified = facts[.modificationDate] as? Date ?? .distantPast
      return (file.path, facts[.size] as? Int ?? 0, modified)
    }
    var size = 0
    for file in kept.sorted(by: { $0.modified > $1.modified }) {
      size += file.bytes
      if size > limit { unlink(file.path) }
    }
  }

  private var files: [(name: String, path: String)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.map { ($0, "\(path)/\($0)") }
  }

  /// Makes a temporary folder for the duration of some work.
  @MainActor
  package static func withTemporary(_ work: (OwnFolder) async throws -> Void) async throws {
    let folder = try temporary()
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    try await work(folder)
  }

  /// Makes a temporary folder for the duration of some work that blocks the thread.
  package static func withTemporary<Result>(
    _ work: (OwnFolder) throws -> Result
  ) throws -> Result {
    let folder = try temporary()
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    return try work(folder)
  }

  /// Makes a folder that only this user can read.
  private static func temporary() throws(FileError) -> OwnFolder {
    let parent = FileManager.default.temporaryDirectory
    let folder = OwnFolder(parent.appending(path: "faketrack-\(UUID().uuidString)").path)
    guard mkdir(folder.path, 0o700) == 0 else { throw FileError(path: folder.path) }
    return folder
  }
}
