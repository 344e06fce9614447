#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices

/// Where Flickr's images and pages are.
struct FlickrLinks {
  /// What the address of a photo's page starts with; owner and id follow.
  let pages: URL

  static let flickr = FlickrLinks(pages: URL(literal: "https://www.flickr.com/photos"))

  func page(owner: String, id: String) -> URL? {
    guard Self.isPlain(id), Self.isPlain(owner) else { return nil }
    return URL(string: "\(pages.absoluteString)/\(owner)/\(id)")
  }

  /// The address of an image, which follows from the hit.
  static func image(server: String, id: String, secret: String, size: PhotoSize) -> URL? {
    guard isPlain(server), isPlain(id), isPlain(secret) else { return nil }
    return URL(
      string: "https://live.staticflickr.com/\(server)/\(id)_\(secret)_\(size.rawValue).jpg")
  }

  /// The fields to ask for besides the ones that always come.
  static func extras(for size: PhotoSize) -> String {
    var extras = ["geo", "license", "owner_name", "date_taken", "url_s", "url_m", "url_z", "url_l"]
    let exact = extra(for: size)
    if !extras.contains(exact) { extras.append(exact) }
    return extras.joined(separator: ",")
  }

  /// The field with the link to an image of that size. Its letters are not those of addresses:
  /// `url_s` is 240 pixels, `url_m` 500, `url_l` 1,024.
  static func extra(for size: PhotoSize) -> String {
    switch size {
    case .s: "url_sq"
    case .q: "url_q"
    case .t: "url_t"
    case .m: "url_s"
    case .n: "url_n"
    case .w: "url_w"
    case .z: "url_z"
    case .c: "url_c"
    case .b: "url_l"
    }
  }

  /// The fields with links to smaller images, the largest first.
  static func smaller(than size: PhotoSize) -> [String] {
    [(640, "url_z"), (500, "url_m"), (240, "url_s")].filter { $0.0 < size.pixels }.map(\.1)
  }

  /// Whether the text can stand in an address as it is; owners have an `@`.
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
