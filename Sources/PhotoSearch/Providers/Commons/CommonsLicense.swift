#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices

/// The licenses of an answer's files, each determined once.
struct CommonsLicenses {
  private struct Key: Hashable {
    let code: String?
    let name: String?
    let address: String?
  }

  private var licenses: [Key: PhotoLicense?] = [:]

  /// The license that a file's metadata describe, if they do; name and address are HTML.
  mutating func license(code: String?, name: String?, address: String?) -> PhotoLicense? {
    let key = Key(code: code, name: name, address: address)
    if let known = licenses[key] { return known }
    let license = Self.license(key)
    licenses[key] = .some(license)
    return license
  }

  private static func license(_ key: Key) -> PhotoLicense? {
    guard let name = key.name.map(HTMLText.plain) ?? key.code, !name.isEmpty else { return nil }
    let address = key.address.map(HTMLText.plain)
      .map { $0.hasPrefix("//") ? "https:\($0)" : $0 }
    return PhotoLicense(
      name: name, url: address.flatMap { URL(string: $0) },
      terms: CommonsLicense.terms(code: key.code, name: name))
  }
}

/// The terms of Commons' licenses.
enum CommonsLicense {
  /// The terms of a license.
  ///
  /// - Parameters:
  ///   - code: the machine-readable name, such as `cc-by-sa-4.0` or `pd`.
  ///   - name: the name for people, such as `CC BY-SA 4.0` or `Public domain`.
  static func terms(code: String?, name: String) -> PhotoLicense.Terms {
    let words = [code ?? "", name].map { $0.lowercased().replacing("-", with: " ") }
    func anyHas(_ prefixes: String...) -> Bool {
      words.contains { word in prefixes.contains { word.hasPrefix($0) } }
    }
    if anyHas("cc0", "cc zero") { return .creativeCommonsZero }
    if anyHas("cc by") {
      let isNonCommercial = words.contains { " \($0) ".contains(" nc ") }
      return isNonCommercial ? .creativeCommonsNonCommercial : .creativeCommons
    }
    if anyHas("pd", "public domain", "cc pd", "no restrictions") { return .publicDomain }
    // Every other license that Commons accepts permits commercial use.
    return .otherFree
  }
}
