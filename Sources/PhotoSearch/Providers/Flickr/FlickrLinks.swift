#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices

/// Where Flickr's images and pages are.
struct FlickrLinks {
  private let start: String

  /// - Parameter pages: what the address of a photo's page starts with; owner and id follow.
  init(pages: URL) {
    start = pages.absoluteString
  }

  static let flickr = FlickrLinks(pages: URL(literal: "https://www.flickr.com/photos"))

  func page(owner: String, id: String) -> AddressText? {
    guard Self.isPlain(id), Self.isPlain(owner) else { return nil }
    return AddressText("\(start)/\(owner)/\(id)")
  }

  /// The address of an image, made from the values of its hit.
  static func image(server: String, id: String, secret: String, size: PhotoSize)
    -> AddressText?
  {
    guard isPlain(server), isPlain(id), isPlain(secret) else { return nil }
    return AddressText(
      "https://live.staticflickr.com/\(server)/\(id)_\(secret)_\(size.rawValue).jpg")
  }

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
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "@"):
          true
        default: false
        }
      }
  }
}

/// Flickr's licenses and their numbers.
enum FlickrLicense {
  private static let creativeCommons = "https://creativecommons.org/"
  private static let all: [(id: Int, name: String, link: String, terms: PhotoLicense.Terms)] = [
    (0, "All Rights Reserved", "", .allRightsReserved),
    (
      1, "CC BY-NC-SA 2.0", creativeCommons + "licenses/by-nc-sa/2.0/",
      .creativeCommonsNonCommercial
    ),
    (2, "CC BY-NC 2.0", creativeCommons + "licenses/by-nc/2.0/", .creativeCommonsNonCommercial),
    (
      3, "CC BY-NC-ND 2.0", creativeCommons + "licenses/by-nc-nd/2.0/",
      .creativeCommonsNonCommercial
    ),
    (4, "CC BY 2.0", creativeCommons + "licenses/by/2.0/", .creativeCommons),
    (5, "CC BY-SA 2.0", creativeCommons + "licenses/by-sa/2.0/", .creativeCommons),
    (6, "CC BY-ND 2.0", creativeCommons + "licenses/by-nd/2.0/", .creativeCommons),
    (7, "No known copyright restrictions", "https://www.flickr.com/commons/usage/", .publicDomain),
    (8, "United States Government Work", "https://www.usa.gov/government-copyright", .publicDomain),
    (9, "CC0 1.0", creativeCommons + "publicdomain/zero/1.0/", .creativeCommonsZero),
    (10, "Public Domain Mark 1.0", creativeCommons + "publicdomain/mark/1.0/", .publicDomain),
    (11, "CC BY 4.0", creativeCommons + "licenses/by/4.0/", .creativeCommons),
    (12, "CC BY-SA 4.0", creativeCommons + "licenses/by-sa/4.0/", .creativeCommons),
    (13, "CC BY-ND 4.0", creativeCommons + "licenses/by-nd/4.0/", .creativeCommons),
    (14, "CC BY-NC 4.0", creativeCommons + "licenses/by-nc/4.0/", .creativeCommonsNonCommercial),
    (
      15, "CC BY-NC-SA 4.0", creativeCommons + "licenses/by-nc-sa/4.0/",
      .creativeCommonsNonCommercial
    ),
    (
      16, "CC BY-NC-ND 4.0", creativeCommons + "licenses/by-nc-nd/4.0/",
      .creativeCommonsNonCommercial
    ),
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
      let url = entry.link.isEmpty ? nil : URL(string: entry.link)
      return (entry.id, PhotoLicense(name: entry.name, url: url, terms: entry.terms))
    })
}
