import Foundation

/// Where things lie in the checkout that the tests were built from.
package enum Repository {
  /// The root of the checkout.
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The two-hour walk through Potsdam.
  package static let walk = root.appendingPathComponent("faketrack.gpx")
}
