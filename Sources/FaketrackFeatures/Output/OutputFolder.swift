import FaketrackCompression
import FaketrackSupport
import Foundation

/// A folder that users name for output, or a folder in it.
///
/// A manifest lists the files that faketrack wrote there. They are replaced or deleted only while their size
/// and checksum match; other files are never touched. The manifest lists a file before the file takes its
/// place, so a run can be repeated after a kill. A file named `.faketrack.part` beside a manifest was left by
/// a killed run, and is deleted. The path may have links, but links inside the folder are not followed.
package final class OutputFolder {
  /// The state of a name in the folder.
  private enum State {
    /// No file, or an empty one.
    case free
    /// A file as faketrack wrote it.
    case ours
    /// A file of the user, or a file that was changed since faketrack wrote it.
    case foreign
  }

  private static let manifestName = ".faketrack-files"
  private static let temporaryName = ".faketrack.part"
  private static let header = """
    # Files of faketrack, which it replaces or deletes only if they are unchanged: checksum, bytes, name

    """

  package let path: String
  /// The parent folder of a subfolder, which must not be a link.
  private let parent: String?
  private let isExclusive: Bool
  private var folder: Int32 = -1
  /// The manifest, opened for writing when the first file is listed.
  private var manifest: OutputTable?
  private var manifestDate = Date.distantPast
  /// The names in the manifest, with the checksums and sizes of all contents that faketrack wrote.
  private var contents: [String: Set<String>] = [:]

  /// - Parameters:
  ///   - subfolder: the name of a folder in the folder at `path`, in place of that folder.
  ///   - isExclusive: whether an existing folder must be empty or have a manifest.
  package init(_ path: String, subfolder: String? = nil, isExclusive: Bool = false) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.path = subfolder.map { "\(path)/\($0)" } ?? path
    parent = subfolder == nil ? nil : path
    self.isExclusive = isExclusive
  }

  deinit {
    if folder >= 0 { close(folder) }
  }

  /// The path of a file.
  package func path(of name: String) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }

  // MARK: Open

  /// Creates the folder unless it exists, and locks it if the file system supports locks.
  ///
  /// - Throws: `FileError` or ``Failure`` if files cannot be written there.
  package func open() throws {
    if try openExisting() { return }
    try AtomicFile.makeFolder(path)
    if try !openExisting() { throw FileError(path: path, code: ENOENT) }
  }

  /// Checks, before a run, that files can be written to the folder and that some names are free.
  ///
  /// - Throws: `FileError` or ``Failure``.
  package func check(_ names: [String] = []) throws {
    guard try openExisting() else { return }
    guard faccessat(folder, ".", W_OK | X_OK, 0) == 0 else { throw FileError(path: path) }
    for name in names where state(of: name) == .foreign { throw foreign(name) }
  }

  /// Opens and locks the folder; returns false if there is none.
  private func openExisting() throws -> Bool {
    if folder >= 0 { return true }
    let descriptor: Int32
    if let parent {
      let above = Foundation.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      if above < 0, errno == ENOENT { return false }
      guard above >= 0 else { throw FileError(path: parent) }
      defer { close(above) }
      let name = String(path.dropFirst(parent.count + 1))
      descriptor = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      // A link is one of these, depending on the system.
      if descriptor < 0, [ENOTDIR, ELOOP].contains(errno) { throw notOurs }
    } else {
      descriptor = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    if descriptor < 0, errno == ENOENT { return false }
    guard descriptor >= 0 else { throw FileError(path: path) }
    folder = descriptor
    do {
      try lock()
      try readManifest()
    } catch {
      close(folder)
      folder = -1
      throw error
    }
    return true
  }

  private func lock() throws(Failure) {
    if flock(folder, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw Failure(
        message: "\(path): another run is writing here",
        hint: "Wait for it, or name another folder.")
    }
  }

  private var notOurs: Failure {
    Failure(
      message: "\(path) was not made by faketrack", hint: "Move it away, or name another folder.")
  }

  /// The failure of a name that ``write(_:with:)`` refuses.
  package func foreign(_ name: String) -> Failure {
    Failure(
      message: "\(path(of: name)) was not written by faketrack, or was changed since",
      hint: "Move it away, or name another folder.")
  }

  // MARK: Paths

  /// Whether a path leads to the folder, or into it.
  package func contains(_ path: String) -> Bool {
    let (folder, other) = (Self.resolved(self.path), Self.resolved(path))
    return other == folder || other.hasPrefix(folder + "/")
  }

  /// Whether a path leads to the folder.
  package func isAt(_ path: String) -> Bool { Self.resolved(self.path) == Self.resolved(path) }

  /// The path without links, as far as it exists.
  private static func resolved(_ path: String) -> String {
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    let url = URL(fileURLWithPath: path)
    let parent = url.deletingLastPathComponent().path
    return parent == url.path ? parent : "\(resolved(parent))/\(url.lastPathComponent)"
  }

  // MARK: Files

  /// Writes a file, unless it has the same content already.
  ///
  /// - Returns: false, without writing, if the name belongs to a file of the user.
  /// - Throws: `FileError` or ``Failure``.
  package func write(_ name: String, with bytes: [UInt8]) throws -> Bool {
    try open()
    let state = state(of: name)
    if state == .foreign { return false }
    let content = Self.content(checksum: Gzip.checksum(bytes), size: bytes.count)
    if state == .ours, content == self.content(of: name) { return true }
    try list(content, name)
    do {
      try AtomicFile.replace(name, in: folder, with: bytes, temporary: Self.temporaryName)
    } catch {
      throw FileError(path: path(of: name), code: error.code)
    }
    return true
  }

  /// Deletes files that faketrack wrote, unless they were changed since.
  ///
  /// - Parameter isIncluded: whether the file with this name is deleted.
  /// - Returns: the names of changed files, which are kept.
  /// - Throws: `FileError` or ``Failure``.
  package func remove(where isIncluded: (String) -> Bool) throws -> [String] {
    guard try openExisting() else { return [] }
    var kept: [String] = []
    for name in contents.keys.sorted() where isIncluded(name) {
      switch state(of: name) {
      case .ours:
        if unlinkat(folder, name, 0) != 0 { throw FileError(path: path(of: name)) }
      case .foreign: kept.append(name)
      case .free: break
      }
    }
    return kept
  }

  /// Whether a file was changed since faketrack wrote it.
  package func isChanged(_ name: String) -> Bool {
    guard contents[name] != nil else { return false }
    // All files but the last one are older than the manifest.
    let date = Self.date(path(of: name))
    return date >= manifestDate && state(of: name) == .foreign
  }

  private static func date(_ path: String) -> Date {
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    return facts?[.modificationDate] as? Date ?? .distantPast
  }

  private func state(of name: String) -> State {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return errno == ENOENT ? .free : .foreign
    }
    guard status.kind == .regular else { return .foreign }
    if status.st_size == 0 { return .free }
    guard let known = contents[name], let content = content(of: name) else { return .foreign }
    return known.contains(content) ? .ours : .foreign
  }

  /// The checksum and size of a file; `nil` if it cannot be read.
  private func content(of name: String) -> String? {
    let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var (checksum, size): (UInt32, Int) = (0, 0)
    while true {
      guard let bytes = try? file.read(upToCount: 1 << 20) ?? Data() else { return nil }
      if bytes.isEmpty { return Self.content(checksum: checksum, size: size) }
      checksum = Gzip.checksum(Array(bytes), from: checksum)
      size += bytes.count
    }
  }

  private static func content(checksum: UInt32, size: Int) -> String {
    "\(String(checksum, radix: 16)) \(size)"
  }

  // MARK: Manifest

  /// Reads the manifest; without one, all files in the folder are foreign.
  private func readManifest() throws {
    let name = Self.manifestName
    if state(of: name) == .free {
      if state(of: Self.temporaryName) != .free { throw foreign(Self.temporaryName) }
      let names = isExclusive ? try FileManager.default.contentsOfDirectory(atPath: path) : []
      if !names.allSatisfy({ $0 == name }) { throw notOurs }
      return
    }
    manifestDate = Self.date(path(of: name))
    for line in try table(name, header: Self.header, isWritten: false).lines {
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      // A name with a slash would lead out of the folder.
      guard parts.count == 3, !parts[2].contains("/") else { continue }
      contents[parts[2], default: []].insert("\(parts[0]) \(parts[1])")
    }
    var status = stat()
    guard fstatat(folder, Self.temporaryName, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return }
    guard status.kind == .regular, unlinkat(folder, Self.temporaryName, 0) == 0 else {
      throw foreign(Self.temporaryName)
    }
  }

  private func list(_ content: String, _ name: String) throws {
    if contents[name]?.contains(content) == true { return }
    let isNew = manifest == nil
    let manifest = try manifest ?? table(Self.manifestName, header: Self.header)
    self.manifest = manifest
    try manifest.append("\(content) \(name)\n")
    // The line has to be on the disk before the file.
    try manifest.synchronize()
    if isNew { fsync(folder) }
    contents[name, default: []].insert(content)
  }

  /// Opens a table in the folder, which is created if necessary.
  ///
  /// - Throws: `FileError`, or ``Failure`` if faketrack did not write the file.
  func table(_ name: String, header: String, isWritten: Bool = true) throws -> OutputTable {
    try OutputTable(
      name, in: folder, path: path(of: name), header: header, isWritten: isWritten)
  }
}
