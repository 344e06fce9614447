#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension HTTPRequest {
  /// The address as it may be shown: no secret values, no user name, no password.
  package var redactedURL: String {
    let shown = assembled { $0.isSecret ? "\($0.encodedName)=***" : $0.percentEncoded }
    return (shown ?? endpoint).withoutUser.absoluteString
  }

  /// `text` with every secret of this request replaced, as it is and percent-encoded.
  package func redacted(_ text: String) -> String {
    var text = text
    for item in query where item.isSecret && !item.value.isEmpty {
      for form in [item.value, item.encodedValue] {
        text = text.split(separator: form, omittingEmptySubsequences: false)
          .joined(separator: "***")
      }
    }
    return text
  }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "GET \(redactedURL)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["url": redactedURL]) }
}
