#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackSupport

/// The addresses of Flickr's images and pages.
enum FlickrLinks {
  /// The page of a photo; `nil` if owner or id are not as Flickr makes them.
  static func page(owner: String, id: String) -> URL? {
    guard isPlain(id), isPlain(owner) else { return nil }
    return URL(string: "https://www.flickr.com/photos/\(owner)/\(id)")
  }

  /// The address of an image, made from the values of its hit.
  static func image(server: String, id: String, secret: String, size: PhotoSize) -> URL? {
    guard isPlain(server), isPlain(id), isPlain(secret) else { return nil }
    return URL(
      string: "https://live.staticflickr.com/\(server)/\(id)_\(secret)_\(size.rawValue).jpg")
  }

  /// All fields with links to images.
  static let fields = Set(PhotoSize.allCases.map(extra)).union(["url_m"])

  /// The fields to ask for besides the ones that are always sent.
  static func extras(for size: PhotoSize) -> String {
    var extras = ["geo", "license", "owner_name", "date_taken", "url_s", "url_m", "url_z", "url_l"]
    let exact = extra(for: size)
    if !extras.contains(exact) { extras.append(exact) }
    return extras.joined(separator: ",")
  }

  /// The field with the link to an image of a size. Its letters differ from those in addresses:
  /// `url_s` is 240 pixels, `url_m` 500, `url_l` 1,024.
  static func extra(for size: PhotoSize) -> String {
    switch size {
    case .square75: "url_sq"
    case .square150: "url_q"
    case .pixels100: "url_t"
    case .pixels240: "url_s"
    case .pixels320: "url_n"
    case .pixels400: "url_w"
    case .pixels640: "url_z"
    case .pixels800: "url_c"
    case .pixels1024: "url_l"
    }
  }

  /// The fields with links to smaller images, the largest first.
  static func smaller(than size: PhotoSize) -> [String] {
    [(640, "url_z"), (500, "url_m"), (240, "url_s")].filter { $0.0 < size.pixels }.map(\.1)
  }

  /// Whether the text can be used in an address as it is; owners contain an `@`.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
          || $0 == UInt8(ascii: "@")
      }
  }
}

/// Flickr's licenses and their numbers.
enum FlickrLicense {
  private static let all: [(id: Int, name: String, link: String, terms: PhotoLicense.Terms)] = [
    (0, "All Rights Reserved", "", .allRightsReserved),
    (1, "CC BY-NC-SA 2.0", "licenses/by-nc-sa/2.0/", .creativeCommonsNonCommercial),
    (2, "CC BY-NC 2.0", "licenses/by-nc/2.0/", .creativeCommonsNonCommercial),
    (3, "CC BY-NC-ND 2.0", "licenses/by-nc-nd/2.0/", .creativeCommonsNonCommercial),
    (4, "CC BY 2.0", "licenses/by/2.0/", .creativeCommons),
    (5, "CC BY-SA 2.0", "licenses/by-sa/2.0/", .creativeCommons),
    (6, "CC BY-ND 2.0", "licenses/by-nd/2.0/", .creativeCommons),
    (7, "No known copyright restrictions", "https://www.flickr.com/commons/usage/", .publicDomain),
    (8, "United States Government Work", "https://www.usa.gov/government-copyright", .publicDomain),
    (9, "CC0 1.0", "publicdomain/zero/1.0/", .creativeCommonsZero),
    (10, "Public Domain Mark 1.0", "publicdomain/mark/1.0/", .publicDomain),
    (11, "CC BY 4.0", "licenses/by/4.0/", .creativeCommons),
    (12, "CC BY-SA 4.0", "licenses/by-sa/4.0/", .creativeCommons),
    (13, "CC BY-ND 4.0", "licenses/by-nd/4.0/", .creativeCommons),
    (14, "CC BY-NC 4.0", "licenses/by-nc/4.0/", .creativeCommonsNonCommercial),
    (15, "CC BY-NC-SA 4.0", "licenses/by-nc-sa/4.0/", .creativeCommonsNonCommercial),
    (16, "CC BY-NC-ND 4.0", "licenses/by-nc-nd/4.0/", .creativeCommonsNonCommercial),
  ]

  /// The numbers of the licenses that a filter accepts, as sent in a search; `nil` for all.
  static func ids(for filter: LicenseFilter) -> String? {
    guard filter != .any else { return nil }
    return all.filter { filter.accepts($0.terms) }.map { "\($0.id)" }.joined(separator: ",")
  }

  /// The license with a number; one that is not known here is named after its number.
  static func license(id: String) -> PhotoLicense? {
    guard let number = Int(id) else { return nil }
    return byNumber[number] ?? PhotoLicense(name: "Flickr license \(number)", terms: .unknown)
  }

  private static let byNumber: [Int: PhotoLicense] = Dictionary(
    uniqueKeysWithValues: all.map { entry in
      let isRelative = !entry.link.hasPrefix("https:")
      let link = isRelative ? "https://creativecommons.org/\(entry.link)" : entry.link
      let url = entry.link.isEmpty ? nil : URL(string: link)
      return (entry.id, PhotoLicense(name: entry.name, url: url, terms: entry.terms))
    })

  /// CC0 1.0, a public domain dedication.
  static let creativeCommonsZero = byNumber[9]
}
