import FaketrackSupport

/// The kind of a file that is not GPX.
public struct GPXFileKind: Hashable, Sendable, CustomStringConvertible {
  /// The name of the kind, such as `a ZIP archive`.
  public let description: String
  /// The usual end of the names of such files.
  package let fileExtension: String
  /// A command or advice that leads to GPX, with `%` for the file.
  private let advice: String
  /// The name of the format in gpsbabel; `nil` for a kind that it does not read.
  package let gpsbabelFormat: String?

  private init(
    _ description: String, _ fileExtension: String = "gpx",
    advice: String = "Give a GPX 1.0 or 1.1 file.", gpsbabel format: String? = nil
  ) {
    self.description = description
    self.fileExtension = fileExtension
    self.advice = advice
    gpsbabelFormat = format
  }

  private init(_ description: String, _ fileExtension: String, gpsbabel format: String) {
    let advice = "Convert it: gpsbabel -i \(format) -f % -o gpx -F out.gpx"
    self.init(description, fileExtension, advice: advice, gpsbabel: format)
  }

  /// The number of bytes that show the kind of a file; a shorter file is shown whole.
  package static var headLength: Int { FileProbe.length }

  /// The kind of a file, by its first bytes; `nil` if it may be GPX.
  package init?(head: [UInt8]) {
    let kind = head.withUnsafeBytes { FileProbe($0).kind }
    let text = String(decoding: head, as: UTF8.self)
    let root = text.firstMatch(of: #/<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)/#)?.1
    guard let found = kind ?? root.map({ Self(root: String($0)) }),
      found.isArchive || found.gpsbabelFormat != nil
    else { return nil }
    self = found
  }

  /// Whether it is a ZIP archive.
  package var isArchive: Bool { self == .zip || self == .kmz }

  /// A file without bytes, or with white space only.
  public static let empty = Self(
    "an empty file", advice: "Export or download the track again.")
  /// A web page.
  public static let html = Self(
    "a web page (HTML)",
    advice: "The download saved a web page, perhaps a log-in; download the track itself.")
  /// A KML document.
  public static let kml = Self("KML", "kml", gpsbabel: "kml")
  /// A ZIP archive with KML in it.
  public static let kmz = Self(
    "a KMZ archive", "kmz",
    advice: "Convert it: unzip -p % '*.kml' | gpsbabel -i kml -f - -o gpx -F out.gpx")
  /// A Garmin training file.
  public static let tcx = Self("a Garmin training file (TCX)", "tcx", gpsbabel: "gtrnctr")
  /// JSON that is not GeoJSON.
  public static let json = Self("JSON")
  /// A GeoJSON feature collection.
  public static let geoJSON = Self("GeoJSON", "geojson", gpsbabel: "geojson")
  /// A Garmin FIT file.
  public static let fit = Self("a FIT file", "fit", gpsbabel: "garmin_fit")
  /// A log of NMEA 0183 sentences.
  public static let nmea = Self("an NMEA log", "nmea", gpsbabel: "nmea")
  /// A flight log.
  public static let igc = Self("a flight log (IGC)", "igc", gpsbabel: "igc")
  /// A track, route or waypoint file of OziExplorer.
  public static let ozi = Self("an OziExplorer file", "plt", gpsbabel: "ozi")
  /// A Garmin MapSource database.
  public static let gdb = Self("a Garmin MapSource file (GDB)", "gdb", gpsbabel: "gdb")
  /// A table with columns for latitude and longitude.
  public static let csv = Self("a table (CSV)", "csv", gpsbabel: "unicsv")
  /// A tar archive.
  public static let tar = Self(
    "a tar archive", "tar", advice: "Unpack it with tar -xf % and use the .gpx file in it.")
  /// A ZIP archive without KML.
  public static let zip = Self(
    "a ZIP archive", "zip", advice: "Unpack it with unzip % and use the .gpx file in it.")
  /// Data compressed by bzip2.
  public static let bzip2 = Self(
    "bzip2 data", "gpx.bz2", advice: "Unpack it: bzip2 -dc <% >out.gpx")
  /// Data compressed by xz.
  public static let xz = Self("xz data", "gpx.xz", advice: "Unpack it: xz -dc <% >out.gpx")
  /// Data compressed by Zstandard.
  public static let zstandard = Self(
    "Zstandard data", "gpx.zst", advice: "Unpack it: zstd -dc <% >out.gpx")
  /// A JPEG image.
  public static let jpeg = Self("a JPEG image")
  /// A PNG image.
  public static let png = Self("a PNG image")
  /// A PDF document.
  public static let pdf = Self("a PDF document")
  /// Text without markup.
  public static let text = Self("plain text")
  /// Bytes of an unknown kind.
  public static let binary = Self("binary data")

  /// The kinds of tracks that programs convert to GPX.
  package static let convertible = [fit, tcx, kml, kmz, geoJSON, nmea, igc, ozi, gdb, csv]

  /// XML with another root element; what follows the root has not been read.
  public static func xml(root: String) -> Self {
    Self("XML with the root element <\(root)>")
  }

  /// A gzip file that contains another kind.
  public static func gzip(of content: Self) -> Self {
    let unpacked = "in.\(content.fileExtension)"
    let unpacking = "gzip -dc <% >\(unpacked)"
    let advice =
      switch content {
      case .tar: content.advice
      case .kmz, .zip, .bzip2, .xz, .zstandard: "Unpack it: \(unpacking)"
      default:
        // Not every format can be piped.
        content.advice.replacing("%", with: unpacked)
          .replacing("Convert it: ", with: "Convert it: \(unpacking) && ")
      }
    return Self("\(content) (gzipped)", "\(content.fileExtension).gz", advice: advice)
  }

  /// The kind of an XML document, by the local name of its root element.
  init(root: String) {
    switch root.lowercased() {
    case "html": self = .html
    case "kml": self = .kml
    case "trainingcenterdatabase": self = .tcx
    default: self = .xml(root: root)
    }
  }

  /// A command or advice that leads to GPX.
  ///
  /// - Parameter path: the path of the file, for the shell; nil if it has none.
  func recoverySuggestion(path: String?) -> String {
    advice.replacing(scalar: "%", with: Self.shellWord(path: path ?? "in.\(fileExtension)"))
  }

  /// A path as a word for a POSIX shell, quoted if necessary.
  private static func shellWord(path: String) -> String {
    // With a hyphen first, it would be an option.
    let path = path.hasPrefix("-") ? "./" + path : path
    let isPlain = path.utf8.allSatisfy { $0.isASCIIAlphanumeric || "_-./+,:@%=".utf8.contains($0) }
    if isPlain, !path.isEmpty { return path }
    return "'" + path.replacing(scalar: "'", with: "'\\''") + "'"
  }
}
