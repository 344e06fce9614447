#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices
import Geodesy

/// One file of Commons' answer, possibly with only some of its properties.
struct CommonsFile: Decodable {
  /// The metadata fields that a photo is made from.
  static let metadataFields = [
    "Artist", "DateTimeOriginal", "License", "LicenseShortName", "LicenseUrl",
  ]

  let pageID: Int
  /// The rank among the hits, which are sent in the order of their page ids.
  let index: Int?
  private let title: String
  private var coordinate: Coordinate?
  private var image: Image?

  init(from decoder: any Decoder) throws {
    let file = try LenientObject(from: decoder)
    guard let pageID = file.integer("pageid"), let title = file.text("title") else {
      throw ServiceFault.broken("a file without an id or a title")
    }
    self.pageID = pageID
    self.title = title
    index = file.integer("index")
    let positions = file.list("coordinates", of: Position.self)?.compactMap(\.self) ?? []
    coordinate = (positions.first(where: \.isPrimary) ?? positions.first)?.coordinate
    image = file.list("imageinfo", of: Image.self)?.lazy.compactMap(\.self).first
  }

  /// The same file with the properties that only `other` has.
  func merged(with other: CommonsFile) -> CommonsFile {
    var file = self
    file.coordinate = coordinate ?? other.coordinate
    file.image = image ?? other.image
    return file
  }

  /// The photo; `nil` for sounds, films, documents, files without a thumbnail, and those whose
  /// license is not accepted.
  func photo(accepting filter: LicenseFilter, licenses: inout CommonsLicenses) -> Photo? {
    guard let image, image.type?.hasPrefix("image/") == true,
      let thumbnail = image.thumbnail.flatMap({ URL(string: $0) })
    else { return nil }
    let license = licenses.license(
      code: image.licenseCode, name: image.licenseName, address: image.licenseAddress)
    guard filter == .any || filter.accepts(license?.terms ?? .unknown) else { return nil }
    let author = image.author.map(HTMLText.plain).flatMap { $0.isEmpty ? nil : $0 }
    return Photo(
      id: "\(pageID)", title: displayTitle, owner: author ?? image.uploader ?? "",
      license: license, url: thumbnail, page: image.page.flatMap { URL(string: $0) },
      coordinate: coordinate, taken: image.date.map(HTMLText.plain).flatMap { PhotoDate($0) })
  }

  /// `File:Neuer Garten.jpg` as `Neuer Garten`.
  private var displayTitle: String {
    let colon = title.utf8.firstIndex(of: UInt8(ascii: ":"))
    let name = colon.map { title[title.utf8.index(after: $0)...] } ?? title[...]
    let end = name.utf8.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    return String(end == name.startIndex ? name : name[..<end])
  }
}

/// One of the positions of a file.
private struct Position: Decodable {
  /// `nil` if it is not on Earth.
  let coordinate: Coordinate?
  let isPrimary: Bool

  init(from decoder: any Decoder) throws {
    let position = try LenientObject(from: decoder)
    let (latitude, longitude) = (position.number("lat"), position.number("lon"))
    coordinate = try? Coordinate(latitude: latitude ?? .nan, longitude: longitude ?? .nan)
    isPrimary = position.flag("primary")
  }
}

/// The image of a file; author, date and license name are HTML.
private struct Image: Decodable {
  let type: String?
  let thumbnail: String?
  let page: String?
  let uploader: String?
  let author: String?
  let date: String?
  let licenseCode: String?
  let licenseName: String?
  let licenseAddress: String?

  init(from decoder: any Decoder) throws {
    let image = try LenientObject(from: decoder)
    type = image.text("mime")
    thumbnail = image.text("thumburl")
    page = image.text("descriptionurl")
    uploader = image.text("user")
    let metadata = image.object("extmetadata")
    func value(_ name: String) -> String? { metadata?.object(name)?.text("value") }
    author = value("Artist")
    date = value("DateTimeOriginal")
    licenseCode = value("License")
    licenseName = value("LicenseShortName")
    licenseAddress = value("LicenseUrl")
  }
}
