/// What a file is that is not GPX.
public enum GPXFileKind: Hashable, Sendable {
  case empty
  case html
  case kml
  case tcx
  case json
  case fit
  case nmea
  case zip
  case bzip2
  case xz
  case zstandard
  case jpeg
  case png
  case pdf
  /// Well-formed, or at least begun so, with another root element.
  case xml(root: String)
  /// Text without markup.
  case text
  /// Bytes of an unknown kind.
  case binary
}
