import FaketrackFeatures
import FaketrackPictures
import FaketrackServices
import FaketrackSupport
import Foundation
import PhotoSearch

/// The settings that come from environment variables.
struct Settings: Sendable {
  let environment: [String: String]

  /// The value of a variable; an empty one is none.
  private func value(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The default of `--photos`.
  func photoSource() throws -> PhotoSourceChoice {
    guard let name = value("FAKETRACK_PHOTOS") else { return .auto }
    guard let source = PhotoSourceChoice(rawValue: name) else {
      let names = PhotoSourceChoice.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(
        message: "FAKETRACK_PHOTOS is \"\(name)\", which is not a photo source",
        hint: "Set it to one of \(names), or a folder, or unset it.", kind: .wrongUsage)
    }
    return source
  }

  /// The address, from a variable, that replaces a service's own.
  ///
  /// - Throws: `Failure` when the variable does not hold an address.
  func url(_ name: String) throws -> URL? {
    guard let text = value(name) else { return nil }
    guard let url = URL(webAddress: text) else { throw Failure.unusableAddress(in: name) }
    return url
  }

  /// The variable that may hold another address of Wikipedia.
  static let wikipediaVariable = "FAKETRACK_WIKIPEDIA_URL"

  /// The folder of what is stored between runs.
  var home: URL {
    if let home = value("FAKETRACK_HOME") { return URL(fileURLWithPath: home, isDirectory: true) }
    if let data = value("XDG_DATA_HOME"), data.hasPrefix("/") {
      return URL(fileURLWithPath: data, isDirectory: true).appendingPathComponent("faketrack")
    }
    return URL(fileURLWithPath: value("HOME") ?? NSHomeDirectory(), isDirectory: true)
      .appendingPathComponent(".local/share/faketrack")
  }

  /// The folder of small versions of the user's own photos.
  var thumbnails: OwnFolder { OwnFolder(home.appendingPathComponent("thumbnails").path) }

  /// The installed program that decodes HEIC pictures.
  var heic: HEICProgram? { HEICProgram(environment: environment) }

  var cityIndexFile: URL { home.appendingPathComponent("cities.index") }

  /// When the user's own city index was written; `nil` where there is none.
  var cityIndexDate: Date? {
    try? cityIndexFile.resourceValues(forKeys: [.contentModificationDateKey])
      .contentModificationDate
  }

  /// Favorites, searches and budgets.
  var storeFile: URL { home.appendingPathComponent("faketrack.sqlite") }
}
