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
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      (device, inode) = (status.st_dev, status.st_ino)
    }
  }

  /// The one that is written, since a process has one stdout.
  private static let current = Locked<OutputFile?>(nil)

  /// The path as the user gave it, and without links.
  package let name: String
  private let path: String
  private let overwrites: Bool
  /// The file that is written until it is renamed; `nil` for a device, a pipe or an open file.
  private let temporary = Locked<TemporaryFile?>(nil)
  /// The file that was at the path before.
  private let previous: Identity?
  /// Whether an input turned out to be that file.
  private let isRead = Locked(false)

  /// Sends stdout to the file.
  ///
  /// - Parameter overwrites: whether any regular file is replaced that the run does not read.
  /// - Throws: `FileError` or ``Failure``.
  package init(_ name: String, overwrites: Bool) throws {
    (self.name, self.overwrites) = (name, overwrites)
    var status = stat()
    let exists = stat(name, &status) == 0
    var descriptor = Self.descriptor(named: name)
    if descriptor == nil, exists, [S_IFCHR, S_IFIFO].contains(status.st_mode & S_IFMT) {
      let opened = open(name, O_WRONLY | O_NOCTTY | O_CLOEXEC)
      if opened < 0 { throw FileError(path: name) }
      descriptor = opened
    }
    if descriptor == nil {
      path = try Self.regularFile(name, exists ? status : nil)
      previous = exists ? Identity(status) : nil
      let file = try TemporaryFile(for: path, mode: 0o666)
      if exists { fchmod(file.descriptor, status.st_mode & 0o777) }
      descriptor = file.descriptor
      temporary.withLock { $0 = file }
    } else {
      (path, previous) = (name, nil)
    }
    guard let descriptor, dup2(descriptor, STDOUT_FILENO) >= 0 else {
      let error = FileError(path: name)
      discard()
      throw error
    }
    Self.current.withLock { $0 = self }
  }

  /// The file descriptor of a name such as `-`, `/dev/stdout` or `/dev/fd/3`.
  private static func descriptor(named name: String) -> Int32? {
    switch name {
    case "-", "/dev/stdout": STDOUT_FILENO
    case "/dev/stderr": STDERR_FILENO
    default: name.wholeMatch(of: #/\/(?:dev|proc\/self)\/fd\/(\d+)/#).flatMap { Int32($0.1) }
    }
  }

  /// The path of a regular file, or of one to create, without links.
  private static func regularFile(_ name: String, _ status: stat?) throws -> String {
    guard let status else {
      var link = stat()
      guard lstat(name, &link) != 0 else {
        throw Failure(message: "\(name): the link leads to no file", hint: "Name another file.")
      }
      return name
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR:
      throw Failure(
        message: "\(name): is a folder",
        hint: "Name a file; only html is written to a folder.", kind: .wrongUsage)
    default: throw FileError(path: name, code: FileError.notAFile)
    }
    guard access(name, W_OK) == 0, let resolved = realpath(name, nil) else {
      throw FileError(path: name)
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The first bytes of a regular file; `nil` if there is none.
  ///
  /// - Throws: `FileError` if it cannot be read.
  package static func beginning(of path: String) throws -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    if file < 0 { throw FileError(path: path) }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    return String(decoding: try handle.read(upToCount: 4_096) ?? Data(), as: UTF8.self)
  }

  /// Checks that the file at the path may be replaced. Check the inputs before: their error is clearer.
  ///
  /// - Throws: `FileError` or ``Failure``.
  package func check() throws {
    if temporary.withLock({ $0 != nil }) { try checkBeginning() }
  }

  private func checkBeginning() throws {
    guard !overwrites, let start = try Self.beginning(of: path) else { return }
    // An empty file has nothing to lose.
    if start.isEmpty || OutputFormat.plain.contains(where: { $0.recognizes(start) }) { return }
    throw Failure(
      message: "\(name) exists, and its beginning does not show that faketrack wrote it",
      hint: "Replace it with --overwrite, or name another file.")
  }

  // MARK: Inputs

  /// Whether stdout is sent to the file at a path, or `-o` would replace it.
  package static func isOutput(_ path: String) -> Bool {
    var (output, file) = (stat(), stat())
    guard stat(path, &file) == 0, let input = Identity(file) else { return false }
    return input == current.withLock { $0?.previous }
      || fstat(STDOUT_FILENO, &output) == 0 && input == Identity(output)
  }

  /// The failure of an input that is also the output, which is then not replaced.
  package static func refusal(of input: String) -> Failure? {
    guard isOutput(input) else { return nil }
    let file = current.withLock(\.self)
    file?.isRead.withLock { $0 = true }
    return Failure(
      message: "\(input == "/dev/stdin" ? "standard input" : input): is also the output",
      hint: file == nil
        ? "Send the output to a place outside of the tracks." : "Name another file with -o.",
      kind: .unusableInput)
  }

  /// Whether `-o` names a file that exists, which may be an input.
  package static var replacesFile: Bool { current.withLock { $0?.previous != nil } }

  // MARK: The end

  /// Renames the file to its path, and checks again what is there.
  ///
  /// - Parameter hasFailed: whether the run has failed; a file without content is then removed.
  /// - Throws: `FileError` or ``Failure``.
  package func commit(hasFailed: Bool) throws {
    guard let file = temporary.withLock({ $0.take() }) else { return }
    var status = stat()
    if hasFailed, fstat(file.descriptor, &status) == 0, status.st_size == 0 {
      return file.remove()
    }
    do {
      if isRead.withLock(\.self) {
        throw Failure(message: "\(name): is also an input", hint: "Name another file with -o.")
      }
      try checkBeginning()
    } catch let failure as Failure {
      close(file.descriptor)
      throw Failure(
        message: failure.message, hint: "The output is in \(file.path). \(failure.hint ?? "")")
    }
    try file.move(to: path)
  }

  /// Removes what was written, unless it is at its path.
  package func discard() {
    temporary.withLock { $0.take() }?.remove()
    Self.current.withLock { $0 = nil }
  }
}

// MARK: Appending

extension OutputFile {
  /// Removes all but some parts of an earlier output, which stdout appends to.
  ///
  /// - Parameters:
  ///   - parts: their ranges of bytes, ascending.
  ///   - path: the path of the file that is stdout.
  /// - Throws: `FileError`.
  static func keep(_ parts: [Range<Int>], of path: String) throws {
    let head = parts.first.flatMap { $0.lowerBound == 0 ? $0.upperBound : nil } ?? 0
    guard let copy = tmpfile() else { throw FileError(path: path) }
    defer { fclose(copy) }
    do {
      let copy = FileHandle(fileDescriptor: fileno(copy))
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      for part in parts where part.lowerBound >= head {
        try file.seek(toOffset: UInt64(part.lowerBound))
        try Self.copy(part.count, from: file, to: copy)
      }
      let count = Int(try copy.offset())
      try copy.seek(toOffset: 0)
      guard ftruncate(STDOUT_FILENO, off_t(head)) == 0 else { throw FileError(path: path) }
      try Self.copy(count, from: copy, to: .standardOutput)
    } catch {
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
