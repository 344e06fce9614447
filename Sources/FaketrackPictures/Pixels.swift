import CTurboJPEG

/// Rows of pixels of 3 bytes.
struct Pixels {
  var width: Int
  var height: Int
  var bytes: [UInt8]

  /// Decodes a JPEG file.
  ///
  /// - Parameters:
  ///   - width: the wanted width: an eighth of the width of the picture, or a multiple of the eighth.
  ///   - height: the height at this scale.
  ///   - isInverted: whether the inks of a picture for printing are stored as their complements.
  init?(_ data: [UInt8], width: Int, height: Int, isInverted: Bool) {
    guard let decoder = tjInitDecompress() else { return nil }
    defer { tjDestroy(decoder) }
    (self.width, self.height) = (width, height)
    var (fullWidth, fullHeight, sampling, colors) = (Int32(0), Int32(0), Int32(0), Int32(0))
    tjDecompressHeader3(
      decoder, data, UInt(data.count), &fullWidth, &fullHeight, &sampling, &colors)
    let hasInks = [TJCS_CMYK, TJCS_YCCK].contains { Int32($0.rawValue) == colors }
    let format = hasInks ? TJPF_CMYK : TJPF_RGB
    bytes = [UInt8](repeating: 0, count: width * height * (hasInks ? 4 : 3))
    // A picture that breaks off is shown as far as it goes; many scans would take minutes.
    let flags = TJFLAG_FASTDCT | TJFLAG_LIMITSCANS
    let result = tjDecompress2(
      decoder, data, UInt(data.count), &bytes, Int32(width), 0, Int32(height),
      Int32(format.rawValue), flags)
    guard result == 0 || tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue) else {
      return nil
    }
    if hasInks { mixInks(isInverted: isInverted) }
  }

  /// Turns pixels of cyan, magenta, yellow and black into red, green and blue.
  private mutating func mixInks(isInverted: Bool) {
    for pixel in 0..<width * height {
      func light(_ ink: Int) -> Int {
        let value = Int(bytes[4 * pixel + ink])
        return isInverted ? value : 255 - value
      }
      let black = light(3)
      // The colors of a pixel are in front of its inks, or in place of them.
      let (red, green, blue) = (light(0) * black, light(1) * black, light(2) * black)
      bytes[3 * pixel] = UInt8(red / 255)
      bytes[3 * pixel + 1] = UInt8(green / 255)
      bytes[3 * pixel + 2] = UInt8(blue / 255)
    }
    bytes.removeLast(width * height)
  }

  /// The pixels upright, for an Exif orientation of 1 ... 8.
  func oriented(_ orientation: Int) -> Pixels {
    guard (2...8).contains(orientation) else { return self }
    let isTurned = orientation >= 5
    var result = self
    if isTurned { (result.width, result.height) = (height, width) }
    for row in 0..<result.height {
      for column in 0..<result.width {
        let (x, y) = isTurned ? (row, column) : (column, row)
        let sourceX = [2, 3, 7, 8].contains(orientation) ? width - 1 - x : x
        let sourceY = [3, 4, 6, 7].contains(orientation) ? height - 1 - y : y
        let (from, to) = (3 * (sourceY * width + sourceX), 3 * (row * result.width + column))
        for color in 0..<3 { result.bytes[to + color] = bytes[from + color] }
      }
    }
    return result
  }

  var jpeg: [UInt8]? {
    guard let encoder = tjInitCompress() else { return nil }
    defer { tjDestroy(encoder) }
    var start: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let result = tjCompress2(
      encoder, bytes, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &start, &count,
      Int32(TJSAMP_420.rawValue), 85, TJFLAG_FASTDCT)
    defer { tjFree(start) }
    guard result == 0 else { return nil }
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }
}
