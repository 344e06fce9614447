import FaketrackSupport
import Foundation

/// The addresses of Flickr's images and pages.
enum FlickrLinks {
  /// The page of a photo; `nil` if owner or id are not as Flickr makes them.
  static func page(owner: String, id: String) -> URL? {
    guard isPlain(id), isPlain(owner) else { return nil }
    return URL(string: "https://www.flickr.com/photos/\(owner)/\(id)")
  }

  static func image(server: String, id: String, secret: String, size: PhotoSize) -> URL? {
    guard isPlain(server), isPlain(id), isPlain(secret) else { return nil }
    return URL(
      string: "https://live.staticflickr.com/\(server)/\(id)_\(secret)_\(size.rawValue).jpg")
  }

  /// The fields to ask for besides the ones that are always sent.
  static func extras(for size: PhotoSize) -> String {
    var extras = ["geo", "license", "owner_name", "date_taken", "url_s", "url_m", "url_z", "url_l"]
    let exact = extra(for: size)
    if !extras.contains(exact) { extras.append(exact) }
    return extras.joined(separator: ",")
  }

  /// The field with the link to an image of a size. Some letters differ from those in addresses:
  /// `url_s` is 240 pixels, `url_m` 500, `url_l` 1,024.
  static func extra(for size: PhotoSize) -> String {
    switch size {
    case .square75: "url_sq"
    case .pixels240: "url_s"
    case .pixels1024: "url_l"
    default: "url_\(size.rawValue)"
    }
  }

  /// The fields with links to smaller images, the largest first.
  static func smaller(than size: PhotoSize) -> [String] {
    [(640, "url_z"), (500, "url_m"), (240, "url_s")].filter { $0.0 < size.pixels }.map(\.1)
  }

  /// Whether the text can be used in an address as it is; owners contain an `@`.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_@".utf8.contains($0) }
  }
}

enum FlickrLicense {
  /// The licenses by their numbers, beginning with 0.
  private static let all: [PhotoLicense] =
    [PhotoLicense(name: "All Rights Reserved", terms: .allRightsReserved)]
    + ["BY-NC-SA", "BY-NC", "BY-NC-ND", "BY", "BY-SA", "BY-ND"].map { creativeCommons($0, "2.0") }
    + [
      PhotoLicense(
        name: "No known copyright restrictions",
        url: URL(literal: "https://www.flickr.com/commons/usage/"), terms: .publicDomain),
      PhotoLicense(
        name: "United States Government Work",
        url: URL(literal: "https://www.usa.gov/government-copyright"), terms: .publicDomain),
      PhotoLicense(
        name: "CC0 1.0", url: URL(literal: "https://creativecommons.org/publicdomain/zero/1.0/"),
        terms: .creativeCommonsZero),
      PhotoLicense(
        name: "Public Domain Mark 1.0",
        url: URL(literal: "https://creativecommons.org/publicdomain/mark/1.0/"),
        terms: .publicDomain),
    ]
    + ["BY", "BY-SA", "BY-ND", "BY-NC", "BY-NC-SA", "BY-NC-ND"].map { creativeCommons($0, "4.0") }

  private static func creativeCommons(_ kind: String, _ version: String) -> PhotoLicense {
    PhotoLicense(
      name: "CC \(kind) \(version)",
      url: URL(string: "https://creativecommons.org/licenses/\(kind.lowercased())/\(version)/"),
      terms: kind.contains("NC") ? .creativeCommonsNonCommercial : .creativeCommons)
  }

  /// The numbers of the licenses that a filter accepts, as sent in a search; `nil` for all.
  static func ids(for filter: LicenseFilter) -> String? {
    guard filter != .any else { return nil }
    return all.indices.filter { filter.accepts(all[$0].terms) }.map(String.init)
      .joined(separator: ",")
  }

  /// The license with a number; one that is not known here is named after its number.
  static func license(id: String) -> PhotoLicense? {
    guard let number = Int(id) else { return nil }
    return all.indices.contains(number)
      ? all[number] : PhotoLicense(name: "Flickr license \(number)", terms: .unknown)
  }

  static let creativeCommonsZero = license(id: "9")
}
