import FaketrackServices
import Foundation
import Geodesy

/// One part of Commons' answer. A search may take several until all files are complete.
struct CommonsAnswer {
  let files: [CommonsFile]
  /// The items to send to get the next part, or `nil` after the last one.
  let next: [String: String]?
  /// Whether the files so far are complete, so that the next part holds other files.
  let isBatchComplete: Bool

  /// - Throws: `AttemptFailure` for a failure, which Commons reports with status 200, and for JSON
  ///   without files; `DecodingError` for anything else.
  init(json data: Data) throws {
    let answer = try JSONDecoder().decode(LenientObject.self, from: data)
    if let error = answer.object("error") {
      throw Self.failure(code: error.text("code") ?? "none", message: error.text("info") ?? "")
    }
    let found = answer.object("query")?.objects("pages")
    // Files share licenses, so each is determined once.
    var licenses: [[String?]: PhotoLicense?] = [:]
    files = (found ?? []).compactMap { $0.flatMap { CommonsFile($0, licenses: &licenses) } }
    next = answer.object("continue").map { position in
      position.names.reduce(into: [:]) { $0[$1] = position.text($1) }
    }
    isBatchComplete = answer.flag("batchcomplete")
    guard found != nil || isBatchComplete || next != nil else {
      throw AttemptFailure(.brokenAnswer, "unexpected JSON: an object without files")
    }
  }

  private static func failure(code: String, message: String) -> AttemptFailure {
    let temporary = ["ratelimited", "maxlag", "readonly", "timeout", "http-", "internal_api_error"]
    return AttemptFailure(
      .refused(code: code), message,
      isRetryable: temporary.contains(where: code.lowercased().hasPrefix))
  }
}

/// One file of Commons' answer, possibly with only some of its properties.
struct CommonsFile: Sendable {
  static let metadataFields = ["Artist", "DateTimeOriginal"] + licenseFields
  private static let licenseFields = ["License", "LicenseShortName", "LicenseUrl"]

  let pageID: Int
  /// The rank among the hits, which are sent in the order of their page ids.
  let index: Int?
  fileprivate var coordinate: Coordinate?
  /// The photo without its position; `nil` for sounds, films, documents and files without a
  /// thumbnail.
  fileprivate var photo: Photo?

  fileprivate init?(_ file: LenientObject, licenses: inout [[String?]: PhotoLicense?]) {
    guard let pageID = file.integer("pageid"), let title = file.text("title") else { return nil }
    self.pageID = pageID
    index = file.integer("index")
    let positions = file.objects("coordinates")?.compactMap(\.self) ?? []
    if let position = positions.first(where: { $0.flag("primary") }) ?? positions.first {
      coordinate = try? Coordinate(
        latitude: position.number("lat") ?? .nan, longitude: position.number("lon") ?? .nan)
    }
    guard let image = file.objects("imageinfo")?.lazy.compactMap(\.self).first,
      image.text("mime")?.hasPrefix("image/") == true,
      let thumbnail = image.text("thumburl").flatMap({ URL(webAddress: $0) })
    else { return }
    let metadata = image.object("extmetadata")
    func value(_ name: String) -> String? { metadata?.object(name)?.text("value") }
    let terms = Self.licenseFields.map(value)
    let license = licenses[terms] ?? CommonsLicense.license(terms[0], terms[1], terms[2])
    licenses[terms] = .some(license)
    let author = value("Artist").map(HTMLText.plain).flatMap { $0.isEmpty ? nil : $0 }
    photo = Photo(
      id: "\(pageID)", title: Self.displayed(title), owner: author ?? image.text("user") ?? "",
      license: license, imageURL: thumbnail,
      pageURL: image.text("descriptionurl").flatMap { URL(string: $0) },
      taken: value("DateTimeOriginal").map(HTMLText.plain).flatMap { PhotoDate($0) })
  }

  /// `File:Neuer Garten.jpg` as `Neuer Garten`.
  private static func displayed(_ title: String) -> String {
    let colon = title.utf8.firstIndex(of: UInt8(ascii: ":"))
    let name = colon.map { title[title.utf8.index(after: $0)...] } ?? title[...]
    let end = name.utf8.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    return String(end == name.startIndex ? name : name[..<end])
  }
}

/// The files of one page of hits, merged from the parts of the answer.
struct CommonsPages {
  private var files: [Int: CommonsFile] = [:]

  mutating func merge(_ answer: CommonsAnswer) {
    for file in answer.files {
      var merged = files[file.pageID] ?? file
      merged.coordinate = merged.coordinate ?? file.coordinate
      merged.photo = merged.photo ?? file.photo
      files[file.pageID] = merged
    }
  }

  /// The photos whose license is accepted, in the service's order.
  func page(for query: PhotoQuery, isLast: Bool) -> PhotoPage {
    let photos = files.values
      .sorted { ($0.index ?? .max, $0.pageID) < ($1.index ?? .max, $1.pageID) }
      .compactMap { file in
        var photo = file.photo
        photo?.coordinate = file.coordinate
        return photo
      }
      .filter { query.license == .any || query.license.accepts($0.license?.terms ?? .unknown) }
    return PhotoPage(photos: photos, isLast: isLast)
  }
}

/// Commons' licenses.
enum CommonsLicense {
  /// The license that a file's metadata describe, if they do; name and address are HTML.
  static func license(_ code: String?, _ name: String?, _ address: String?) -> PhotoLicense? {
    guard let name = name.map(HTMLText.plain) ?? code, !name.isEmpty else { return nil }
    let address = address.map(HTMLText.plain).map { $0.hasPrefix("//") ? "https:\($0)" : $0 }
    return PhotoLicense(
      name: name, url: address.flatMap { URL(string: $0) }, terms: terms(code: code, name: name))
  }

  /// The terms of a license, by its code, such as `cc-by-sa-4.0`, and its name, such as `GFDL`.
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
