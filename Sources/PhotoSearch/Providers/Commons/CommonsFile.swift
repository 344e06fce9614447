import Geodesy

/// One file of Commons' answer, possibly with only some of its properties.
struct CommonsFile: Sendable {
  /// The metadata fields that a photo is made from.
  static let metadataFields = [
    "Artist", "DateTimeOriginal", "License", "LicenseShortName", "LicenseUrl",
  ]

  let pageID: Int
  let title: String
  /// The rank among the hits, which are sent in the order of their page ids.
  let index: Int?
  private var coordinate: Coordinate?
  private var image: Image?

  /// - Returns: `nil` if the next value of the JSON is no file.
  init?(from json: inout JSONReader) throws {
    var (pageID, title, index): (Int?, String?, Int?)
    guard try json.beginObject() else { return nil }
    while let field = try json.nextMember(among: Self.names) {
      switch field {
      case .pageID: pageID = json.integer(try json.scalar())
      case .title: title = json.text(try json.scalar())
      case .index: index = json.integer(try json.scalar())
      case .coordinates: coordinate = try Self.coordinate(from: &json)
      case .images: image = try Image.first(from: &json)
      }
    }
    guard let pageID, let title else { return nil }
    (self.pageID, self.title, self.index) = (pageID, title, index)
  }

  /// The same file with the properties that only `other` has.
  func merged(with other: CommonsFile) -> CommonsFile {
    var file = self
    file.coordinate = coordinate ?? other.coordinate
    file.image = image ?? other.image
    return file
  }

  /// Adds the photo, except for sounds, films, documents, files without a thumbnail, and those whose
  /// license is not accepted.
  func add(
    to photos: inout PhotoList.Builder, accepting filter: LicenseFilter,
    licenses: inout CommonsLicenses
  ) {
    guard let image, image.type?.hasPrefix("image/") == true,
      let address = image.thumbnail.flatMap({ AddressText($0) })
    else { return }
    let license = licenses.license(
      code: image.licenseCode, name: image.licenseName, address: image.licenseAddress)
    guard filter == .any || filter.accepts(license?.terms ?? .unknown) else { return }
    let author = image.author.map(HTMLText.plain).flatMap { $0.isEmpty ? nil : $0 }
    photos.append(
      id: "\(pageID)",
      title: displayTitle,
      owner: author ?? image.uploader ?? "",
      license: license,
      image: address,
      page: image.page.flatMap { AddressText($0) },
      coordinate: coordinate,
      taken: image.date.map(HTMLText.plain).flatMap { PhotoDate($0) })
  }

  /// `File:Neuer Garten.jpg` as `Neuer Garten`.
  private var displayTitle: String {
    let colon = title.utf8.firstIndex(of: UInt8(ascii: ":"))
    let name = colon.map { title[title.utf8.index(after: $0)...] } ?? title[...]
    let end = name.utf8.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    return String(end == name.startIndex ? name : name[..<end])
  }

  private enum Field { case pageID, title, index, coordinates, images }

  private static let names: JSONNames<Field> = [
    "pageid": .pageID, "title": .title, "index": .index, "coordinates": .coordinates,
    "imageinfo": .images,
  ]
}

extension CommonsFile {
  private enum PositionField { case latitude, longitude, isPrimary }

  private static let positionNames: JSONNames<PositionField> = [
    "lat": .latitude, "lon": .longitude, "primary": .isPrimary,
  ]

  /// Reads a list of positions.
  ///
  /// - Returns: the primary one, otherwise the first.
  private static func coordinate(from json: inout JSONReader) throws -> Coordinate? {
    var (first, primary): (Coordinate??, Coordinate??)
    guard try json.beginArray() else { return nil }
    while try json.nextElement() {
      var (latitude, longitude, isPrimary): (Double?, Double?, JSONScalar?)
      guard try json.beginObject() else { continue }
      while let field = try json.nextMember(among: positionNames) {
        switch field {
        case .latitude: latitude = json.double(try json.scalar())
        case .longitude: longitude = json.double(try json.scalar())
        case .isPrimary: isPrimary = try json.scalar()
        }
      }
      var coordinate: Coordinate?
      if let latitude, let longitude {
        coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
      }
      first = first ?? .some(coordinate)
      // It is `true` in the format's second version, and an empty string in its first.
      if let isPrimary, isPrimary.kind != .false, isPrimary.kind != .null {
        primary = primary ?? .some(coordinate)
      }
    }
    return (primary ?? first) ?? nil
  }

  /// What is known of a file's image.
  private struct Image: Sendable {
    var type: String?
    var thumbnail: String?
    var page: String?
    var uploader: String?
    /// The author as HTML, and so on.
    var author: String?
    var date: String?
    var licenseCode: String?
    var licenseName: String?
    var licenseAddress: String?

    /// Reads a list of images.
    ///
    /// - Returns: the first one.
    static func first(from json: inout JSONReader) throws -> Image? {
      var first: Image?
      guard try json.beginArray() else { return nil }
      while try json.nextElement() {
        let image = try Image(from: &json)
        first = first ?? image
      }
      return first
    }

    private init?(from json: inout JSONReader) throws {
      guard try json.beginObject() else { return nil }
      while let field = try json.nextMember(among: Self.names) {
        if field == .metadata {
          try readMetadata(from: &json)
        } else {
          set(field, to: json.text(try json.scalar()))
        }
      }
    }

    /// Reads the metadata, in which each field is an object with a value.
    private mutating func readMetadata(from json: inout JSONReader) throws {
      guard try json.beginObject() else { return }
      while let field = try json.nextMember(among: Self.metadataNames) {
        guard try json.beginObject() else { continue }
        while try json.nextMember(among: Self.valueNames) != nil {
          set(field, to: json.text(try json.scalar()))
        }
      }
    }

    private mutating func set(_ field: Field, to text: String?) {
      switch field {
      case .type: type = text
      case .thumbnail: thumbnail = text
      case .page: page = text
      case .uploader: uploader = text
      case .author: author = text
      case .date: date = text
      case .licenseCode: licenseCode = text
      case .licenseName: licenseName = text
      case .licenseAddress: licenseAddress = text
      case .metadata: break
      }
    }

    private enum Field {
      case type, thumbnail, page, uploader, metadata
      case author, date, licenseCode, licenseName, licenseAddress
    }

    private static let names: JSONNames<Field> = [
      "mime": .type, "thumburl": .thumbnail, "descriptionurl": .page, "user": .uploader,
      "extmetadata": .metadata,
    ]
    /// Those that ``CommonsFile/metadataFields`` asks for.
    private static let metadataNames: JSONNames<Field> = [
      "Artist": .author, "DateTimeOriginal": .date, "License": .licenseCode,
      "LicenseShortName": .licenseName, "LicenseUrl": .licenseAddress,
    ]
    private static let valueNames: JSONNames<Void> = ["value": ()]
  }
}
