/// What a ``PhotoPicker`` goes by.
package struct PhotoPickerSettings: Sendable {
  /// How near a photo must be, in metres.
  package var radius: Double
  /// How near a photo must be to come first, in metres.
  package var nearby: Double
  package var size: PhotoSize
  package var license: LicenseFilter
  /// Makes the choice; the same seed makes the same one.
  package var seed: UInt64
  /// How many locations in a row may fail before there are no further searches.
  package var failuresBeforeGivingUp: Int

  /// - Parameters:
  ///   - radius: How near a photo must be, in metres.
  ///   - distanceFilter: The metres between locations; photos nearer than this, or than 100 m if
  ///     that is more, come first.
  package init(
    radius: Double = 500, distanceFilter: Double = 100, size: PhotoSize = .z,
    license: LicenseFilter = .any, seed: UInt64 = 0, failuresBeforeGivingUp: Int = 8
  ) {
    self.radius = radius
    self.nearby = max(distanceFilter, 100)
    self.size = size
    self.license = license
    self.seed = seed
    self.failuresBeforeGivingUp = failuresBeforeGivingUp
  }
}
