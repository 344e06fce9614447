import Foundation
import PhotoSearch

/// What the environment tells the product. The key is kept out of every description.
struct Settings: Sendable {
  let environment: [String: String]

  init(environment: [String: String]) {
    self.environment = environment
  }

  /// The key; one of blanks only is none.
  var flickrKey: String? {
    value("FLICKR_API_KEY").flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }

  /// The default of `--photos`.
  func photoSource() throws -> PhotoSourceChoice {
    guard let name = value("FAKETRACK_PHOTOS") else { return .auto }
    guard let source = PhotoSourceChoice(rawValue: name) else {
      let names = PhotoSourceChoice.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure(
        "FAKETRACK_PHOTOS is \"\(name)\", which is no photo source",
        hint: "Set it to one of \(names), or unset it.", code: .wrongUsage)
    }
    return source
  }

  func flickrURL() throws -> URL? { try url("FAKETRACK_FLICKR_URL") }

  func commonsURL() throws -> URL? { try url("FAKETRACK_COMMONS_URL") }

  func wikipediaURL() throws -> URL? { try url("FAKETRACK_WIKIPEDIA_URL") }

  /// The directory of what is kept between runs.
  var home: URL {
    if let home = value("FAKETRACK_HOME") { return URL(fileURLWithPath: home, isDirectory: true) }
    if let data = value("XDG_DATA_HOME"), data.hasPrefix("/") {
      return URL(fileURLWithPath: data, isDirectory: true).appendingPathComponent("faketrack")
    }
    return URL(fileURLWithPath: value("HOME") ?? NSHomeDirectory(), isDirectory: true)
      .appendingPathComponent(".local/share/faketrack")
  }

  private func value(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  private func url(_ name: String) throws -> URL? {
    guard let text = value(name) else { return nil }
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), url.host != nil
    else {
      throw CommandFailure(
        "\(name) is not the address of a service",
        hint: "Set it to an http or https URL, or unset it.", code: .wrongUsage)
    }
    return url
  }
}

extension Settings {
  /// The user's own city index.
  var cityIndexFile: URL { home.appendingPathComponent("cities.index") }

  /// Favorites, kept searches and budgets.
  var storeFile: URL { home.appendingPathComponent("faketrack.sqlite") }
}
