import Foundation

/// A file written with the system's own calls, whose errors say what went wrong.
final class WritableFile: Sendable {
  private let path: String
  private let descriptor: Int32

  /// Opens a file for reading and writing.
  ///
  /// - Parameter flags: what happens if it is there or not, as `open` takes it.
  init(_ path: String, creating flags: Int32) throws(PhotoArchive.Failure) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CLOEXEC | flags, 0o644)
    if descriptor < 0 { throw Self.failure(at: path) }
  }

  deinit {
    close(descriptor)
  }

  /// Keeps other processes that ask for it out, as long as the file is open; where the file
  /// system has no locks, it keeps no one out.
  func lock() throws(PhotoArchive.Failure) {
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
    throw PhotoArchive.Failure(path: path, reason: "another run is writing here")
  }

  func contents() throws(PhotoArchive.Failure) -> Data {
    var contents = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return contents }
      if count > 0 { contents.append(contentsOf: buffer[..<count]) }
      if count < 0, errno != EINTR { throw Self.failure(at: path) }
    }
  }

  func truncate(to size: Int) throws(PhotoArchive.Failure) {
    if ftruncate(descriptor, off_t(size)) != 0 { throw Self.failure(at: path) }
  }

  func write(_ data: Data) throws(PhotoArchive.Failure) {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) }
      if count < 0, errno != EINTR { throw Self.failure(at: path) }
    }
  }

  private func synchronize() throws(PhotoArchive.Failure) {
    if fsync(descriptor) != 0 { throw Self.failure(at: path) }
  }

  /// Writes bytes beside a path, and moves them there when they are whole.
  static func replace(_ path: String, with data: Data) throws(PhotoArchive.Failure) {
    let part = path + ".part"
    do throws(PhotoArchive.Failure) {
      let file = try WritableFile(part, creating: O_CREAT | O_TRUNC)
      try file.write(data)
      try file.synchronize()
      if rename(part, path) != 0 { throw failure(at: path) }
    } catch {
      unlink(part)
      throw error
    }
  }

  /// Whether there is a file with something in it.
  static func holdsBytes(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
  }

  private static func failure(at path: String) -> PhotoArchive.Failure {
    PhotoArchive.Failure(path: path, reason: String(cString: strerror(errno)))
  }
}
