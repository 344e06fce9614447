/// A page of a search's answer.
public struct PhotoPage: Hashable, Sendable, Codable {
  /// The photos in the source's order, none twice.
  public var photos: [Photo]
  /// Whether there are no further pages.
  public var isLast: Bool

  /// Creates a page; of photos with the same id only the first stays.
  public init(photos: [Photo], isLast: Bool) {
    var known: Set<String> = []
    self.photos = photos.filter { known.insert($0.id).inserted }
    self.isLast = isLast
  }
}
