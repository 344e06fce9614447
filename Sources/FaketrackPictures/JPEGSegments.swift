/// The segments of a JPEG file behind its first marker. The last one is the end marker, or the last whole
/// segment of a file that breaks off.
///
/// Source: ITU-T T.81, annex B.
struct JPEGSegments: Sequence, IteratorProtocol {
  struct Element {
    /// The second byte of the marker; 0 for the data of a scan, which have none.
    let marker: Int
    /// The bytes of the segment with its marker.
    let range: Range<Int>
  }

  /// The maximum number of fill bytes before a marker.
  private static let fillLimit = 1_024
  /// The maximum number of segments before the first scan.
  static let limitBeforeScan = 65_536

  private let file: PictureBytes
  private var position = 2
  private var isInScan = false

  init(_ file: PictureBytes) {
    self.file = file
  }

  mutating func next() -> Element? {
    if isInScan {
      isInScan = false
      let start = position
      position = endOfData(from: start)
      return Element(marker: 0, range: start..<position)
    }
    let fill = (0..<Self.fillLimit).prefix { file.number(at: position + $0, bytes: 2) == 0xFFFF }
    position += fill.count
    guard file.number(at: position, bytes: 1) == 0xFF,
      let marker = file.number(at: position + 1, bytes: 1), marker != 0
    else { return nil }
    let start = position
    switch marker {
    case 0xD9:
      position = file.size
      return Element(marker: marker, range: start..<start + 2)
    case 0x01, 0xD0...0xD8: position += 2
    default:
      guard let length = file.number(at: position + 2, bytes: 2), length >= 2,
        position + 2 + length <= file.size
      else { return nil }
      position += 2 + length
      isInScan = marker == 0xDA
    }
    return Element(marker: marker, range: start..<position)
  }

  /// The position of the next marker that does not belong to the data of a scan. Fill bytes may
  /// precede each marker.
  private func endOfData(from start: Int) -> Int {
    var position = start
    while position + 1 < file.size,
      let bytes = file.bytes(at: position, count: Swift.min(1 << 16, file.size - position))
    {
      let found = bytes.withUnsafeBytes { bytes in
        (0..<bytes.count - 1).first {
          bytes[$0] == 0xFF && ![0, 0xFF].contains(bytes[$0 + 1])
            && !(0xD0...0xD7).contains(bytes[$0 + 1])
        }
      }
      if let found { return position + found }
      position += bytes.count - 1
    }
    return file.size
  }
}

/// The size of a JPEG picture, and the memory that decoding takes.
struct JPEGHead {
  /// The markers that begin a picture.
  static let frames = Set(0xC0...0xCF).subtracting([0xC4, 0xC8, 0xCC])

  let width: Int
  let height: Int
  /// The bytes of memory that hold all coefficients; 0 for a picture that is decoded row by row.
  let coefficients: Int
  /// Whether a program of Adobe's kind wrote the picture, which stores inks as their complements.
  let hasAdobeMarker: Bool
  /// The segments with the color profile; none for a picture with other colors than red, green and blue.
  let profile: [Range<Int>]

  init?(_ file: PictureBytes) {
    var hasAdobeMarker = false
    var profile: [Range<Int>] = []
    var frame: (start: Int, samples: Int, colors: Int, isProgressive: Bool)?
    for segment in JPEGSegments(file).prefix(JPEGSegments.limitBeforeScan) {
      let start = segment.range.lowerBound + 4
      switch segment.marker {
      case let marker where Self.frames.contains(marker):
        guard frame == nil, let colors = file.number(at: start + 5, bytes: 1) else { return nil }
        let factors = (0..<colors).compactMap { file.number(at: start + 7 + 3 * $0, bytes: 1) }
        let blocks = factors.map { (across: $0 >> 4, down: $0 & 0xF) }
        let most = (blocks.map(\.across).max() ?? 1) * (blocks.map(\.down).max() ?? 1)
        let sum = blocks.reduce(0) { $0 + $1.across * $1.down }
        // The samples per pixel, in percent.
        frame = (start, sum * 100 / Swift.max(1, most), colors, segment.marker & 3 == 2)
      case 0xDA:
        guard let frame, let height = file.number(at: frame.start + 1, bytes: 2),
          let width = file.number(at: frame.start + 3, bytes: 2),
          let colors = file.number(at: start, bytes: 1), width > 0, height > 0
        else { return nil }
        (self.width, self.height, self.hasAdobeMarker) = (width, height, hasAdobeMarker)
        self.profile = frame.colors == 3 ? profile : []
        // Scans of single colors, too, are kept until the last one.
        let isKept = frame.isProgressive || colors < frame.colors
        coefficients = isKept ? 2 * width * height * frame.samples / 100 : 0
        return
      case 0xE2:
        if file.text(at: start, count: 11) == "ICC_PROFILE" { profile.append(segment.range) }
      case 0xEE: hasAdobeMarker = hasAdobeMarker || file.text(at: start, count: 5) == "Adobe"
      default: break
      }
    }
    return nil
  }
}
