import FaketrackSupport
import Foundation

/// An installed program that decodes HEIC pictures, of libheif or of libvips.
package struct HEICProgram: Hashable, Sendable {
  package let path: String
  private let isThumbnailer: Bool
  private let timeout: Duration

  /// Finds a program; `nil` without one.
  package init?(environment: [String: String]) {
    self.init(environment: environment, timeout: .seconds(20))
  }

  /// - Parameter timeout: the timeout for one picture.
  init?(environment: [String: String], timeout: Duration) {
    // libheif renamed its program, and reads only what is needed of the format.
    guard
      let path = Program.path(
        of: "heif-dec", "heif-convert", "vipsthumbnail", in: environment)
    else { return nil }
    self.path = path
    isThumbnailer = path.hasSuffix("vipsthumbnail")
    self.timeout = timeout
  }

  /// Decodes a picture into a small, upright JPEG file without metadata; `nil` for a picture that can't be
  /// decoded in time. Blocks the thread until the memory is free.
  ///
  /// - Parameters:
  ///   - size: the size of the picture, if known.
  ///   - pixels: the minimum length of the longer side, if the picture has as many.
  package func jpeg(
    contentsOf path: String, size: PictureSize?, pixels: Int = Thumbnail.pixels
  ) -> [UInt8]? {
    try? OwnFolder.withTemporary { folder in
      // The names of the user's files are no arguments.
      let input = folder.path + "/picture.heic"
      try FileManager.default.createSymbolicLink(
        atPath: input, withDestinationPath: URL(fileURLWithPath: path).path)
      guard let output = Thumbnail.withMemory(Self.memory(size), { decode(input, pixels) }) else {
        return nil
      }
      // The format holds the turn, which the program has applied.
      return Thumbnail.jpeg(contentsOf: output, orientation: 1, pixels: pixels)
    }
  }

  /// The memory in megabytes that decoding takes: the planes of the picture, and its rows of colors.
  private static func memory(_ size: PictureSize?) -> Int {
    size.map { 8 * $0.width * $0.height >> 20 + 1 } ?? Thumbnail.memory
  }

  /// Returns the path of the decoded picture, beside the input.
  private func decode(_ input: String, _ pixels: Int) -> String? {
    let folder = URL(fileURLWithPath: input).deletingLastPathComponent().path
    let output = folder + "/picture.jpg"
    let arguments =
      isThumbnailer
      // Larger pictures become smaller, and others stay as they are.
      ? ["--size", "\(pixels)x\(pixels)>", "--output", output, input]
      : ["-q", "92", input, output]
    let result = try? Program.run(path, arguments, input: Data(), timeout: timeout)
    guard result?.status == 0 else { return nil }
    // libheif numbers the pictures of a file with several.
    return [output, folder + "/picture-1.jpg"].first(where: FileManager.default.fileExists)
  }
}
