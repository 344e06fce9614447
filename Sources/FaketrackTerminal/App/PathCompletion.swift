import FaketrackFeatures
import Foundation
import GPX

/// Completes paths as the user types.
package struct PathCompletion: Sendable {
  private let folder: String
  private let home: String
  private let source: GPXSource

  /// - Parameters:
  ///   - folder: the base of relative paths.
  ///   - home: the folder for `~`.
  ///   - source: the kind of points used from the files.
  package init(in folder: String, home: String, source: GPXSource = .auto) {
    self.folder = folder
    self.home = home
    self.source = source
  }

  /// The path for a text.
  package func path(of text: String) -> String {
    if text == "~" || text.hasPrefix("~/") { return home + text.dropFirst() }
    return text.hasPrefix("/") ? text : folder + "/" + text
  }

  /// The track in the file that a text names.
  func track(at text: String) -> TrackFile {
    let path = path(of: text)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return TrackFile(name: name, input: .file(path), source: source)
  }

  /// The folders and GPX files that start with a text, by name.
  package func completions(of text: String) -> [String] {
    let start = text.lastIndex(of: "/").map { text[...$0] } ?? ""
    let name = text.dropFirst(start.count)
    let parent = path(of: start.isEmpty ? "." : String(start))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    return names.filter { $0.hasPrefix(name) && (name.hasPrefix(".") || !$0.hasPrefix(".")) }
      .sorted().compactMap { found in
        if Self.isFolder(parent + "/" + found) { return start + found + "/" }
        let isTrack = [".gpx", ".gpx.gz"].contains { found.lowercased().hasSuffix($0) }
        return isTrack ? start + found : nil
      }
  }

  /// The longest common prefix of some texts; `nil` for none.
  package func commonStart(of texts: [String]) -> String? {
    guard let first = texts.first else { return nil }
    return texts.reduce(first) { $0.commonPrefix(with: $1, options: .literal) }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
