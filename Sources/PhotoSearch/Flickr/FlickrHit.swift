#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Geodesy

/// One photo of Flickr's answer.
struct FlickrHit: Decodable {
  private let values: [String: LooseValue]

  init(from decoder: any Decoder) throws {
    values = try [String: LooseValue](from: decoder)
  }

  private func text(_ key: String) -> String? {
    values[key]?.text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The photo, or `nil` without what its image's address is made of.
  func photo(size: PhotoSize, links: FlickrLinks) -> Photo? {
    guard let id = text("id"), let url = image(id: id, size: size) else { return nil }
    let owner = text("owner")
    return Photo(
      id: id,
      title: text("title") ?? "",
      owner: text("ownername") ?? owner ?? "",
      license: text("license").flatMap(FlickrLicense.license(id:)),
      url: url,
      page: owner.flatMap { links.page(owner: $0, id: id) },
      coordinate: coordinate,
      taken: taken)
  }

  private func image(id: String, size: PhotoSize) -> URL? {
    if let exact = link(FlickrLinks.extra(for: size)) { return exact }
    // `url_s` is there whenever links were sent at all: then what is missing does not exist.
    if text("url_s") != nil,
      let smaller = FlickrLinks.smaller(than: size).lazy.compactMap(link).first
    {
      return smaller
    }
    guard let server = text("server"), let secret = text("secret") else { return nil }
    return FlickrLinks.image(server: server, id: id, secret: secret, size: size)
  }

  private func link(_ key: String) -> URL? {
    guard let url = text(key).flatMap({ URL(string: $0) }), let scheme = url.scheme,
      ["http", "https"].contains(scheme.lowercased()), url.host != nil
    else { return nil }
    return url
  }

  /// Where it was taken; the number 0 stands for "not geotagged", twice.
  private var coordinate: Coordinate? {
    guard let latitude = values["latitude"]?.double, let longitude = values["longitude"]?.double,
      latitude != 0 || longitude != 0
    else { return nil }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }

  /// The date as far as it is known: granularity 4 is the month, 6 the year, 8 about the year.
  private var taken: String? {
    guard let date = text("datetaken"), text("datetakenunknown") != "1", !date.hasPrefix("0000")
    else { return nil }
    return switch values["datetakengranularity"]?.integer ?? 0 {
    case 4: String(date.prefix(7))
    case 6, 8: String(date.prefix(4))
    default: LocalTime.normalized(date)
    }
  }
}
