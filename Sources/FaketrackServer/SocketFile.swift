import Foundation

/// The file of a socket that a server has made.
struct SocketFile: Sendable {
  private let path: String
  private let device: dev_t
  private let number: ino_t

  /// The file at a path; `nil` if there is no socket.
  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK
    else { return nil }
    (self.path, device, number) = (path, status.st_dev, status.st_ino)
  }

  /// Removes the file, unless another one is in its place.
  func remove() {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_dev == device, status.st_ino == number else {
      return
    }
    unlink(path)
  }
}
