/// One page of a search's answer.
public struct PhotoPage: Hashable, Sendable, Codable {
  /// The photos in the source's order, without duplicates.
  public let photos: [Photo]
  /// Whether this is the last page.
  public var isLast: Bool

  /// Creates a page; of several photos with the same id only the first is used.
  public init(photos: some Sequence<Photo>, isLast: Bool) {
    var ids: Set<String> = []
    self.photos = photos.filter { ids.insert($0.id).inserted }
    self.isLast = isLast
  }
}
