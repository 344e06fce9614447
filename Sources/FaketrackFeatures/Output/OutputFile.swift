import FaketrackSupport
import Foundation

/// The file that `-o` names, which takes the place of stdout.
///
/// A regular file is written under another name in its folder and renamed at the end. It is replaced
/// only if its beginning shows that faketrack wrote it, or if the user asks for that, and never if the
/// run reads it. A link to it stays. Devices, pipes and open files such as `/dev/fd/3` are written
/// directly.
package final class OutputFile: Sendable {
  /// A regular file by its device and inode.
  private struct Identity: Equatable {
    let device: dev_t
    let inode: ino_t

    init?(_ status: stat) {
      guard status.kind == .regular else { return nil }
      (device, inode) = (status.st_dev, status.st_ino)
    }

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      self.init(status)
    }

    static var standardOutput: Identity? {
      var status = stat()
      return fstat(STDOUT_FILENO, &status) == 0 ? Identity(status) : nil
    }
  }

  private struct State {
    /// The file that is written, until it is renamed.
    var temporary: TemporaryFile?
    /// Whether an input is the file at the path.
    var isInput = false
  }

  /// The path as the user gave it.
  package let name: String
  /// The path without links; `nil` for a file that is written directly.
  private let path: String?
  private let overwrites: Bool
  private let state = Locked(State())

  /// Sends stdout to the file, or nowhere until ``begin()`` creates it.
  ///
  /// - Parameter overwrites: whether files are replaced that faketrack did not write.
  /// - Throws: `FileError` or ``Failure``.
  package init(_ name: String, overwrites: Bool) throws {
    (self.name, self.overwrites) = (name, overwrites)
    if let descriptor = Self.descriptor(named: name) {
      path = nil
      try redirect(to: descriptor)
    } else if let device = Self.device(name) {
      path = nil
      let descriptor = open(device, O_WRONLY | O_NOCTTY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileError(path: name) }
      defer { close(descriptor) }
      try redirect(to: descriptor)
    } else {
      path = try Self.regularFile(name)
      // Colors depend on the kind of stdout.
      let descriptor = open("/dev/null", O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileError(path: "/dev/null") }
      defer { close(descriptor) }
      try redirect(to: descriptor)
    }
  }

  private func redirect(to descriptor: Int32) throws(FileError) {
    if dup2(descriptor, STDOUT_FILENO) < 0 { throw FileError(path: name) }
  }

  /// The file descriptor of a name such as `-`, `/dev/stdout` or `/dev/fd/3`.
  private static func descriptor(named name: String) -> Int32? {
    switch name {
    case "-", "/dev/stdout": STDOUT_FILENO
    case "/dev/stderr": STDERR_FILENO
    default: name.wholeMatch(of: #/\/(?:dev|proc\/self)\/fd\/(\d+)/#).flatMap { Int32($0.1) }
    }
  }

  /// The path of a device or a pipe.
  private static func device(_ name: String) -> String? {
    [.characterDevice, .pipe].contains(FileKind(name)) ? name : nil
  }

  /// The path of a regular file, or of one to create, without links.
  private static func regularFile(_ name: String) throws -> String {
    var status = stat()
    guard stat(name, &status) == 0 else {
      let code = errno
      if code == ENOENT, name.hasSuffix("/") { throw folder(name, "is the name of a folder") }
      if code == ENOENT, lstat(name, &status) != 0 { return name }
      throw code == ENOENT
        ? Failure(message: "\(name): the link leads to no file", hint: "Name another file.")
        : FileError(path: name, code: code)
    }
    switch status.kind {
    case .regular: break
    case .folder: throw folder(name, "is a folder")
    default: throw FileError(path: name, code: FileError.notAFile)
    }
    guard access(name, W_OK) == 0, let resolved = realpath(name, nil) else {
      throw FileError(path: name)
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func folder(_ name: String, _ reason: String) -> Failure {
    Failure(
      message: "\(name): \(reason)", hint: "Name a file; only html is written to a folder.",
      kind: .wrongUsage)
  }

  // MARK: Checks

  /// The first bytes of a regular file; `nil` if there is none.
  ///
  /// - Throws: `FileError` if it cannot be read.
  package static func beginning(of path: String) throws -> String? {
    guard Identity(path) != nil else { return nil }
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    if file < 0 { throw FileError(path: path) }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    guard let bytes = try? handle.read(upToCount: 4_096) ?? Data() else {
      throw FileError(path: path, code: EIO)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Checks that the file at the path may be replaced. Check the inputs before: their error is clearer.
  ///
  /// - Throws: `FileError` or ``Failure``.
  package func check() throws {
    guard !overwrites, let path, let start = try Self.beginning(of: path) else { return }
    // An empty file has nothing to lose.
    if start.isEmpty || OutputFormat.plain.contains(where: { $0.recognizes(start) }) { return }
    throw Failure(
      message: "\(name) exists, and its beginning does not show that faketrack wrote it",
      hint: "Replace it with --overwrite, or name another file.")
  }

  /// Whether stdout is a regular file, and at this path.
  static func isStandardOutput(_ path: String) -> Bool {
    Identity(path).map { $0 == Identity.standardOutput } ?? false
  }

  /// The failure of an input that is also stdout, because reading its own output would never end.
  package static func refusal(ofStandardOutput input: String) -> Failure? {
    guard isStandardOutput(input) else { return nil }
    return Failure(
      message: "\(input): is also the output",
      hint: "Send the output to a place outside of the tracks.", kind: .unusableInput)
  }

  /// Whether the file at the path exists, and can be an input.
  package var exists: Bool { path.map { Identity($0) != nil } ?? false }

  /// Whether a path leads to the file that would be replaced.
  func isAt(_ input: String) -> Bool {
    Identity(input).map { $0 == path.flatMap(Identity.init(_:)) } ?? false
  }

  /// The failure of an input that is also the output; ``commit(_:)`` then replaces nothing.
  package func refusal(of input: String) -> Failure? {
    guard isAt(input) else { return nil }
    state.withLock { $0.isInput = true }
    return Failure(
      message: "\(input): is also the output", hint: "Name another file with -o.",
      kind: .unusableInput)
  }

  // MARK: Output

  /// Creates the file that is written, and sends stdout there.
  ///
  /// - Throws: `FileError`.
  package func begin() throws {
    guard let path else { return }
    let name = URL(fileURLWithPath: path).lastPathComponent.prefix(60)
    let digits = String(UInt64.random(in: 1 << 60 ... .max), radix: 16)
    let file = try TemporaryFile(for: path, named: "\(name).\(digits).part", mode: 0o666)
    state.withLock { $0.temporary = file }
    var status = stat()
    if stat(path, &status) == 0 {
      // Without the right to do so, it is a file of this user.
      _ = fchown(file.descriptor, status.st_uid, status.st_gid)
      fchmod(file.descriptor, status.st_mode & 0o777)
    }
    try redirect(to: file.descriptor)
  }

  /// The end of a run.
  package enum Ending {
    /// The output is whole, as far as the input is.
    case whole
    /// The run was stopped, or could not go on.
    case partial
    /// The run has failed without a location.
    case empty
  }

  /// Renames the file to its path. If there is a file that the output must not replace, the output stays under
  /// its temporary name; an empty one is removed.
  ///
  /// - Throws: ``Failure`` with that name.
  package func commit(_ ending: Ending) throws {
    let (temporary, isInput) = state.withLock { ($0.temporary.take(), $0.isInput) }
    guard let path, let temporary else { return }
    var status = stat()
    let exists = lstat(path, &status) == 0
    let size = fstat(temporary.descriptor, &status) == 0 ? status.st_size : 0
    if ending == .empty, exists || size == 0 { return temporary.remove() }
    do {
      if isInput {
        throw Failure(message: "\(name): is also an input", hint: "Name another file with -o.")
      }
      if exists, Identity(path) == nil || FileKind.isLink(path) {
        throw Failure(message: "\(name): something else has this name now")
      }
      if exists, ending == .partial {
        throw Failure(message: "\(name) is unchanged, because the output is not complete")
      }
      try check()
      try temporary.move(to: path)
    } catch {
      temporary.close()
      var failure = Failure(error)
      failure.hint = ["The output is in \(temporary.path).", failure.hint].compactMap(\.self)
        .joined(separator: " ")
      throw failure
    }
  }

  /// Removes what was written, unless it is at its path.
  package func discard() {
    state.withLock { $0.temporary.take() }?.remove()
  }
}

// MARK: Appending

extension OutputFile {
  /// Removes all but some parts of an earlier output, which stdout appends to, in one step.
  ///
  /// - Parameters:
  ///   - parts: their ranges of bytes, ascending.
  ///   - path: the path of the file that is stdout. Afterwards, stdout is the new file there.
  /// - Throws: `FileError`.
  static func keep(_ parts: [Range<Int>], of path: String) throws {
    var status = stat()
    guard fstat(STDOUT_FILENO, &status) == 0, let resolved = realpath(path, nil) else {
      throw FileError(path: path)
    }
    defer { free(resolved) }
    if parts == [0..<Int(status.st_size)] || status.st_size == 0 { return }
    let target = String(cString: resolved)
    let new = try TemporaryFile(for: target, mode: status.st_mode & 0o777)
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: target))
      for part in parts {
        try file.seek(toOffset: UInt64(part.lowerBound))
        try copy(part.count, from: file, to: FileHandle(fileDescriptor: new.descriptor))
      }
      _ = fchown(new.descriptor, status.st_uid, status.st_gid)
      let flags = fcntl(new.descriptor, F_GETFL)
      guard fcntl(new.descriptor, F_SETFL, flags | O_APPEND) == 0,
        dup2(new.descriptor, STDOUT_FILENO) >= 0
      else { throw FileError(path: path) }
      try new.move(to: target)
    } catch {
      new.remove()
      throw error as? FileError ?? FileError(path: path)
    }
  }

  private static func copy(
    _ count: Int, from source: FileHandle, to target: FileHandle
  ) throws {
    var rest = count
    while rest > 0, let bytes = try source.read(upToCount: min(rest, 1 << 20)), !bytes.isEmpty {
      try target.write(contentsOf: bytes)
      rest -= bytes.count
    }
  }
}
