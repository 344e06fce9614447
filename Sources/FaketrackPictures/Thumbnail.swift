import CTurboJPEG
import Dispatch
import FaketrackSupport
import Foundation

/// Small, upright versions of JPEG pictures, made by libjpeg-turbo.
package enum Thumbnail {
  /// The usual minimum length of the longer side in pixels, if the picture has as many.
  package static let pixels = 640
  /// The memory in megabytes for all pictures that are decoded at once.
  static let memory = 96
  /// The memory in megabytes for a picture that is decoded alone.
  static let memoryAlone = 160
  private static let free = {
    faketrack_return_large_blocks()
    return DispatchSemaphore(value: memory)
  }()
  /// Two pictures that wait for a part of their memory each would wait forever.
  private static let turn = DispatchQueue(label: "faketrack.thumbnails.memory")

  /// Decodes a picture at a fraction of its size; `nil` for one that can't be decoded, or takes more
  /// than 160 MB of memory. Blocks the thread until the memory is free.
  ///
  /// - Parameter pixels: the minimum length of the longer side, if the picture has as many.
  package static func jpeg(
    contentsOf path: String, orientation: Int, pixels: Int = pixels
  ) -> [UInt8]? {
    guard let file = try? PictureFile(path), file.size <= memoryAlone << 20,
      let head = JPEGHead(file.bytes)
    else { return nil }
    let scale = Scale(head, longerSide: pixels)
    // The picture may be turned, and becomes a file.
    let cost = (file.size + head.coefficients + 8 * scale.width * scale.height) >> 20 + 1
    guard cost <= memoryAlone else { return nil }
    let share = min(cost, memory)
    turn.sync { for _ in 0..<share { free.wait() } }
    defer { for _ in 0..<share { free.signal() } }
    guard let data = try? WholeFile.bytes(of: file.descriptor, path: path, limit: file.size) else {
      return nil
    }
    return Pixels(data, scale)?.oriented(orientation).jpeg
  }
}

/// The smallest size of a picture, in eighths, that is large enough.
private struct Scale {
  let width: Int
  let height: Int

  init(_ head: JPEGHead, longerSide: Int) {
    let longer = max(head.width, head.height)
    let eighths = (1...8).first { longer * $0 / 8 >= longerSide } ?? 8
    width = (head.width * eighths + 7) / 8
    height = (head.height * eighths + 7) / 8
  }
}

/// Rows of pixels of 3 bytes.
private struct Pixels {
  var width: Int
  var height: Int
  var bytes: [UInt8]

  init?(_ data: [UInt8], _ scale: Scale) {
    guard let decoder = tjInitDecompress() else { return nil }
    defer { tjDestroy(decoder) }
    (width, height) = (scale.width, scale.height)
    bytes = [UInt8](repeating: 0, count: width * height * 3)
    // A picture that breaks off is shown as far as it goes; many scans would take minutes.
    let flags = TJFLAG_FASTDCT | TJFLAG_LIMITSCANS
    let result = tjDecompress2(
      decoder, data, UInt(data.count), &bytes, Int32(width), 0, Int32(height),
      Int32(TJPF_RGB.rawValue), flags)
    guard result == 0 || tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue) else {
      return nil
    }
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
