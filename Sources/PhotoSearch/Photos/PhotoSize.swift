/// The sizes in which photos are to be had, by Flickr's letters.
public enum PhotoSize: String, Hashable, Sendable, Codable, CaseIterable {
  /// A square of 75 pixels.
  case s
  /// A square of 150 pixels.
  case q
  /// 100 pixels on the longer side.
  case t
  /// 240 pixels on the longer side.
  case m
  /// 320 pixels on the longer side.
  case n
  /// 400 pixels on the longer side.
  case w
  /// 640 pixels on the longer side.
  case z
  /// 800 pixels on the longer side.
  case c
  /// 1,024 pixels on the longer side.
  case b

  /// Pixels on the longer side.
  public var pixels: Int {
    switch self {
    case .s: 75
    case .q: 150
    case .t: 100
    case .m: 240
    case .n: 320
    case .w: 400
    case .z: 640
    case .c: 800
    case .b: 1024
    }
  }
}
