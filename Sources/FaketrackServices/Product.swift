/// The identity of this software in requests to services.
package enum Product {
  package static let name = "faketrack"
  package static let version = "1.0.0"
  package static let contact = "https://github.com/faketrack/faketrack"
  package static let application = "\(name)/\(version) (\(contact))"

  /// Returns the User-Agent in Wikimedia's format: `<client>/<version> (<contact>) <library>/<version>`.
  package static func userAgent(
    for application: String = Product.application, library: String
  ) -> String {
    "\(application) \(library)/\(version)"
  }
}
