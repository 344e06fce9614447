import Foundation

/// The table of whom kept photos are owed to: a line for each file, written as soon as it is there.
struct CreditTable {
  private let file: WritableFile
  private var names: Set<String>

  /// Opens a table and takes in what an earlier run wrote to it; makes it if it is not there.
  ///
  /// A last line that a killed run did not finish is taken away.
  ///
  /// - Parameter header: the first line, with its line break.
  /// - Throws: `PhotoArchive.Failure` when it cannot be written, or another run is writing it.
  init(at path: String, header: String) throws(PhotoArchive.Failure) {
    file = try WritableFile(path, creating: O_CREAT | O_APPEND)
    try file.lock()
    let text = try file.contents()
    let end = text.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    if end < text.count { try file.truncate(to: end) }
    // Names need no quotes, so that they end with the first comma.
    let lines = String(decoding: text[..<end], as: UTF8.self).split(separator: "\n").dropFirst()
    names = Set(lines.map { String($0.prefix { $0 != "," }) })
    if end == 0 { try file.write(Data(header.utf8)) }
  }

  /// Adds the line of a file, unless the file has one.
  mutating func add(_ name: String, line: String) throws(PhotoArchive.Failure) {
    guard !names.contains(name) else { return }
    try file.write(Data(line.utf8))
    names.insert(name)
  }
}
