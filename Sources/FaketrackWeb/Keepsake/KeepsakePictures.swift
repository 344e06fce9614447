import Dispatch
import FaketrackFeatures
import FaketrackPictures
import FaketrackServices
import FaketrackSupport
import Foundation
import PhotoSearch

/// The pictures of a keepsake: files without their metadata, sample photos and drawings. Other photos stay
/// links.
struct KeepsakePictures: Sendable {
  private enum Content {
    case jpeg(path: String, orientation: Int)
    case heic(path: String, size: PictureSize?, HEICProgram)
    /// A PNG or WebP file.
    case other(path: String)
    case painting(SamplePainting)
    case placeholder(PlaceholderDrawing)
  }

  /// The photos that could not be decoded when the pictures were made last.
  private final class Failures: Sendable {
    private let photos = Locked(Set<URL>())

    var all: Set<URL> { photos.withLock { $0 } }

    func set(_ photo: URL, _ hasFailed: Bool) {
      photos.withLock { photos in
        if hasFailed { photos.insert(photo) } else { photos.remove(photo) }
      }
    }
  }

  /// The pictures, each with the photos that show it.
  private let contents: [(urls: [URL], content: Content)]
  /// The sizes of the upright pictures, as far as they are known.
  let sizes: [URL: PictureSize]
  /// The photos of a kind that browsers don't show.
  private let unsupported: Set<URL>
  private let failures = Failures()
  /// The names of the files of photos.
  private let files: [URL: String]
  /// The number of photos that are linked.
  let linked: Int

  /// The lengths of the longer side in pixels, the largest first.
  private static let sizes = [1_600, 1_200, 900, 640, 480, 320]
  /// The number of pictures from which the size of all is estimated.
  private static let sample = 8
  private static let largestFile = 8 << 20
  /// The smallest length of the longer side at which sample photos are large.
  private static let smallestOfLarge = 480

  /// - Parameters:
  ///   - visits: those whose photos are on the page.
  ///   - heic: decodes HEIC pictures, if it is installed.
  init(_ visits: [Visit], _ heic: HEICProgram?) {
    var contents: [(urls: [URL], content: Content)] = []
    var sizes: [URL: PictureSize] = [:]
    var paintings: [SamplePainting: Int] = [:]
    var urls: Set<URL> = []
    var unsupported: Set<URL> = []
    var files: [URL: String] = [:]
    var linked = 0
    for visit in visits {
      guard let url = visit.photo?.imageURL, urls.insert(url).inserted else { continue }
      if let path = visit.file {
        files[url] = URL(fileURLWithPath: path).lastPathComponent
        let facts = try? PictureFacts(contentsOf: path)
        let content = Self.content(of: path, facts, heic)
        sizes[url] = facts?.size
        if case .placeholder = content { unsupported.insert(url) }
        contents.append(([url], content))
      } else if let painting = SamplePhotos.painting(of: url) {
        sizes[url] = PictureSize(width: painting.width, height: painting.height)
        if let index = paintings[painting] {
          contents[index].urls.append(url)
        } else {
          paintings[painting] = contents.count
          contents.append(([url], .painting(painting)))
        }
      } else {
        linked += 1
      }
    }
    self.contents = contents
    self.sizes = sizes
    self.unsupported = unsupported
    self.files = files
    self.linked = linked
  }

  /// The names of the files that browsers don't show, in walking order.
  var unsupportedNames: [String] { names(in: unsupported) }

  /// The names of the files that are damaged or too large, in walking order, when the pictures have
  /// been made.
  var undecodedNames: [String] { names(in: failures.all) }

  private func names(in urls: Set<URL>) -> [String] {
    contents.flatMap(\.urls).filter(urls.contains).compactMap { files[$0] }
  }

  /// Whether a photo is shown, as far as is known.
  func isShown(_ photo: Photo) -> Bool {
    !unsupported.contains(photo.imageURL) && !failures.all.contains(photo.imageURL)
  }

  private static func content(
    of path: String, _ facts: PictureFacts?, _ heic: HEICProgram?
  ) -> Content {
    guard let facts else { return .other(path: path) }
    switch facts.kind {
    case .jpeg: return .jpeg(path: path, orientation: facts.orientation)
    case .png, .webp: return .other(path: path)
    case .video: return .placeholder(.video)
    case .heic:
      return heic.map { .heic(path: path, size: facts.size, $0) } ?? .placeholder(.picture)
    }
  }

