import FlyingFox
import Foundation

extension HTTPRequest {
  /// The body is longer than it may be.
  struct BodyTooLong: Error {}

  /// The parts of the path, as they came, with `%` escapes.
  var pathNames: [Substring] { target.path().split(separator: "/") }

  /// The body, if it is no longer than so many bytes.
  ///
  /// - Throws: ``BodyTooLong`` as soon as that is known.
  func body(limit: Int) async throws -> [UInt8] {
    if let count = bodySequence.count, count > limit { throw BodyTooLong() }
    var bytes: [UInt8] = []
    for try await chunk in bodySequence {
      guard bytes.count + chunk.count <= limit else { throw BodyTooLong() }
      bytes += chunk
    }
    return bytes
  }

  /// The fields of a form.
  ///
  /// - Throws: ``BodyTooLong``.
  func form() async throws -> FormFields {
    FormFields(try await body(limit: 16 * 1_024))
  }

  /// The value of an item of the query, with a plus for a space as forms write it.
  func item(_ name: String) -> String? {
    FormFields(Array(target.query().utf8))[name]
  }

  /// Whether a script asks, which wants no redirection.
  var isFromScript: Bool { headers[HTTPHeader("X-Faketrack")] != nil }
}
