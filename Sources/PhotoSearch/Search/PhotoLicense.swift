#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The license of a photo.
public struct PhotoLicense: Hashable, Sendable, Codable {
  /// The terms of a license, as far as the filters distinguish them.
  public enum Terms: String, Hashable, Sendable, Codable {
    /// Use requires the owner's consent.
    case allRightsReserved
    /// Creative Commons, commercial use permitted.
    case creativeCommons
    /// Creative Commons, commercial use not permitted.
    case creativeCommonsNonCommercial
    /// Creative Commons Zero, a public domain dedication.
    case creativeCommonsZero
    /// No copyright, or none known.
    case publicDomain
    /// Any other free license, commercial use permitted.
    case otherFree
    /// A license whose terms are not known here.
    case unknown
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

/// The licenses that a search accepts.
public enum LicenseFilter: String, Hashable, Sendable, Codable, CaseIterable {
  /// All photos.
  case any
  /// Any Creative Commons license, CC0 included.
  case cc
  /// Every license that permits commercial use.
  case commercial
  /// No copyright, no known copyright, or copyright waived.
  case publicDomain = "public-domain"

  /// Whether the filter accepts a license with these terms.
  public func accepts(_ terms: PhotoLicense.Terms) -> Bool {
    switch self {
    case .any: true
    case .cc:
      [.creativeCommons, .creativeCommonsNonCommercial, .creativeCommonsZero].contains(terms)
    case .commercial:
      [.creativeCommons, .creativeCommonsZero, .publicDomain, .otherFree].contains(terms)
    case .publicDomain: [.creativeCommonsZero, .publicDomain].contains(terms)
    }
  }
}
