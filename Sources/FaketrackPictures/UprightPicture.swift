import Foundation

/// A PNG or WebP file as all browsers show it: without metadata, and upright.
///
/// Browsers do not turn WebP, and not all turn PNG; a drawing turns the picture in it.
package struct UprightPicture: Sendable {
  package let bytes: [UInt8]
  package let type: String

  /// - Parameter limit: the maximum number of bytes of the file without its metadata.
  /// - Returns: `nil` for a file of another format, a damaged one, and a larger one.
  package init?(contentsOf path: String, limit: Int) {
    guard
      let picture = PictureWithoutMetadata(contentsOf: path, keepsOrientation: false),
      [.png, .webp].contains(picture.facts.kind), let bytes = picture.bytes(limit: limit)
    else { return nil }
    let type = picture.facts.kind == .png ? "image/png" : "image/webp"
    if picture.facts.orientation != 1, let size = picture.facts.size {
      let address = "data:\(type);base64,\(Data(bytes).base64EncodedString())"
      let drawing = Self.drawing(address, size, orientation: picture.facts.orientation)
      (self.bytes, self.type) = (Array(drawing.utf8), "image/svg+xml")
    } else {
      (self.bytes, self.type) = (bytes, type)
    }
  }

  /// - Parameter size: the size of the upright picture.
  private static func drawing(_ address: String, _ size: PictureSize, orientation: Int) -> String {
    let (width, height) = (size.width, size.height)
    let stored = orientation >= 5 ? size.turned : size
    // The upright place of a stored pixel at (x, y): (a · x + c · y + e, b · x + d · y + f).
    let matrix =
      switch orientation {
      case 2: [-1, 0, 0, 1, width, 0]
      case 3: [-1, 0, 0, -1, width, height]
      case 4: [1, 0, 0, -1, 0, height]
      case 5: [0, 1, 1, 0, 0, 0]
      case 6: [0, 1, -1, 0, width, 0]
      case 7: [0, -1, -1, 0, width, height]
      default: [0, -1, 1, 0, 0, height]
      }
    let numbers = matrix.map(String.init).joined(separator: " ")
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)"><image width="\(stored.width)" height="\(stored.height)" \
      preserveAspectRatio="none" transform="matrix(\(numbers))" href="\(address)"/></svg>
      """
  }
}