  /// The pictures as parts of the page, as large as fit.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes of the page.
  ///   - page: its bytes without pictures.
  /// - Returns: the address of each picture, and the length of their longer sides in pixels.
  /// - Throws: ``Failure`` if not even the smallest fit.
  func embedded(
    limit: Int, page: Int
  ) throws(Failure) -> (addresses: [URL: String], pixels: Int) {
    var least = 0
    let room = limit - page
    for pixels in Self.sizes {
      let stride = max(1, contents.count / Self.sample)
      let sample = contents.indices.filter { $0.isMultiple(of: stride) }
      least = size(of: encoded(sample, pixels)) / max(1, sample.count) * contents.count
      // A sample may be larger than the rest.
      if least > room * 5 / 4 { continue }
      let addresses = encoded(Array(contents.indices), pixels)
      least = size(of: addresses)
      if least <= room {
        let pairs = zip(contents, addresses).flatMap { picture, address in
          picture.urls.map { ($0, address) }
        }
        return (Dictionary(uniqueKeysWithValues: pairs), pixels)
      }
    }
    throw Failure(
      message: "the page takes \(Self.megabytes(page + least)) with the smallest photos, and may "
        + "take \(Self.megabytes(limit))",
      hint: "Raise --size-limit, or write a folder with -o.")
  }

  /// The bytes that pictures take on the page.
  private func size(of addresses: [String]) -> Int {
    addresses.reduce(0) { $0 + $1.utf8.count }
  }

  /// Writes the pictures to a folder under numbers, and skips the numbers of foreign files.
  ///
  /// - Returns: the name of each picture.
  /// - Throws: `FileError` or ``Failure``.
  func write(to folder: OutputFolder) throws -> [URL: String] {
    var names: [URL: String] = [:]
    var number = 0
    for (index, (urls, _)) in contents.enumerated() {
      let (bytes, type) = picture(index, Self.sizes[0])
      let end = type.split(separator: "/").last?.split(separator: "+").first ?? "jpeg"
      var name: String
      repeat {
        number += 1
        name = "\(DecimalText.padded(number, digits: 4)).\(end)"
      } while try !folder.write(name, with: bytes)
      for url in urls { names[url] = name }
    }
    return names
  }

  /// Whether a file has a name that ``write(to:)`` gives.
  static func isName(_ name: String) -> Bool {
    name.wholeMatch(of: #/\d{4,}\.(jpeg|png|webp|svg)/#) != nil
  }

  /// Encodes pictures on all cores.
  private func encoded(_ numbers: [Int], _ pixels: Int) -> [String] {
    let results = Locked([Int: String]())
    DispatchQueue.concurrentPerform(iterations: numbers.count) { index in
      let (bytes, type) = picture(numbers[index], pixels)
      let address = Self.address(of: bytes, type)
      results.withLock { $0[index] = address }
    }
    return results.withLock { results in numbers.indices.compactMap { results[$0] } }
  }

  private static func address(of bytes: [UInt8], _ type: String) -> String {
    guard type == drawingType else {
      return "data:\(type);base64,\(Data(bytes).base64EncodedString())"
    }
    // A drawing may hold a picture in base64 already, which would grow by a third again.
    var text = Array("data:\(type),".utf8)
    for byte in bytes {
      if escaped.contains(byte) {
        text += Array("%\(String(byte, radix: 16, uppercase: true))".utf8)
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static let drawingType = "image/svg+xml"
  /// The ASCII characters that addresses and attributes don't hold as they are.
  private static let escaped = Set("% #<>\"".utf8)

  /// A picture or, if there is none, its placeholder.
  private func picture(_ index: Int, _ pixels: Int) -> (bytes: [UInt8], type: String) {
    let (urls, content) = contents[index]
    if case .placeholder(let drawing) = content {
      return (Array(drawing.svg.utf8), Self.drawingType)
    }
    let picture = Self.picture(content, pixels)
    for url in urls { failures.set(url, picture == nil) }
    return picture ?? (Array(PlaceholderDrawing.picture.svg.utf8), Self.drawingType)
  }

  private static func picture(
    _ content: Content, _ pixels: Int
  ) -> (bytes: [UInt8], type: String)? {
    switch content {
    case .jpeg(let path, let orientation):
      return Thumbnail.jpeg(contentsOf: path, orientation: orientation, pixels: pixels)
        .map { ($0, "image/jpeg") }
    case .heic(let path, let size, let program):
      return program.jpeg(contentsOf: path, size: size, pixels: pixels).map { ($0, "image/jpeg") }
    case .other(let path):
      return UprightPicture(contentsOf: path, limit: largestFile).map { ($0.bytes, $0.type) }
    case .painting(let painting):
      return (pixels < smallestOfLarge ? painting.small : painting.large, SamplePainting.type)
    case .placeholder: return nil
    }
  }

  static func megabytes(_ bytes: Int) -> String {
    "\(DecimalText.fixed(Double(bytes) / 1e6, places: 1)) MB"
  }
}
