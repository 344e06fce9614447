#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Geodesy

/// A photo that a search found, with what must be said when it is shown.
///
/// Texts are as the service sent them: whoever prints them to a terminal removes control
/// characters.
public struct Photo: Hashable, Sendable, Identifiable {
  /// The service's own id; the same photo has the same id in every answer.
  public var id: String
  public var title: String
  /// The photographer's name as shown.
  public var owner: String
  /// What may be done with it, or `nil` when the service does not say.
  public var license: PhotoLicense?
  /// The image in the size that was asked for, or the next smaller one there is.
  public var url: URL
  /// The page of the photo, to which anyone who shows it links back.
  public var page: URL?
  /// Where it was taken, or `nil` when only the service knows that it was nearby.
  public var coordinate: Coordinate?
  /// When it was taken, by the clock of the place, as far as known: `2019-05-04T15:44:01`,
  /// `2019-05` or `2019`.
  public var taken: String?

  public init(
    id: String, title: String, owner: String, license: PhotoLicense? = nil, url: URL,
    page: URL? = nil, coordinate: Coordinate? = nil, taken: String? = nil
  ) {
    self.id = id
    self.title = title
    self.owner = owner
    self.license = license
    self.url = url
    self.page = page
    self.coordinate = coordinate
    self.taken = taken
  }
}
