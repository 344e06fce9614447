#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices
import Geodesy

/// One part of Commons' answer. A search may take several until all files are complete.
struct CommonsAnswer: Sendable {
  let files: [CommonsFile]
  /// What to send to get the next part, or `nil` after the last one.
  let next: [String: String]?
  /// Whether the files so far are complete, so that the next part holds other files.
  let isBatchComplete: Bool

  /// Reads a part.
  ///
  /// - Throws: ``ServiceFault`` for a failure, which Commons reports with status 200; another error
  ///   for anything that is not an answer.
  init(json: Data) throws {
    let envelope = try JSONDecoder().decode(Envelope.self, from: json)
    if let error = envelope.error {
      throw Self.fault(code: error.code?.text ?? "none", message: error.info?.text ?? "")
    }
    guard envelope.query != nil || envelope.batchcomplete != nil || envelope.next != nil else {
      throw ServiceFault.broken("an answer without files")
    }
    files = envelope.query?.pages.compactMap(\.value) ?? []
    isBatchComplete = envelope.batchcomplete != nil
    next = envelope.next?.compactMapValues(\.text)
  }

  private static func fault(code: String, message: String) -> ServiceFault {
    let temporary = ["ratelimited", "maxlag", "readonly", "timeout", "http-", "internal_api_error"]
    return temporary.contains(where: code.lowercased().hasPrefix)
      ? .unavailable(code: code, message: message) : .refused(code: code, message: message)
  }

  private struct Envelope: Decodable {
    let error: Failure?
    let query: Query?
    /// `true` in the format's second version, an empty string in its first.
    let batchcomplete: LooseJSON?
    let next: [String: LooseJSON]?

    enum CodingKeys: String, CodingKey {
      case error, query, batchcomplete
      case next = "continue"
    }
  }

  private struct Failure: Decodable {
    let code: LooseJSON?
    let info: LooseJSON?
  }

  private struct Query: Decodable {
    let pages: [OptionalJSON<CommonsFile>]
  }
}

/// The files of one page of hits, merged from the parts of the answer.
struct CommonsPages {
  private var files: [Int: CommonsFile] = [:]
  private var order: [Int] = []

  mutating func merge(_ answer: CommonsAnswer) {
    for file in answer.files {
      if files[file.pageid] == nil { order.append(file.pageid) }
      files[file.pageid] = files[file.pageid]?.merged(with: file) ?? file
    }
  }

  /// The photos in the service's order.
  func page(for query: PhotoQuery, isLast: Bool) -> PhotoPage {
    let photos = order.compactMap { files[$0] }
      .sorted { ($0.index ?? .max) < ($1.index ?? .max) }
      .compactMap(\.photo)
      .filter { query.license == .any || query.license.accepts($0.license?.terms ?? .unknown) }
    return PhotoPage(photos: photos, isLast: isLast)
  }
}

/// One file of Commons' answer, possibly with only some of its properties.
struct CommonsFile: Decodable, Sendable {
  /// The metadata fields that ``photo`` is made from.
  static let metadataFields = [
    "Artist", "DateTimeOriginal", "License", "LicenseShortName", "LicenseUrl",
  ]

  let pageid: Int
  let title: String
  /// The rank among the hits, which are sent in the order of their page ids.
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

  /// The photo, or `nil` for sounds, films, documents and files without a thumbnail.
  var photo: Photo? {
    guard let image = imageinfo?.first, image.mime?.hasPrefix("image/") == true,
      let url = image.thumburl.flatMap({ URL(string: $0) })
    else { return nil }
    let author = image.metadata("Artist").map(HTMLText.plain).flatMap { $0.isEmpty ? nil : $0 }
    return Photo(
      id: "\(pageid)",
      title: displayTitle,
      owner: author ?? image.user ?? "",
      license: license(of: image),
      url: url,
      page: image.descriptionurl.flatMap { URL(string: $0) },
      coordinate: coordinate,
      taken: image.metadata("DateTimeOriginal").map(HTMLText.plain)
        .flatMap { PhotoDate($0) })
  }

  /// `File:Neuer Garten.jpg` as `Neuer Garten`.
  private var displayTitle: String {
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
    let lat: LooseJSON?
    let lon: LooseJSON?
    let primary: Flag?
  }

  private struct Image: Decodable, Sendable {
    let mime: String?
    let thumburl: String?
    let descriptionurl: String?
    let user: String?
    private let extmetadata: OptionalJSON<[String: OptionalJSON<Entry>]>?

    func metadata(_ field: String) -> String? {
      extmetadata?.value?[field]?.value?.value.text
    }

    private struct Entry: Decodable, Sendable {
      let value: LooseJSON
    }
  }

  /// A flag: `true` in the format's second version, an empty string in its first.
  private struct Flag: Decodable, Sendable {
    let isSet: Bool

    init(from decoder: any Decoder) throws {
      isSet = (try? decoder.singleValueContainer().decode(Bool.self)) ?? true
    }
  }
}

/// What Commons' names for licenses stand for.
enum CommonsLicense {
  /// The terms of a license.
  ///
  /// - Parameters:
  ///   - code: the machine-readable name, such as `cc-by-sa-4.0` or `pd`.
  ///   - name: the name for people, such as `CC BY-SA 4.0` or `Public domain`.
  static func terms(code: String?, name: String) -> PhotoLicense.Terms {
    let words = [code ?? "", name].map { $0.lowercased().replacing("-", with: " ") }
    func anyHas(_ prefixes: String...) -> Bool {
      words.contains { word in prefixes.contains { word.hasPrefix($0) } }
    }
    if anyHas("cc0", "cc zero") { return .creativeCommonsZero }
    if anyHas("cc by") {
      let isNonCommercial = words.contains { " \($0) ".contains(" nc ") }
      return isNonCommercial ? .creativeCommonsNonCommercial : .creativeCommons
    }
    if anyHas("pd", "public domain", "cc pd", "no restrictions") { return .publicDomain }
    // Every other license that Commons accepts permits commercial use.
    return .otherFree
  }
}
