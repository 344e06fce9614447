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
    let file = ShellWord.quoting(path: path ?? "in.\(facts.fileExtension)")
    if let format = facts.gpsbabel {
      return "Convert it: gpsbabel -i \(format) -f \(file) -o gpx -F out.gpx"
    }
    switch self {
    case .empty: return "Export or download the track again."
    case .html: return "The download saved a web page, perhaps a log-in; download the track itself."
    case .kmz:
      return "Convert it: unzip -p \(file) '*.kml' | gpsbabel -i kml -f - -o gpx -F out.gpx"
    case .tar: return "Unpack it with tar -xf \(file) and use the .gpx file in it."
    case .zip: return "Unpack it with unzip \(file) and use the .gpx file in it."
    case .bzip2: return "Unpack it: bzip2 -dc <\(file) >out.gpx"
    case .xz: return "Unpack it: xz -dc <\(file) >out.gpx"
    case .zstandard: return "Unpack it: zstd -dc <\(file) >out.gpx"
    case .gzip(let content): return content.recoverySuggestion(gzippedIn: file)
    default: return "Give a GPX 1.0 or 1.1 file."
    }
  }

  /// A command or advice that leads to GPX from a gzipped file of this kind.
  private func recoverySuggestion(gzippedIn file: String) -> String {
    let unpacked = "in.\(facts.fileExtension)"
    if let format = facts.gpsbabel {
      // Not every format can be piped.
      return "Convert it: gzip -dc <\(file) >\(unpacked) && "
        + "gpsbabel -i \(format) -f \(unpacked) -o gpx -F out.gpx"
    }
    switch self {
    case .tar: return "Unpack it with tar -xf \(file) and use the .gpx file in it."
    case .kmz, .zip, .bzip2, .xz, .zstandard: return "Unpack it: gzip -dc <\(file) >\(unpacked)"
    default: return recoverySuggestion(path: nil)
    }
  }
}

/// A word as a POSIX shell reads it.
private enum ShellWord {
  /// A path, in quotes where the shell would read it otherwise.
  static func quoting(path: String) -> String {
    // With a hyphen first, it would be an option.
    let path = path.hasPrefix("-") ? "./" + path : path
    if !path.isEmpty, path.utf8.allSatisfy(isPlain) { return path }
    return "'" + path.replacing(scalar: "'", with: "'\\''") + "'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_-./+,:@%=".utf8.contains(byte)
    }
  }
}
