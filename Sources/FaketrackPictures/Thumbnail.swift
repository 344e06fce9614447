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
    return withMemory(cost) {
      guard let data = try? WholeFile.bytes(of: file.descriptor, path: path, limit: file.size)
      else { return nil }
      let pixels = Pixels(
        data, width: scale.width, height: scale.height, isInverted: head.hasAdobeMarker)
      return pixels?.oriented(orientation).jpeg.map {
        adding(head.profile.flatMap { data[$0] }, to: $0)
      }
    }
  }

  /// The maximum number of bytes of a color profile; profiles of cameras and phones take fewer.
  private static let profileLimit = 4_096

  /// Adds segments with a color profile behind the header of a JPEG file, unless they are large or
  /// are for the colors that browsers take for granted.
  private static func adding(_ profile: [UInt8], to jpeg: [UInt8]) -> [UInt8] {
    let header = 20
    guard !profile.isEmpty, profile.count <= profileLimit,
      profile.firstRange(of: Array("sRGB".utf8)) == nil,
      jpeg.starts(with: [0xFF, 0xD8, 0xFF, 0xE0, 0, 16])
    else { return jpeg }
    return jpeg.prefix(header) + profile + jpeg.dropFirst(header)
  }

  /// Waits for a number of megabytes, and holds them for the duration of some work.
  static func withMemory<Result>(_ megabytes: Int, _ work: () -> Result) -> Result {
    let share = min(megabytes, memory)
    turn.sync { for _ in 0..<share { free.wait() } }
    defer { for _ in 0..<share { free.signal() } }
    return work()
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
