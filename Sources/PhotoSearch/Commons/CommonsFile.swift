#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Geodesy

/// One file of Commons' answer, perhaps with a part of its properties only.
struct CommonsFile: Decodable, Sendable {
  /// The metadata that ``photo`` is made of.
  static let metadataFields = [
    "Artist", "DateTimeOriginal", "License", "LicenseShortName", "LicenseUrl",
  ]

  let pageid: Int
  let title: String
  /// The rank among the hits, which are listed by page number.
  let index: Int?
  private var coordinates: [Position]?
  private var imageinfo: [Image]?

  /// The same file with the properties that only `other` has.
  func merged(with other: CommonsFile) -> CommonsFile {
    var file = self
    file.coordinates = coordinates ?? other.coordinates
    file.imageinfo = imageinfo ?? other.imageinfo
    return file
  }

  /// The photo, or `nil` for sound, films, documents, and what has no thumbnail.
  var photo: Photo? {
    guard let image = imageinfo?.first, image.mime?.hasPrefix("image/") == true,
      let url = image.thumburl.flatMap({ URL(string: $0) })
    else { return nil }
    let author = image.metadata("Artist").map(HTMLText.plain).flatMap { $0.isEmpty ? nil : $0 }
    return Photo(
      id: "\(pageid)",
      title: shownTitle,
      owner: author ?? image.user ?? "",
      license: license(of: image),
      url: url,
      page: image.descriptionurl.flatMap { URL(string: $0) },
      coordinate: coordinate,
      taken: image.metadata("DateTimeOriginal").map(HTMLText.plain)
        .flatMap(LocalTime.normalized))
  }

  /// `File:Neuer Garten.jpg` as `Neuer Garten`.
  private var shownTitle: String {
    let name = title.firstIndex(of: ":").map { title[title.index(after: $0)...] } ?? title[...]
    let end = name.lastIndex(of: ".") ?? name.endIndex
    return String(end == name.startIndex ? name : name[..<end])
  }

  private var coordinate: Coordinate? {
    let position = coordinates?.first { $0.primary?.isSet == true } ?? coordinates?.first
    guard let latitude = position?.lat?.double, let longitude = position?.lon?.double else {
      return nil
    }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }

  private func license(of image: Image) -> PhotoLicense? {
    let code = image.metadata("License")
    guard let name = image.metadata("LicenseShortName").map(HTMLText.plain) ?? code,
      !name.isEmpty
    else { return nil }
    let address = image.metadata("LicenseUrl").map(HTMLText.plain)
      .map { $0.hasPrefix("//") ? "https:\($0)" : $0 }
    return PhotoLicense(
      name: name, url: address.flatMap { URL(string: $0) },
      terms: CommonsLicense.terms(code: code, name: name))
  }

  private struct Position: Decodable, Sendable {
    let lat: LooseValue?
    let lon: LooseValue?
    let primary: Flag?
  }

  private struct Image: Decodable, Sendable {
    let mime: String?
    let thumburl: String?
    let descriptionurl: String?
    let user: String?
    private let extmetadata: Lossy<[String: Lossy<Entry>]>?

    func metadata(_ field: String) -> String? {
      extmetadata?.value?[field]?.value?.value.text
    }

    private struct Entry: Decodable, Sendable {
      let value: LooseValue
    }
  }

  /// True as `true` in the format's second version and as an empty string in its first.
  private struct Flag: Decodable, Sendable {
    let isSet: Bool

    init(from decoder: any Decoder) throws {
      isSet = (try? decoder.singleValueContainer().decode(Bool.self)) ?? true
    }
  }
}
