import Foundation

/// The kind of a file.
package enum FileKind: Sendable {
  case regular, folder, link, pipe, socket, characterDevice, blockDevice

  /// The kind of the file at a path, links followed; `nil` where none can be reached.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self = status.kind
  }

  /// The kind of an open file; `nil` for a descriptor that is not open.
  package init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self = status.kind
  }

  /// Whether there is a link at a path.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.kind == .link
  }
}

extension stat {
  package var kind: FileKind {
    switch st_mode & S_IFMT {
    case S_IFREG: .regular
    case S_IFDIR: .folder
    case S_IFLNK: .link
    case S_IFIFO: .pipe
    case S_IFSOCK: .socket
    case S_IFCHR: .characterDevice
    default: .blockDevice
    }
  }
}
