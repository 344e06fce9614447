import CTurboJPEG
import FaketrackSupport
import Foundation

/// Small, upright versions of JPEG pictures, made by libjpeg-turbo.
package enum Thumbnail {
  /// The usual minimum length of the longer side in pixels, if the picture has as many.
  package static let pixels = 640
  /// The maximum size of a picture, in bytes and in pixels; a progressive one takes 3 bytes of
  /// memory per pixel, whatever its file is.
  static let limit = (bytes: 128 << 20, pixels: 256_000_000)

  /// Decodes a picture at a fraction of its size; `nil` for one that can't be decoded or exceeds
  /// the limits.
  ///
  /// - Parameter pixels: the minimum length of the longer side, if the picture has as many.
  package static func jpeg(
    contentsOf path: String, orientation: Int, pixels: Int = pixels
  ) -> [UInt8]? {
    guard let file = FileHandle(forReadingAtPath: path),
      let data = try? file.read(upToCount: limit.bytes + 1), data.count <= limit.bytes,
      let decoded = Pixels(data, longerSide: pixels)
    else { return nil }
    return decoded.oriented(orientation).jpeg
  }
}

/// Rows of pixels of 3 bytes.
private struct Pixels {
  var width: Int
  var height: Int
  var bytes: [UInt8]

  private init(width: Int, height: Int, bytes: [UInt8]) {
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  init?(_ data: Data, longerSide: Int) {
    guard let decoder = tjInitDecompress() else { return nil }
    defer { tjDestroy(decoder) }
    var (fullWidth, fullHeight, subsampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    let pixels: Pixels? = data.withUnsafeBytes { data -> Pixels? in
      let start = data.bindMemory(to: UInt8.self).baseAddress
      guard
        tjDecompressHeader3(
          decoder, start, UInt(data.count), &fullWidth, &fullHeight, &subsampling, &colors) == 0,
        Int(fullWidth) * Int(fullHeight) <= Thumbnail.limit.pixels
      else { return nil }
      // The smallest number of eighths that is large enough.
      let longer = Int(max(fullWidth, fullHeight))
      let eighths = (1...8).first { longer * $0 / 8 >= longerSide } ?? 8
      let width = (Int(fullWidth) * eighths + 7) / 8
      let height = (Int(fullHeight) * eighths + 7) / 8
      var bytes = [UInt8](repeating: 0, count: width * height * 3)
      // A picture that breaks off is shown as far as it goes; many scans would take minutes.
      let flags = TJFLAG_FASTDCT | TJFLAG_LIMITSCANS
      let result = tjDecompress2(
        decoder, start, UInt(data.count), &bytes, Int32(width), 0, Int32(height),
        Int32(TJPF_RGB.rawValue), flags)
      guard result == 0 || tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue) else {
        return nil
      }
      return Pixels(width: width, height: height, bytes: bytes)
    }
    guard let pixels else { return nil }
    self = pixels
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
