/// What a ``PhotoPicker`` did so far.
package struct PhotoCounts: Hashable, Sendable {
  /// Locations that were picked for.
  package var locations = 0
  /// Searches those asked for: one each, and one for every further page.
  package var searches = 0
  /// Searches that a service was asked for.
  package var calls = 0
  /// Locations that got a photo.
  package var found = 0
  /// Locations that got a photo which had been shown before.
  package var repeated = 0
  /// Locations whose search failed for good.
  package var failed = 0
  /// Whether the service does not know the key, so that no further search is made.
  package var isKeyRejected = false
  /// Whether too many searches in a row failed, so that no further one is made.
  package var hasGivenUp = false

  /// Searches that needed no call.
  package var saved: Int { max(0, searches - calls) }
}
