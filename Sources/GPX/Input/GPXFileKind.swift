import FaketrackSupport

/// The kind of a file that is not GPX.
public enum GPXFileKind: Hashable, Sendable {
  /// A file without bytes, or with white space only.
  case empty
  /// A web page.
  case html
  /// A KML document.
  case kml
  /// A ZIP archive with KML in it.
  case kmz
  /// A Garmin training file.
  case tcx
  /// JSON that is not GeoJSON.
  case json
  /// A GeoJSON feature collection.
  case geoJSON
  /// A Garmin FIT file.
  case fit
  /// A log of NMEA 0183 sentences.
  case nmea
  /// A flight log.
  case igc
  /// A track, route or waypoint file of OziExplorer.
  case ozi
  /// A Garmin MapSource database.
  case gdb
  /// A table with columns for latitude and longitude.
  case csv
  /// A tar archive.
  case tar
  /// A ZIP archive without KML.
  case zip
  /// Data compressed by bzip2.
  case bzip2
  /// Data compressed by xz.
  case xz
  /// Data compressed by Zstandard.
  case zstandard
  /// A JPEG image.
  case jpeg
  /// A PNG image.
  case png
  /// A PDF document.
  case pdf
  /// XML with another root element; what follows the root has not been read.
  case xml(root: String)
  /// Text without markup.
  case text
  /// Bytes of an unknown kind.
  case binary
  /// A gzip file with something else than GPX in it.
  indirect case gzip(of: GPXFileKind)

  /// The kind of an XML document, by the local name of its root element.
  init(root: String) {
    switch root.lowercased() {
    case "html": self = .html
    case "kml": self = .kml
    case "trainingcenterdatabase": self = .tcx
    default: self = .xml(root: root)
    }
  }
}

extension GPXFileKind: CustomStringConvertible {
  /// The name of a kind, the usual end of the names of such files, and the name of the format in
  /// GPSBabel, nil if it does not read it.
  private var facts: (name: String, fileExtension: String, gpsbabel: String?) {
    switch self {
    case .empty: ("an empty file", "gpx", nil)
    case .html: ("a web page (HTML)", "gpx", nil)
    case .kml: ("KML", "kml", "kml")
    case .kmz: ("a KMZ archive", "kmz", nil)
    case .tcx: ("a Garmin training file (TCX)", "tcx", "gtrnctr")
    case .json: ("JSON", "gpx", nil)
    case .geoJSON: ("GeoJSON", "geojson", "geojson")
    case .fit: ("a FIT file", "fit", "garmin_fit")
    case .nmea: ("an NMEA log", "nmea", "nmea")
    case .igc: ("a flight log (IGC)", "igc", "igc")
    case .ozi: ("an OziExplorer file", "plt", "ozi")
    case .gdb: ("a Garmin MapSource file (GDB)", "gdb", "gdb")
    case .csv: ("a table (CSV)", "csv", "unicsv")
    case .tar: ("a tar archive", "tar", nil)
    case .zip: ("a ZIP archive", "zip", nil)
    case .bzip2: ("bzip2 data", "gpx.bz2", nil)
    case .xz: ("xz data", "gpx.xz", nil)
    case .zstandard: ("Zstandard data", "gpx.zst", nil)
    case .jpeg: ("a JPEG image", "gpx", nil)
    case .png: ("a PNG image", "gpx", nil)
    case .pdf: ("a PDF document", "gpx", nil)
    case .xml(let root): ("XML with the root element <\(root)>", "gpx", nil)
    case .text: ("plain text", "gpx", nil)
    case .binary: ("binary data", "gpx", nil)
    case .gzip(let content):
      ("\(content) (gzipped)", "\(content.facts.fileExtension).gz", nil)
    }
  }

  /// `a ZIP archive`.
  public var description: String { facts.name }

  /// A command or advice that leads to GPX.
  ///
  /// - Parameter path: the path of the file, for the shell; nil if it has none.
  func recoverySuggestion(path: String?) -> String {
    let file = Self.shellWord(path: path ?? "in.\(facts.fileExtension)")
    guard case .gzip(let content) = self else { return recoverySuggestion(file: file) }
    let unpacked = "in.\(content.facts.fileExtension)"
    let unpacking = "gzip -dc <\(file) >\(unpacked)"
    switch content {
    case .tar: return content.recoverySuggestion(file: file)
    case .kmz, .zip, .bzip2, .xz, .zstandard: return "Unpack it: \(unpacking)"
    default:
      guard let conversion = content.conversion(file: unpacked) else {
        return content.recoverySuggestion(file: unpacked)
      }
      // Not every format can be piped.
      return "Convert it: \(unpacking) && \(conversion)"
    }
  }

  private func conversion(file: String) -> String? {
    facts.gpsbabel.map { "gpsbabel -i \($0) -f \(file) -o gpx -F out.gpx" }
  }

  private func recoverySuggestion(file: String) -> String {
    switch self {
    case .empty: "Export or download the track again."
    case .html: "The download saved a web page, perhaps a log-in; download the track itself."
    case .kmz: "Convert it: unzip -p \(file) '*.kml' | gpsbabel -i kml -f - -o gpx -F out.gpx"
    case .tar: "Unpack it with tar -xf \(file) and use the .gpx file in it."
    case .zip: "Unpack it with unzip \(file) and use the .gpx file in it."
    case .bzip2: "Unpack it: bzip2 -dc <\(file) >out.gpx"
    case .xz: "Unpack it: xz -dc <\(file) >out.gpx"
    case .zstandard: "Unpack it: zstd -dc <\(file) >out.gpx"
    default: conversion(file: file).map { "Convert it: \($0)" } ?? "Give a GPX 1.0 or 1.1 file."
    }
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
