#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What an answer says about being kept by the one who asked.
///
/// `Expires` and guesses from `Last-Modified` are left out: an answer without `max-age` is asked
/// for again each time, which costs no more than a 304. Source: RFC 9111.
struct CacheControl: Hashable {
  /// Whether the answer may be kept at all.
  let allowsKeeping: Bool
  /// Seconds from now in which it may be used without asking.
  let lifetime: Int
  /// Whether it may be used after that when the service fails.
  let allowsStaleUse: Bool

  init(_ response: HTTPResponse) {
    let directives = (response.header("Cache-Control") ?? "").lowercased().split(separator: ",")
      .map { $0.split(separator: "=", maxSplits: 1).map(Self.trimmed) }
    let names = Set(directives.compactMap(\.first))
    let ages = directives.filter { $0.first == "max-age" }.map { Int($0.last ?? "") ?? 0 }
    let age = response.header("Age").flatMap { Int(Self.trimmed($0[...])) } ?? 0
    let isToBeChecked = names.contains("no-cache")
    allowsKeeping = response.status == 200 && !names.contains("no-store")
    allowsStaleUse = !isToBeChecked && !names.contains("must-revalidate")
    lifetime =
      isToBeChecked ? 0 : max(0, min(ages.min() ?? 0, Self.longestLifetime) - max(0, age))
  }

  private static func trimmed(_ text: Substring) -> String {
    let isInner = { (character: Character) in !character.isWhitespace && character != "\"" }
    guard let first = text.firstIndex(where: isInner), let last = text.lastIndex(where: isInner)
    else { return "" }
    return String(text[first...last])
  }

  /// A year, the most that means anything.
  private static let longestLifetime = 31_536_000
}

extension KeptDocument {
  /// The document of an answer, or `nil` when it is not to be kept.
  init?(_ response: HTTPResponse, now: Date) {
    let control = CacheControl(response)
    guard control.allowsKeeping else { return nil }
    self.init(
      body: response.body, entityTag: response.header("ETag"),
      lastModified: response.header("Last-Modified"),
      freshUntil: now.addingTimeInterval(Double(control.lifetime)),
      mayBeUsedStale: control.allowsStaleUse)
  }

  /// Takes in a 304, which says that the document is still the same.
  func confirmed(by response: HTTPResponse, now: Date) -> KeptDocument {
    let control = CacheControl(response)
    return KeptDocument(
      body: body, entityTag: response.header("ETag") ?? entityTag,
      lastModified: response.header("Last-Modified") ?? lastModified,
      freshUntil: now.addingTimeInterval(Double(control.lifetime)),
      mayBeUsedStale: mayBeUsedStale && control.allowsStaleUse)
  }
}
