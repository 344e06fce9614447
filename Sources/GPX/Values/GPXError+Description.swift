#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension GPXError {
  /// A C library could not be started.
  static let outOfMemory = GPXError(.unreadable(errno: ENOMEM))
}

extension GPXError: CustomStringConvertible {
  /// `walk.gpx:12:7: the file ends in the middle`.
  public var description: String {
    var place = file.map { PrintableText.string($0.utf8, limit: 1_000) } ?? ""
    if let line { place += "\(place.isEmpty ? "line " : ":")\(line)" }
    if line != nil, let column { place += ":\(column)" }
    return place.isEmpty ? cause.description : "\(place): \(cause)"
  }

  /// What to do about it; nil when the description says it all.
  public var recoverySuggestion: String? {
    switch cause {
    case .unreadable: "Check the name and the permissions of the file."
    case .notGPX(let kind): kind.recoverySuggestion
    case .documentType: "Remove the <!DOCTYPE> line if you trust the file."
    case .notWellFormed: "Export the file again, or mend this place in a text editor."
    case .truncated, .nulBytes, .truncatedGzip, .damagedGzip:
      "Copy or download the file again; what comes before the break has been read."
    case .tooDeep, .markupTooLong: "No recorder writes this; do not trust the file."
    case .issue: "Mend the point, or read without strict to skip what cannot be used."
    }
  }
}

extension GPXError.Cause: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let errno): "cannot be read: \(String(cString: strerror(errno)))"
    case .notGPX(let kind): "this is \(kind), not GPX"
    case .documentType: "a document type declaration (<!DOCTYPE>) is refused"
    case .notWellFormed(let message): "not well-formed XML: \(message)"
    case .truncated: "the file ends in the middle"
    case .nulBytes: "NUL bytes where text should be"
    case .tooDeep: "elements are nested more than \(GPXReader.maximumDepth) deep"
    case .markupTooLong: "a tag or comment of more than \(GPXReader.maximumMarkupLength) bytes"
    case .truncatedGzip: "the compressed file ends in the middle"
    case .damagedGzip: "the compressed data is damaged"
    case .issue(let issue): issue.account
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
    case .tcx: "a Garmin training file (TCX)"
    case .json: "JSON"
    case .fit: "a FIT file"
    case .nmea: "an NMEA log"
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
    }
  }

  /// How to get GPX instead.
  var recoverySuggestion: String {
    switch self {
    case .empty: "Export or download the track again."
    case .html: "The download saved a web page, perhaps a log-in; download the track itself."
    case .kml: "Convert it: gpsbabel -i kml -f in.kml -o gpx -F out.gpx"
    case .tcx: "Convert it: gpsbabel -i gtrnctr -f in.tcx -o gpx -F out.gpx"
    case .fit: "Convert it: gpsbabel -i garmin_fit -f in.fit -o gpx -F out.gpx"
    case .nmea: "Convert it: gpsbabel -i nmea -f in.nmea -o gpx -F out.gpx"
    case .zip: "Unpack it with unzip and use the .gpx file in it."
    case .bzip2: "Unpack it with bunzip2."
    case .xz: "Unpack it with xz -d."
    case .zstandard: "Unpack it with zstd -d."
    case .json, .jpeg, .png, .pdf, .xml, .text, .binary: "Give a GPX 1.0 or 1.1 file."
    }
  }
}
