/// How this program presents itself to services.
package enum Product {
  package static let name = "faketrack"
  package static let version = "0.1.0"
  package static let contact = "https://github.com/faketrack/faketrack"

  /// The User-Agent in the form Wikimedia asks for:
  /// `<client>/<version> (<contact>) <library>/<version>`.
  ///
  /// - Parameters:
  ///   - application: The same form's first two parts for a program other than this one.
  ///   - library: The module that asks.
  package static func userAgent(for application: String? = nil, library: String) -> String {
    "\(application ?? "\(name)/\(version) (\(contact))") \(library)/\(version)"
  }
}
