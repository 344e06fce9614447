/// Whom the built-in cities are owed to; shown wherever they are.
public enum CityAttribution {
  /// The notice that the licence asks for.
  public static let notice =
    "City data from GeoNames (https://www.geonames.org), licensed under CC BY 4.0"
  /// The source.
  public static let source = "https://www.geonames.org"
  /// The name of the licence.
  public static let license = "CC BY 4.0"
  /// The text of the licence.
  public static let licenseURL = "https://creativecommons.org/licenses/by/4.0/"
}
