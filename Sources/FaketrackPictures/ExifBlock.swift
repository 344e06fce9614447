import CLibExif
import Foundation

/// Exif data, read by libexif.
final class ExifBlock {
  /// The groups of tags; the raw values are their numbers in libexif.
  enum Group: Int {
    case image = 0
    case photo = 2
    case gps = 3
  }

  private let data: UnsafeMutablePointer<ExifData>

  /// - Parameter tiff: the data from their TIFF header on.
  /// - Returns: `nil` for data without a single value.
  init?(_ tiff: [UInt8]) {
    guard let data = exif_data_new() else { return nil }
    self.data = data
    // By default, values are changed to what the specification wants. Unknown tags stay ignored: a block could
    // make libexif copy the same bytes for thousands of them.
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
    let bytes = Array("Exif\0\0".utf8) + tiff
    exif_data_load_data(data, bytes, UInt32(clamping: bytes.count))
    let groups: [Group] = [.image, .photo, .gps]
    if groups.allSatisfy({ (content($0)?.pointee.count ?? 0) == 0 }) { return nil }
  }

  deinit { exif_data_unref(data) }

  private func content(_ group: Group) -> UnsafeMutablePointer<ExifContent>? {
    withUnsafeBytes(of: data.pointee.ifd) {
      $0.bindMemory(to: UnsafeMutablePointer<ExifContent>?.self)[group.rawValue]
    }
  }

  private func entry(_ group: Group, _ tag: Int) -> ExifEntry? {
    exif_content_get_entry(content(group), ExifTag(rawValue: UInt32(tag)))?.pointee
  }

  func has(_ group: Group, _ tag: Int) -> Bool { entry(group, tag) != nil }

  /// A text without the spaces around it; `nil` for an empty one.
  func text(_ group: Group, _ tag: Int) -> String? {
    guard let entry = entry(group, tag), entry.format == EXIF_FORMAT_ASCII, let data = entry.data
    else { return nil }
    let bytes = UnsafeBufferPointer(start: data, count: Int(entry.size)).prefix { $0 != 0 }
    let text = PictureTitle.text(bytes).trimmingCharacters(in: .whitespaces)
    return text.isEmpty ? nil : text
  }

  func number(_ group: Group, _ tag: Int) -> Int? {
    guard let entry = entry(group, tag), entry.format == EXIF_FORMAT_SHORT, entry.size >= 2 else {
      return nil
    }
    return Int(exif_get_short(entry.data, exif_data_get_byte_order(data)))
  }

  /// Fractions; `nil` if one of them is not a number.
  func rationals(_ group: Group, _ tag: Int) -> [Double]? {
    guard let entry = entry(group, tag), entry.format == EXIF_FORMAT_RATIONAL,
      let bytes = entry.data
    else { return nil }
    let order = exif_data_get_byte_order(data)
    let count = min(Int(entry.components), Int(entry.size) / 8, 16)
    let values = (0..<count).map { index in
      let rational = exif_get_rational(bytes + 8 * index, order)
      return Double(rational.numerator) / Double(rational.denominator)
    }
    return values.allSatisfy(\.isFinite) ? values : nil
  }
}
