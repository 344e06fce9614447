#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What an encyclopedia says of a city. The text is CC BY-SA.
public struct CitySummary: Hashable, Sendable, Codable {
  /// The title of the article.
  public var title: String
  /// What it is about, in a few words.
  public var description: String?
  /// Its first paragraph.
  public var extract: String
  /// The article itself.
  public var url: URL?

  public init(title: String, description: String? = nil, extract: String, url: URL? = nil) {
    self.title = title
    self.description = description
    self.extract = extract
    self.url = url
  }
}
