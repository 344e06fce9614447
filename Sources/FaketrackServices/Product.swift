/// The identity of this software in requests to services.
package enum Product {
  package static let name = "faketrack"
  package static let version = "0.1.0"
  package static let contact = "https://github.com/faketrack/faketrack"
  /// The part of the User-Agent that identifies the executable.
  package static let application = "\(name)/\(version) (\(contact))"

  /// Returns the User-Agent in Wikimedia's format: `<client>/<version> (<contact>) <library>/<version>`.
  ///
  /// - Parameters:
  ///   - application: The first two parts; by default those of the executable.
  ///   - library: The module that makes the call.
  package static func userAgent(
    for application: String = Product.application, library: String
  ) -> String {
    "\(application) \(library)/\(version)"
  }
}
