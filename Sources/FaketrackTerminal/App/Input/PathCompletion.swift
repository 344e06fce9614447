import FaketrackFeatures
import Foundation
import GPX

/// Completes paths as the user types.
package struct PathCompletion: Sendable {
  /// The base of relative paths.
  private let folder: String
  /// The folder for `~`.
  private let home: String

  package init(in folder: String, home: String) {
    self.folder = folder
    self.home = home
  }

  func path(of text: String) -> String {
    let literal = literalPath(of: text)
    let isThere = FileManager.default.fileExists(atPath: literal)
    return isThere ? literal : literalPath(of: Self.unquoted(text))
  }

  /// A text as a shell would read it, with quotes and backslashes, or the path of a file URL.
  private static func unquoted(_ text: String) -> String {
    let text = text.trimmingCharacters(in: .whitespaces)
    if text.hasPrefix("file://"), let url = URL(string: text) {
      return url.path(percentEncoded: false)
    }
    var path = ""
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped || character != quote && quote == "'" {
        path.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else {
        path.append(character)
      }
    }
    return path
  }

  private func literalPath(of text: String) -> String {
    if text == "~" || text.hasPrefix("~/") { return home + text.dropFirst() }
    return text.hasPrefix("/") ? text : folder + "/" + text
  }

  /// The path or web address of a feed.
  func feed(at text: String) -> String {
    text.contains("://") && !text.hasPrefix("file://") ? text : path(of: text)
  }

  /// Whether there is a file at the path.
  func exists(_ text: String) -> Bool { FileManager.default.fileExists(atPath: path(of: text)) }

  /// The endings of the names of tracks, also of other formats.
  static let tracks = [".gpx", ".gpx.gz"] + GPXFileKind.convertible.map { ".\($0.fileExtension)" }

  /// The folders, and the files with one of some endings, that start with a text, by name, and their
  /// common start.
  func complete(
    _ text: String, endings: [String] = tracks
  ) -> (text: String, completions: [String]) {
    let (result, completions) = completeLiteral(text, endings)
    return completions.isEmpty
      ? completeLiteral(Self.unquoted(text), endings) : (result, completions)
  }

  private func completeLiteral(
    _ text: String, _ endings: [String]
  ) -> (text: String, completions: [String]) {
    let start = text.lastIndex(of: "/").map { text[...$0] } ?? ""
    let name = text.dropFirst(start.count)
    let parent = literalPath(of: start.isEmpty ? "." : String(start))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    let completions = names.sorted().compactMap { found -> String? in
      guard found.hasPrefix(name), name.hasPrefix(".") || !found.hasPrefix(".") else { return nil }
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: parent + "/" + found, isDirectory: &isFolder)
      if isFolder.boolValue { return start + found + "/" }
      return endings.contains { found.lowercased().hasSuffix($0) } ? start + found : nil
    }
    let common = completions.dropFirst().reduce(completions.first) {
      $0?.commonPrefix(with: $1, options: .literal)
    }
    return (common ?? text, completions)
  }
}
