import Foundation
import Geodesy

/// A photo with everything that has to be shown along with it.
///
/// Texts are as the service sent them: remove control characters before printing them to a
/// terminal.
public struct Photo: Hashable, Sendable, Identifiable {
  /// The service's own identifier, which is the same in every answer.
  public var id: String
  /// The title; empty if the photo has none.
  public var title: String
  /// The photographer's name, as it should be shown.
  public var owner: String
  /// The license, or `nil` if the service does not name one.
  public var license: PhotoLicense?
  /// The image, in the requested size or a size near it that the service has.
  public var imageURL: URL
  /// The photo's page; an app that shows the photo must link to it.
  public var pageURL: URL?
  /// The position, or `nil` if the service only says that the photo is nearby.
  public var coordinate: Coordinate?
  /// The date, as precisely as it is known.
  public var taken: PhotoDate?
  /// The name of the source, such as `flickr`; `nil` for a source without a name.
  public var source: String?

  /// Creates a photo; what is left out is not known.
  public init(
    id: String, title: String, owner: String, license: PhotoLicense? = nil, imageURL: URL,
    pageURL: URL? = nil, coordinate: Coordinate? = nil, taken: PhotoDate? = nil,
    source: String? = nil
  ) {
    self.id = id
    self.title = title
    self.owner = owner
    self.license = license
    self.imageURL = imageURL
    self.pageURL = pageURL
    self.coordinate = coordinate
    self.taken = taken
    self.source = source
  }
}

extension Photo: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, title, owner, license, imageURL = "url", pageURL = "page", latitude, longitude, taken,
      source
  }

  /// Decodes a photo; a date that is not one is left out, anything else invalid is an error.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let latitude = try values.decodeIfPresent(Double.self, forKey: .latitude)
    let longitude = try values.decodeIfPresent(Double.self, forKey: .longitude)
    if let latitude, let longitude {
      coordinate = try Coordinate(latitude: latitude, longitude: longitude)
    }
    id = try values.decode(String.self, forKey: .id)
    title = try values.decode(String.self, forKey: .title)
    owner = try values.decode(String.self, forKey: .owner)
    license = try values.decodeIfPresent(PhotoLicense.self, forKey: .license)
    imageURL = try values.decode(URL.self, forKey: .imageURL)
    pageURL = try values.decodeIfPresent(URL.self, forKey: .pageURL)
    taken = try values.decodeIfPresent(String.self, forKey: .taken).flatMap { PhotoDate($0) }
    source = try values.decodeIfPresent(String.self, forKey: .source)
  }

  /// Encodes the photo as one flat object; properties that are `nil` are left out.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(title, forKey: .title)
    try values.encode(owner, forKey: .owner)
    try values.encodeIfPresent(license, forKey: .license)
    try values.encode(imageURL, forKey: .imageURL)
    try values.encodeIfPresent(pageURL, forKey: .pageURL)
    try values.encodeIfPresent(coordinate?.latitude, forKey: .latitude)
    try values.encodeIfPresent(coordinate?.longitude, forKey: .longitude)
    try values.encodeIfPresent(taken?.description, forKey: .taken)
    try values.encodeIfPresent(source, forKey: .source)
  }
}

/// The license of a photo.
public struct PhotoLicense: Hashable, Sendable, Codable {
  /// The terms of a license, as far as the filters distinguish them. A later version may know more.
  public struct Terms: RawRepresentable, Hashable, Sendable, Codable {
    /// The name of the terms.
    public let rawValue: String

    /// Creates terms by their name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Use requires the owner's consent.
    public static let allRightsReserved = Self(rawValue: "allRightsReserved")
    /// Creative Commons, commercial use permitted.
    public static let creativeCommons = Self(rawValue: "creativeCommons")
    /// Creative Commons, commercial use not permitted.
    public static let creativeCommonsNonCommercial = Self(rawValue: "creativeCommonsNonCommercial")
    /// Creative Commons Zero, a public domain dedication.
    public static let creativeCommonsZero = Self(rawValue: "creativeCommonsZero")
    /// No copyright, or none known.
    public static let publicDomain = Self(rawValue: "publicDomain")
    /// Any other free license, commercial use permitted.
    public static let otherFree = Self(rawValue: "otherFree")
    /// A license whose terms are not known here.
    public static let unknown = Self(rawValue: "unknown")
  }

  /// The short name, such as `CC BY 2.0`.
  public var name: String
  /// The text of the license.
  public var url: URL?
  /// The terms.
  public var terms: Terms

  /// Creates a license.
  public init(name: String, url: URL? = nil, terms: Terms) {
    self.name = name
    self.url = url
    self.terms = terms
  }
}

/// One page of a search's answer.
public struct PhotoPage: Hashable, Sendable, Codable {
  /// The photos in the source's order, without duplicates.
  public private(set) var photos: [Photo]
  /// Whether this is the last page.
  public var isLast: Bool
  /// The position in the source at which the next page begins, if the source needs it.
  var next: [String: String]?

  /// Creates a page; of several photos with the same id only the first is used.
  public init(photos: some Sequence<Photo>, isLast: Bool) {
    var ids: Set<String> = []
    self.photos = photos.filter { ids.insert($0.id).inserted }
    self.isLast = isLast
  }

  /// Names the source of all photos.
  mutating func setSource(_ name: String) {
    for index in photos.indices { photos[index].source = name }
  }
}
