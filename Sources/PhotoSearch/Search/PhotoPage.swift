/// One page of a search's answer.
public struct PhotoPage: Hashable, Sendable {
  /// The photos in the source's order, without duplicates.
  public let photos: PhotoList
  /// Whether this is the last page.
  public var isLast: Bool

  /// Creates a page; of several photos with the same id only the first is used.
  public init(photos: some Sequence<Photo>, isLast: Bool) {
    var list = PhotoList.Builder(capacity: photos.underestimatedCount)
    for photo in photos {
      list.append(
        id: photo.id, title: photo.title, owner: photo.owner, license: photo.license,
        image: AddressText(photo.url), page: photo.page.map { AddressText($0) },
        coordinate: photo.coordinate, taken: photo.taken)
    }
    self.init(photos: list.finish(), isLast: isLast)
  }

  init(photos: PhotoList, isLast: Bool) {
    self.photos = photos
    self.isLast = isLast
  }
}

extension PhotoPage: Codable {
  private enum CodingKeys: CodingKey {
    case photos, isLast
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      photos: try values.decode([Photo].self, forKey: .photos),
      isLast: try values.decode(Bool.self, forKey: .isLast))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Array(photos), forKey: .photos)
    try values.encode(isLast, forKey: .isLast)
  }
}
