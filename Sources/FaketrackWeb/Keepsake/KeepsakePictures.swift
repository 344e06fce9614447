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
    /// A PNG or WebP file.
    case other(path: String)
    case painting(SamplePainting)
    case drawing(String)
  }

  /// The pictures, each with the photos that show it.
  private let contents: [(urls: [URL], content: Content)]
  /// The sizes of the upright pictures, as far as they are known.
  let sizes: [URL: PictureSize]
  /// The photos with a drawing in their place.
  private let drawn: Set<URL>
  /// The number of photos that are linked.
  let linked: Int
  /// The number of pictures and videos that browsers don't show, or that can't be read.
  let unshown: Int

  /// The lengths of the longer side in pixels, the largest first.
  private static let sizes = [1_600, 1_200, 900, 640, 480, 320]
  /// The number of pictures from which the size of all is estimated.
  private static let sample = 8
  private static let largestFile = 8 << 20
  /// The smallest length of the longer side at which sample photos are large.
  private static let smallestOfLarge = 480

  /// - Parameter visits: those whose photos are on the page.
  init(_ visits: [Visit]) {
    var contents: [(urls: [URL], content: Content)] = []
    var sizes: [URL: PictureSize] = [:]
    var paintings: [SamplePainting: Int] = [:]
    var urls: Set<URL> = []
    var drawn: Set<URL> = []
    var linked = 0
    for visit in visits {
      guard let url = visit.photo?.url, urls.insert(url).inserted else { continue }
      if let path = visit.file {
        let facts = try? PictureFacts(contentsOf: path)
        let content = Self.content(of: path, facts)
        sizes[url] = facts?.size
        if case .drawing = content { drawn.insert(url) }
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
    self.drawn = drawn
    self.linked = linked
    unshown = drawn.count
  }

  /// Whether browsers show a photo.
  func isShown(_ photo: Photo) -> Bool { !drawn.contains(photo.url) }

  private static func content(of path: String, _ facts: PictureFacts?) -> Content {
    switch facts?.kind {
    case .jpeg: return .jpeg(path: path, orientation: facts?.orientation ?? 1)
    case .png, .webp: return .other(path: path)
    case .video: return .drawing(PlaceholderDrawing.video.svg)
    case .heic, nil: return .drawing(PlaceholderDrawing.picture.svg)
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
    for (urls, content) in contents {
      let (bytes, type) = Self.picture(content, Self.sizes[0])
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
      let (bytes, type) = Self.picture(contents[numbers[index]].content, pixels)
      let address = "data:\(type);base64,\(Data(bytes).base64EncodedString())"
      results.withLock { $0[index] = address }
    }
    return results.withLock { results in numbers.indices.compactMap { results[$0] } }
  }

  private static func picture(_ content: Content, _ pixels: Int) -> (bytes: [UInt8], type: String) {
    switch content {
    case .jpeg(let path, let orientation):
      if let bytes = Thumbnail.jpeg(
        contentsOf: path, orientation: orientation, pixels: pixels)
      {
        return (bytes, "image/jpeg")
      }
    case .other(let path):
      if let picture = UprightPicture(contentsOf: path, limit: largestFile) {
        return (picture.bytes, picture.type)
      }
    case .painting(let painting):
      return (pixels < smallestOfLarge ? painting.small : painting.large, SamplePainting.type)
    case .drawing(let svg): return (Array(svg.utf8), "image/svg+xml")
    }
    return (Array(PlaceholderDrawing.picture.svg.utf8), "image/svg+xml")
  }

  static func megabytes(_ bytes: Int) -> String {
    "\(DecimalText.fixed(Double(bytes) / 1e6, places: 1)) MB"
  }
}
