import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Keeps other processes that ask for the same lock out of a directory.
///
/// Where the file system has no locks, it keeps no one out.
struct DirectoryLock {
  private let descriptor: Int32

  /// Waits for the lock.
  init(_ directory: URL) {
    descriptor = open(directory.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  /// Lets the next one in; to be called once.
  func unlock() {
    if descriptor >= 0 { close(descriptor) }
  }
}
