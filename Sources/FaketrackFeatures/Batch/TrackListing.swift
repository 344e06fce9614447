import FaketrackSupport
import Foundation
import GPX

/// The tracks that the arguments of a command name: files, and folders with all tracks below.
///
/// A folder is listed when its turn comes, so only the names in a track's parent folders are in memory.
/// Within a folder tracks come in the order of their paths, byte by byte. Names that begin with a period
/// and links to folders are skipped. A folder that cannot be listed, a link that leads nowhere, a name
/// that is not UTF-8 and a file that is not regular are tracks that fail.
package struct TrackListing: Sequence, IteratorProtocol, Sendable {
  /// The rest of the list, the next item last.
  private var stack: [Item]
  private let standardInput: GPXInput

  private enum Item {
    /// An argument.
    case named(String)
    /// A file or a folder with this path that a folder holds.
    case found(String, isFolder: Bool)
    case failed(String, Failure)
    /// The end of a folder that an argument names, and the count of tracks before it.
    case end(String, Int)
  }

  /// The number of tracks listed so far.
  private var count = 0

  /// - Parameters:
  ///   - paths: files and folders; `-` is standard input.
  ///   - standardInput: the input that `-` names.
  package init(
    _ paths: [String],
    standardInput: GPXInput = .descriptor(STDIN_FILENO, name: "standard input")
  ) {
    stack = paths.reversed().map(Item.named)
    self.standardInput = standardInput
  }

  /// Whether a path is that of a folder.
  package static func isFolder(_ path: String) -> Bool {
    kind(of: path) == S_IFDIR
  }

  package mutating func next() -> BatchTrack? {
    while let item = stack.popLast() {
      switch item {
      case .named("-"):
        return track("-", standardInput)
      case .named(let path):
        guard Self.isFolder(path) else { return track(path, .file(path)) }
        stack.append(.end(path, count))
        open(path)
      case .found(let path, isFolder: true):
        open(path)
      case .found(let path, isFolder: false):
        return track(path, .file(path))
      case .failed(let path, let failure):
        count += 1
        return BatchTrack(path, failure)
      case .end(let path, let before):
        if count == before { return BatchTrack(path, Self.empty(path)) }
      }
    }
    return nil
  }

  private mutating func track(_ path: String, _ input: GPXInput) -> BatchTrack {
    count += 1
    return BatchTrack(path, input)
  }

  private static func empty(_ path: String) -> Failure {
    Failure(
      message: "\(path): there is no .gpx or .gpx.gz in this folder",
      hint: "Name a folder with tracks, or the files themselves.", kind: .unusableInput)
  }

  /// Puts the tracks and folders of a folder on the stack.
  private mutating func open(_ folder: String) {
    let names: [[UInt8]]
    do {
      names = try Self.names(in: folder)
    } catch {
      stack.append(
        .failed(
          folder,
          Failure(
            message: "\(folder): cannot be listed: \(error.reason)",
            hint: "Check its permissions.")))
      return
    }
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    var items: [(key: String, item: Item)] = []
    for bytes in names where bytes.first != UInt8(ascii: ".") {
      let name = String(decoding: bytes, as: UTF8.self)
      let path = prefix + name
      let isTrack = Self.isTrack(name)
      guard Array(name.utf8) == bytes else {
        items.append((name, Self.unnamable(path)))
        continue
      }
      guard let kind = Self.kind(of: path) else {
        // A link that leads nowhere matters if it looks like a track.
        if isTrack || !Self.isLink(path) { items.append((name, .found(path, isFolder: false))) }
        continue
      }
      if kind == S_IFDIR {
        if !Self.isLink(path) { items.append((name + "/", .found(path, isFolder: true))) }
      } else if isTrack {
        items.append((name, kind == S_IFREG ? .found(path, isFolder: false) : Self.special(path)))
      }
    }
    items.sort { $1.key.utf8.lexicographicallyPrecedes($0.key.utf8) }
    stack += items.map(\.item)
  }

  private static func unnamable(_ path: String) -> Item {
    .failed(
      path,
      Failure(
        message: "\(path): the name is not UTF-8", hint: "Rename it.", kind: .unusableInput))
  }

  private static func special(_ path: String) -> Item {
    .failed(
      path,
      Failure(
        message: "\(path): is a pipe or a device, which a folder's tracks are not read from",
        hint: "Name it as an argument, or save its content as a file.", kind: .unusableInput))
  }

  private static func isTrack(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix(".gpx") || name.hasSuffix(".gpx.gz")
  }

  /// The kind of file at a path, links followed; `nil` where none can be reached.
  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  private static func names(in folder: String) throws(FileError) -> [[UInt8]] {
    guard let stream = opendir(folder) else { throw FileError(path: folder) }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
    }
    guard errno == 0 else { throw FileError(path: folder) }
    return names
  }
}
