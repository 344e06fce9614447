#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The licence of a photo.
public struct PhotoLicense: Hashable, Sendable, Codable {
  /// What a licence permits, as far as the filters tell licences apart.
  public enum Terms: String, Hashable, Sendable, Codable {
    /// Nothing without asking.
    case allRightsReserved
    /// Creative Commons with commercial use.
    case creativeCommons
    /// Creative Commons without commercial use.
    case creativeCommonsNonCommercial
    /// Creative Commons Zero: a public domain dedication.
    case creativeCommonsZero
    /// No copyright, or none known.
    case publicDomain
    /// Another free licence, commercial use included.
    case otherFree
    /// A licence that is named but not known here.
    case unknown
  }

  /// The short name, such as `CC BY 2.0`.
  public var name: String
  /// The text of the licence.
  public var url: URL?
  public var terms: Terms

  public init(name: String, url: URL? = nil, terms: Terms) {
    self.name = name
    self.url = url
    self.terms = terms
  }
}
