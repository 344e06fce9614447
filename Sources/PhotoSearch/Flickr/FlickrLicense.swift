#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Flickr's numbers for licences.
enum FlickrLicense {
  private static let creativeCommons = "https://creativecommons.org/"
  private static let all: [(id: Int, name: String, link: String, terms: PhotoLicense.Terms)] = [
    (0, "All Rights Reserved", "", .allRightsReserved),
    (
      1, "CC BY-NC-SA 2.0", creativeCommons + "licenses/by-nc-sa/2.0/",
      .creativeCommonsNonCommercial
    ),
    (2, "CC BY-NC 2.0", creativeCommons + "licenses/by-nc/2.0/", .creativeCommonsNonCommercial),
    (
      3, "CC BY-NC-ND 2.0", creativeCommons + "licenses/by-nc-nd/2.0/",
      .creativeCommonsNonCommercial
    ),
    (4, "CC BY 2.0", creativeCommons + "licenses/by/2.0/", .creativeCommons),
    (5, "CC BY-SA 2.0", creativeCommons + "licenses/by-sa/2.0/", .creativeCommons),
    (6, "CC BY-ND 2.0", creativeCommons + "licenses/by-nd/2.0/", .creativeCommons),
    (7, "No known copyright restrictions", "https://www.flickr.com/commons/usage/", .publicDomain),
    (8, "United States Government Work", "https://www.usa.gov/government-copyright", .publicDomain),
    (9, "CC0 1.0", creativeCommons + "publicdomain/zero/1.0/", .creativeCommonsZero),
    (10, "Public Domain Mark 1.0", creativeCommons + "publicdomain/mark/1.0/", .publicDomain),
    (11, "CC BY 4.0", creativeCommons + "licenses/by/4.0/", .creativeCommons),
    (12, "CC BY-SA 4.0", creativeCommons + "licenses/by-sa/4.0/", .creativeCommons),
    (13, "CC BY-ND 4.0", creativeCommons + "licenses/by-nd/4.0/", .creativeCommons),
    (14, "CC BY-NC 4.0", creativeCommons + "licenses/by-nc/4.0/", .creativeCommonsNonCommercial),
    (
      15, "CC BY-NC-SA 4.0", creativeCommons + "licenses/by-nc-sa/4.0/",
      .creativeCommonsNonCommercial
    ),
    (
      16, "CC BY-NC-ND 4.0", creativeCommons + "licenses/by-nc-nd/4.0/",
      .creativeCommonsNonCommercial
    ),
  ]

  /// The numbers a filter accepts, as a search takes them; `nil` for all.
  static func ids(for filter: LicenseFilter) -> String? {
    guard filter != .any else { return nil }
    return all.filter { filter.accepts($0.terms) }.map { "\($0.id)" }.joined(separator: ",")
  }

  /// The licence of that number; one that came later is named by its number.
  static func license(id: String) -> PhotoLicense? {
    guard let number = Int(id) else { return nil }
    return byNumber[number] ?? PhotoLicense(name: "Flickr licence \(number)", terms: .unknown)
  }

  private static let byNumber: [Int: PhotoLicense] = Dictionary(
    uniqueKeysWithValues: all.map { entry in
      let url = entry.link.isEmpty ? nil : URL(string: entry.link)
      return (entry.id, PhotoLicense(name: entry.name, url: url, terms: entry.terms))
    })
}
