import FaketrackSupport
import Foundation

/// A folder that users name for output: for the page of a walk, or for its photos.
///
/// It holds a manifest of the files that faketrack wrote there. Only those are replaced and deleted, and
/// only while they have the size and the checksum that the manifest lists; all other names are taken. The
/// manifest lists a file before the file takes its place, so a run can be repeated after a kill. The path to the
/// folder may have links; links inside are not followed.
package final class OutputFolder {
  /// The content of a file that faketrack wrote.
  private struct Content: Hashable {
    let checksum: UInt32
    let size: Int
  }

  /// The use of a name in the folder.
  private enum Use: Equatable {
    /// There is no such file, or an empty one.
    case free
    /// A file as faketrack wrote it.
    case unchanged(Content)
    /// A file of the user, or a file that was changed since faketrack wrote it.
    case taken
  }

  private static let manifestName = ".faketrack-files"
  /// A fixed name, because the folder is locked: a file of this name was left by a killed run.
  private static let temporaryName = ".faketrack.part"
  private static let header = """
    # Files of faketrack, which it replaces or deletes only if they are unchanged: checksum, bytes, name

    """
  private static let noteLimit = 20

  package let path: String
  /// The folder above, if links to the folder itself are not followed.
  private let parent: String?
  private let note: @Sendable (String) -> Void
  private var folder: Int32 = -1
  private var isOpen = false
  private var subfolders: [String: Int32] = [:]
  /// The manifest, opened when the first file is listed.
  private var manifest: OutputTable?
  /// The names in the manifest, with all contents that faketrack gave them.
  private var contents: [String: Set<Content>] = [:]
  private var noteCount = 0

  /// - Parameters:
  ///   - subfolder: the name of a folder in the folder at `path`, in place of that folder.
  ///   - note: receives notes for the user.
  package init(
    _ path: String, subfolder: String? = nil, note: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.path = subfolder.map { "\(path)/\($0)" } ?? path
    parent = subfolder == nil ? nil : path
    self.note = note
  }

  deinit {
    for descriptor in subfolders.values { close(descriptor) }
    if folder >= 0 { close(folder) }
  }

  /// The path of a file.
  package func path(of name: String) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }

  /// Creates the folder unless it exists, and locks it if the file system supports locks.
  ///
  /// - Throws: `FileError` or ``Failure`` if files cannot be written there.
  package func open() throws {
    guard !isOpen else { return }
    if folder < 0 { folder = try madeFolder() }
    if flock(folder, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw Failure(
        message: "\(path): another run is writing here",
        hint: "Wait for it, or name another folder.")
    }
    try readManifest()
    for folder in [folder] + subfolders.values {
      var status = stat()
      if fstatat(folder, Self.temporaryName, &status, AT_SYMLINK_NOFOLLOW) == 0,
        status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1
      {
        unlinkat(folder, Self.temporaryName, 0)
      }
    }
    isOpen = true
  }

  private func madeFolder() throws -> Int32 {
    try AtomicFile.makeFolder(parent ?? path)
    guard let parent else { return try Self.openFolder(path) }
    let descriptor = try Self.openFolder(parent)
    defer { close(descriptor) }
    let name = String(path.dropFirst(parent.count + 1))
    if mkdirat(descriptor, name, 0o777) != 0, errno != EEXIST { throw FileError(path: path) }
    return try Self.openFolder(name, in: descriptor, path: path)
  }

  /// Checks, before a run that will write to a folder, that a file and a subfolder can get their names.
  ///
  /// - Parameter inputs: the files that the run reads, which must not be in the subfolder.
  /// - Throws: `FileError` or ``Failure``.
  package static func check(
    _ path: String, file: String, subfolder: String, inputs: [String]
  ) throws {
    let output = OutputFolder(path)
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    if let below = resolved(output.path(of: subfolder)),
      let input = inputs.first(where: { resolved($0)?.hasPrefix(below + "/") == true })
    {
      throw Failure(
        message: "\(input) is read, and -o writes to \(output.path(of: subfolder))",
        hint: "Name another folder with -o.", kind: .wrongUsage)
    }
    output.folder = try openFolder(path)
    try output.readManifest()
    let isOwn = output.subfolders[subfolder + "/"] != nil
    if !isOwn, output.use(of: subfolder) != .free { throw output.taken(subfolder) }
    if output.isTaken(file) { throw output.taken(file) }
  }

  private func taken(_ name: String) -> Failure {
    Failure(
      message: "\(path(of: name)) was not written by faketrack, or was changed since",
      hint: "Move it away, or name another folder.")
  }

  /// The path without links; `nil` if there is no such file.
  private static func resolved(_ path: String) -> String? {
    realpath(path, nil).map { resolved in
      defer { free(resolved) }
      return String(cString: resolved)
    }
  }

  /// Whether a file of this name cannot be written.
  package func isTaken(_ name: String) -> Bool { use(of: name) == .taken }

  /// Writes a file, unless it is there with the same content.
  ///
  /// - Parameter name: the name of the file, or of a subfolder, a slash and the file.
  /// - Throws: `FileError`, or ``Failure`` if the name is taken.
  package func write(_ name: String, with bytes: [UInt8]) throws {
    try open()
    let content = Content(checksum: Gzip.checksum(bytes), size: bytes.count)
    try makeSubfolder(of: name)
    switch use(of: name) {
    case .taken: throw taken(name)
    case .unchanged(content): return
    case .unchanged, .free: break
    }
    try list(content, name)
    let (folder, file) = place(of: name)
    do {
      try AtomicFile.replace(file, in: folder, with: bytes, temporary: Self.temporaryName)
    } catch {
      throw FileError(path: path(of: name), code: error.code)
    }
  }

  /// Deletes the files in a subfolder that an earlier run wrote and this one did not, unless they were
  /// changed since.
  ///
  /// - Parameter names: the files that this run wrote.
  package func removeOthers(than names: Set<String>, below subfolder: String) throws {
    for name in contents.keys.sorted()
    where name.hasPrefix(subfolder + "/") && name != subfolder + "/" && !names.contains(name) {
      switch use(of: name) {
      case .unchanged:
        let (folder, file) = place(of: name)
        if unlinkat(folder, file, 0) != 0 { throw FileError(path: path(of: name)) }
      case .taken: noteIfChanged(name)
      case .free: break
      }
    }
  }

  /// Notes that a file is kept if it was changed since faketrack wrote it.
  package func noteIfChanged(_ name: String) {
    guard contents[name] != nil, use(of: name) == .taken, noteCount <= Self.noteLimit else {
      return
    }
    noteCount += 1
    note(
      noteCount > Self.noteLimit
        ? "note: kept more files that were changed"
        : "note: kept \(path(of: name)), which was changed since faketrack wrote it")
  }

  /// Opens a table, which is created if necessary.
  ///
  /// - Throws: `FileError`, or ``Failure`` if faketrack did not write the file.
  func table(_ name: String, header: String, isWritten: Bool = true) throws -> OutputTable {
    try OutputTable(
      name, in: folder, path: path(of: name), header: header, isWritten: isWritten)
  }

  // MARK: Names

  /// The open folder of a file and the name of the file in it; -1 for a subfolder that is not ours.
  private func place(of name: String) -> (folder: Int32, file: String) {
    guard let slash = name.firstIndex(of: "/") else { return (folder, name) }
    return (subfolders[String(name[...slash])] ?? -1, String(name[name.index(after: slash)...]))
  }

  /// Creates the subfolder of a file, unless it is there.
  private func makeSubfolder(of file: String) throws {
    guard let slash = file.firstIndex(of: "/") else { return }
    let (name, subfolder) = (String(file[..<slash]), String(file[...slash]))
    guard subfolders[subfolder] == nil else { return }
    if contents[subfolder] == nil {
      guard use(of: name) == .free else { throw taken(name) }
      try list(Content(checksum: 0, size: 0), subfolder)
    }
    if mkdirat(folder, name, 0o777) != 0, errno != EEXIST { throw FileError(path: path(of: name)) }
    subfolders[subfolder] = try Self.openFolder(name, in: folder, path: path(of: name))
  }

  private func use(of name: String) -> Use {
    let (folder, file) = place(of: name)
    var status = stat()
    guard folder >= 0 else { return .free }
    guard fstatat(folder, file, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return errno == ENOENT ? .free : .taken
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return .taken }
    if status.st_size == 0 { return .free }
    guard let known = contents[name], known.contains(where: { $0.size == status.st_size }) else {
      return .taken
    }
    let descriptor = openat(folder, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return .taken }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var (checksum, size): (UInt32, Int) = (0, 0)
    while let bytes = try? handle.read(upToCount: 1 << 20), !bytes.isEmpty {
      checksum = Gzip.checksum(Array(bytes), from: checksum)
      size += bytes.count
    }
    let content = Content(checksum: checksum, size: size)
    return known.contains(content) ? .unchanged(content) : .taken
  }

  /// Opens a folder; in another open one, links are not followed.
  private static func openFolder(
    _ name: String, in parent: Int32 = AT_FDCWD, path: String? = nil
  ) throws -> Int32 {
    let links = parent == AT_FDCWD ? 0 : O_NOFOLLOW
    let descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | links)
    if descriptor < 0 { throw FileError(path: path ?? name) }
    return descriptor
  }

  // MARK: Manifest

  /// Reads the manifest; without one, nothing in the folder is ours.
  private func readManifest() throws {
    if use(of: Self.manifestName) == .free {
      if use(of: Self.temporaryName) != .free { throw taken(Self.temporaryName) }
      return
    }
    for line in try table(Self.manifestName, header: Self.header, isWritten: false).lines {
      let parts = line.split(separator: " ", maxSplits: 2)
      guard parts.count == 3, let checksum = UInt32(parts[0], radix: 16), let size = Int(parts[1]),
        // A name that leads out of the folder is not ours.
        parts[2].wholeMatch(of: #/([^\/]*[^.\/][^\/]*\/)?([^\/]*[^.\/][^\/]*)?/#) != nil
      else { continue }
      let name = String(parts[2])
      contents[name, default: []].insert(Content(checksum: checksum, size: size))
      if name.hasSuffix("/"), subfolders[name] == nil {
        subfolders[name] = try? Self.openFolder(String(name.dropLast()), in: folder)
      }
    }
  }

  private func list(_ content: Content, _ name: String) throws {
    guard contents[name, default: []].insert(content).inserted else { return }
    let isNew = manifest == nil
    let manifest = try manifest ?? table(Self.manifestName, header: Self.header)
    self.manifest = manifest
    let checksum = String(content.checksum, radix: 16)
    try manifest.append("\(checksum) \(content.size) \(name)\n")
    // Before the file, also on the disk.
    try manifest.synchronize()
    if isNew { fsync(folder) }
  }
}
