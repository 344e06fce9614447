/// Which licences a search accepts.
public enum LicenseFilter: String, Hashable, Sendable, Codable, CaseIterable {
  /// All photos.
  case any
  /// Any Creative Commons licence, CC0 included.
  case cc
  /// Whatever permits commercial use.
  case commercial
  /// No copyright, no known copyright, or given up.
  case publicDomain = "public-domain"

  /// Whether a photo of such terms passes.
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
