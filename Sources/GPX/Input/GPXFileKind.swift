import FaketrackSupport

/// The kind of a file that is not GPX.
public enum GPXFileKind: Hashable, Sendable {
  case empty
  case html
  case kml
  /// A ZIP archive with KML in it.
  case kmz
  case tcx
  case json
  /// A GeoJSON feature collection.
  case geoJSON
  case fit
  case nmea
  case igc
  /// A track, route or waypoint file of OziExplorer.
  case ozi
  /// A Garmin MapSource database.
  case gdb
  /// A table with columns for latitude and longitude.
  case csv
  case tar
  case zip
  case bzip2
  case xz
  case zstandard
  case jpeg
  case png
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
  /// `a ZIP archive`.
  public var description: String {
    switch self {
    case .empty: "an empty file"
    case .html: "a web page (HTML)"
    case .kml: "KML"
    case .kmz: "a KMZ archive"
    case .tcx: "a Garmin training file (TCX)"
    case .json: "JSON"
    case .geoJSON: "GeoJSON"
    case .fit: "a FIT file"
    case .nmea: "an NMEA log"
    case .igc: "a flight log (IGC)"
    case .ozi: "an OziExplorer file"
    case .gdb: "a Garmin MapSource file (GDB)"
    case .csv: "a table (CSV)"
    case .tar: "a tar archive"
    case .zip: "a ZIP archive"
    case .bzip2: "bzip2 data"
    case .xz: "xz data"
    case .zstandard: "Zstandard data"
    case .jpeg: "a JPEG image"
    case .png: "a PNG image"
    case .pdf: "a PDF document"
    case .xml(let root): "XML with the root element <\(root)>"
    case .text: "plain text"
    case .binary: "binary data"
    case .gzip(let content): "\(content) (gzipped)"
    }
  }

  /// How to get GPX instead.
  ///
  /// - Parameter path: the path of the file, for the shell; nil if it has none.
  func recoverySuggestion(path: String?) -> String {
    let file = ShellWord.quoting(path: path ?? "in.\(fileExtension)")
    if let format = gpsbabelFormat {
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

  /// How to get GPX instead from a gzipped file of this kind.
  private func recoverySuggestion(gzippedIn file: String) -> String {
    let unpacked = "in.\(fileExtension)"
    if let format = gpsbabelFormat {
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

  /// What GPSBabel calls the format, nil if it does not read it.
  private var gpsbabelFormat: String? {
    switch self {
    case .kml: "kml"
    case .tcx: "gtrnctr"
    case .geoJSON: "geojson"
    case .fit: "garmin_fit"
    case .nmea: "nmea"
    case .igc: "igc"
    case .ozi: "ozi"
    case .gdb: "gdb"
    case .csv: "unicsv"
    default: nil
    }
  }

  /// What the name of such a file usually ends in.
  private var fileExtension: String {
    switch self {
    case .kml: "kml"
    case .kmz: "kmz"
    case .tcx: "tcx"
    case .geoJSON: "geojson"
    case .fit: "fit"
    case .nmea: "nmea"
    case .igc: "igc"
    case .ozi: "plt"
    case .gdb: "gdb"
    case .csv: "csv"
    case .tar: "tar"
    case .zip: "zip"
    case .bzip2: "gpx.bz2"
    case .xz: "gpx.xz"
    case .zstandard: "gpx.zst"
    case .gzip(let content): "\(content.fileExtension).gz"
    default: "gpx"
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
