import FaketrackServices
import Geodesy

/// One photo of Flickr's answer, of which nothing but its places in the JSON is known yet.
struct FlickrHit {
  private var id: JSONScalar?
  private var title: JSONScalar?
  private var owner: JSONScalar?
  private var ownerName: JSONScalar?
  private var license: JSONScalar?
  private var server: JSONScalar?
  private var secret: JSONScalar?
  private var latitude: JSONScalar?
  private var longitude: JSONScalar?
  private var taken: JSONScalar?
  private var granularity: JSONScalar?
  private var isTakenUnknown: JSONScalar?
  private var exactLink: JSONScalar?
  /// The links to smaller images, the largest first.
  private var smallerLinks: [JSONScalar?]

  /// - Returns: `nil` if the next value of the JSON is no hit.
  init?(from json: inout JSONReader, for fields: Fields) throws {
    smallerLinks = fields.noLinks
    guard try json.beginObject() else { return nil }
    while let field = try json.nextMember(among: fields.names) {
      let value = try json.scalar()
      switch field {
      case .id: id = value
      case .title: title = value
      case .owner: owner = value
      case .ownerName: ownerName = value
      case .license: license = value
      case .server: server = value
      case .secret: secret = value
      case .latitude: latitude = value
      case .longitude: longitude = value
      case .taken: taken = value
      case .granularity: granularity = value
      case .isTakenUnknown: isTakenUnknown = value
      case .exactLink: exactLink = value
      case .smallerLink(let number): smallerLinks[number] = value
      }
    }
  }

  enum Field {
    case id, title, owner, ownerName, license, server, secret, latitude, longitude
    case taken, granularity, isTakenUnknown, exactLink, smallerLink(Int)
  }

  /// The fields of a hit that are needed for images of a size.
  struct Fields {
    let names: JSONNames<Field>
    fileprivate let noLinks: [JSONScalar?]

    init(for size: PhotoSize) {
      let smaller = FlickrLinks.smaller(than: size)
      names = JSONNames(
        [
          ("id", .id), ("title", .title), ("owner", .owner), ("ownername", .ownerName),
          ("license", .license), ("server", .server), ("secret", .secret),
          ("latitude", .latitude), ("longitude", .longitude), ("datetaken", .taken),
          ("datetakengranularity", .granularity), ("datetakenunknown", .isTakenUnknown),
          (FlickrLinks.extra(for: size), .exactLink),
        ] + smaller.enumerated().map { ($0.element, .smallerLink($0.offset)) })
      noLinks = Array(repeating: nil, count: smaller.count)
    }
  }
}

extension FlickrHit {
  /// Adds the photo, unless the hit lacks what the image's address is made of or its license is
  /// not accepted.
  func add(
    to photos: inout PhotoList.Builder, from json: JSONReader, for query: PhotoQuery,
    links: FlickrLinks
  ) {
    guard let id = json.filledText(id), let image = image(id: id, size: query.size, from: json)
    else { return }
    let license = json.filledText(license).flatMap(FlickrLicense.license(id:))
    // If a hit names no license, Flickr's own filter is trusted.
    guard license.map({ query.license.accepts($0.terms) }) ?? true else { return }
    let owner = json.filledText(owner)
    photos.append(
      id: id,
      title: json.filledText(title) ?? "",
      owner: json.filledText(ownerName) ?? owner ?? "",
      license: license,
      image: image,
      page: owner.flatMap { links.page(owner: $0, id: id) },
      coordinate: coordinate(from: json),
      taken: date(from: json))
  }

  private func image(id: String, size: PhotoSize, from json: JSONReader) -> AddressText? {
    func link(_ value: JSONScalar?) -> AddressText? {
      json.filledText(value).flatMap { AddressText(web: $0) }
    }
    if let exact = link(exactLink) { return exact }
    // The link to the smallest one is there whenever links were sent at all: then a missing size
    // does not exist.
    if let smallest = smallerLinks.last, json.filledText(smallest) != nil,
      let smaller = smallerLinks.lazy.compactMap(link).first
    {
      return smaller
    }
    guard let server = json.filledText(server), let secret = json.filledText(secret) else {
      return nil
    }
    return FlickrLinks.image(server: server, id: id, secret: secret, size: size)
  }

  /// Where it was taken. Flickr sends the number 0 for both values of a photo without a position.
  private func coordinate(from json: JSONReader) -> Coordinate? {
    guard let latitude = json.double(latitude), let longitude = json.double(longitude),
      latitude != 0 || longitude != 0
    else { return nil }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }

  /// The date to its granularity: 4 stands for the month, 6 for the year, 8 for about the year.
  private func date(from json: JSONReader) -> PhotoDate? {
    guard let taken = json.filledText(taken), json.filledText(isTakenUnknown) != "1",
      let date = PhotoDate(taken)
    else {
      return nil
    }
    return switch json.integer(granularity) ?? 0 {
    case 4: date.toTheMonth
    case 6, 8: date.toTheYear
    default: date
    }
  }
}

extension JSONReader {
  /// The text of a string or a number, unless it is empty.
  fileprivate func filledText(_ scalar: JSONScalar?) -> String? {
    text(scalar).flatMap { $0.isEmpty ? nil : $0 }
  }
}
