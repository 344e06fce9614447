#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Geodesy

extension Photo: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, title, owner, license, url, page, latitude, longitude, taken
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let latitude = try values.decodeIfPresent(Double.self, forKey: .latitude)
    let longitude = try values.decodeIfPresent(Double.self, forKey: .longitude)
    var coordinate: Coordinate?
    if let latitude, let longitude {
      coordinate = try Coordinate(latitude: latitude, longitude: longitude)
    }
    self.init(
      id: try values.decode(String.self, forKey: .id),
      title: try values.decode(String.self, forKey: .title),
      owner: try values.decode(String.self, forKey: .owner),
      license: try values.decodeIfPresent(PhotoLicense.self, forKey: .license),
      url: try values.decode(URL.self, forKey: .url),
      page: try values.decodeIfPresent(URL.self, forKey: .page),
      coordinate: coordinate,
      taken: try values.decodeIfPresent(String.self, forKey: .taken))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(title, forKey: .title)
    try values.encode(owner, forKey: .owner)
    try values.encodeIfPresent(license, forKey: .license)
    try values.encode(url, forKey: .url)
    try values.encodeIfPresent(page, forKey: .page)
    try values.encodeIfPresent(coordinate?.latitude, forKey: .latitude)
    try values.encodeIfPresent(coordinate?.longitude, forKey: .longitude)
    try values.encodeIfPresent(taken, forKey: .taken)
  }
}
