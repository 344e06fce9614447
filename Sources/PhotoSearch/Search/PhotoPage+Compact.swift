#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Geodesy

// The compact form. Numbers are little-endian; a text is its length in four bytes and its UTF-8.
//
//     the tag "photos 1"
//     whether the page is the last one: one byte
//     the number of licenses: four bytes; for each:
//         its name, its terms and its address, or nothing: three texts
//     the number of photos: four bytes; for each:
//         id, title, owner, image and page, or nothing: five texts
//         the place of the license, or 2^32 - 1: four bytes
//         latitude and longitude, or what is not a number: two times eight bytes
//         the date, or 0: eight bytes

extension PhotoPage {
  private static let tag = Array("photos 1".utf8)
  /// The bytes of a photo without those of its texts.
  private static let photoSize = 48

  /// The page in a form that is small and quick to read, for a store.
  public var compactForm: Data {
    var form = CompactWriter(capacity: photos.texts.count + photos.count * Self.photoSize + 2_048)
    form.append(Self.tag)
    form.append(UInt8(isLast ? 1 : 0))
    form.append(UInt32(photos.licenses.count))
    for license in photos.licenses {
      form.append(text: license.name.utf8)
      form.append(text: license.terms.rawValue.utf8)
      form.append(text: (license.url?.absoluteString ?? "").utf8)
    }
    form.append(UInt32(photos.count))
    for entry in photos.entries {
      var start = entry.start
      for end in [entry.idEnd, entry.titleEnd, entry.ownerEnd, entry.imageEnd, entry.pageEnd] {
        form.append(text: photos.texts[Int(start)..<Int(end)])
        start = end
      }
      form.append(entry.license ?? .max)
      form.append((entry.coordinate?.latitude ?? .nan).bitPattern)
      form.append((entry.coordinate?.longitude ?? .nan).bitPattern)
      form.append(entry.taken?.bits ?? 0)
    }
    return Data(form.bytes)
  }

  /// Reads the compact form.
  ///
  /// - Returns: `nil` for anything else, such as the form of another version or a damaged one.
  public init?(compactForm: Data) {
    var form = CompactReader(compactForm)
    guard form.skip(Self.tag), let isLast = form.integer(UInt8.self), isLast <= 1,
      let licenses = Self.licenses(from: &form), let photos = Self.photos(from: &form, licenses),
      form.isAtEnd
    else { return nil }
    self.init(photos: photos, isLast: isLast == 1)
  }

  private static func licenses(from form: inout CompactReader) -> [PhotoLicense]? {
    guard let count = form.integer(UInt32.self) else { return nil }
    var licenses: [PhotoLicense] = []
    for _ in 0..<count {
      guard let name = form.text(), let terms = form.text().flatMap(PhotoLicense.Terms.init),
        let address = form.text()
      else { return nil }
      let url = URL(string: address)
      guard address.isEmpty || url != nil else { return nil }
      licenses.append(PhotoLicense(name: name, url: url, terms: terms))
    }
    return licenses
  }

  private static func photos(
    from form: inout CompactReader, _ licenses: [PhotoLicense]
  ) -> PhotoList? {
    guard let count = form.integer(UInt32.self), Int(count) <= form.rest / photoSize else {
      return nil
    }
    var photos = PhotoList.Builder(capacity: Int(count))
    for _ in 0..<count {
      guard let id = form.text(), let title = form.text(), let owner = form.text(),
        let image = form.text().flatMap({ AddressText($0) }), let page = form.text(),
        let license = form.integer(UInt32.self), license < licenses.count || license == .max,
        let latitude = form.integer(UInt64.self), let longitude = form.integer(UInt64.self),
        let date = form.integer(UInt64.self)
      else { return nil }
      let (pageAddress, taken) = (AddressText(page), PhotoDate(bits: date))
      guard page.isEmpty || pageAddress != nil, date == 0 || taken != nil else { return nil }
      let isNew = photos.append(
        id: id, title: title, owner: owner,
        license: license == .max ? nil : licenses[Int(license)], image: image, page: pageAddress,
        coordinate: try? Coordinate(
          latitude: Double(bitPattern: latitude), longitude: Double(bitPattern: longitude)),
        taken: taken)
      guard isNew else { return nil }
    }
    return photos.finish()
  }
}

/// Writes numbers and texts one after the other.
private struct CompactWriter {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int) {
    bytes.reserveCapacity(capacity)
  }

  mutating func append(_ raw: some Sequence<UInt8>) {
    bytes.append(contentsOf: raw)
  }

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(text: some Collection<UInt8>) {
    append(UInt32(text.count))
    bytes.append(contentsOf: text)
  }
}

/// Reads what a ``CompactWriter`` has written, and nothing beyond its end.
private struct CompactReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ data: Data) {
    bytes = [UInt8](data)
  }

  /// The number of bytes that have not been read.
  var rest: Int { bytes.count - position }
  var isAtEnd: Bool { rest == 0 }

  /// Passes over these bytes, if they come next.
  mutating func skip(_ expected: [UInt8]) -> Bool {
    read(expected.count).map { $0.elementsEqual(expected) } ?? false
  }

  mutating func integer<Number: FixedWidthInteger & UnsignedInteger>(
    _ type: Number.Type
  ) -> Number? {
    read(MemoryLayout<Number>.size)?.reversed().reduce(0) { $0 << 8 | Number($1) }
  }

  /// A text; what is not UTF-8 in it is replaced.
  mutating func text() -> String? {
    integer(UInt32.self).flatMap { read(Int($0)) }.map { String(decoding: $0, as: UTF8.self) }
  }

  private mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }
}
