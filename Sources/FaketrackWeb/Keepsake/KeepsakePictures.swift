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

  /// The pictures, and how often each is on the page.
  private let contents: [(url: URL, content: Content, uses: Int)]
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

  /// - Parameter cards: the cards on the page, the newest last.
  init(_ cards: [PhotoLog.Card]) {
    var contents: [(URL, Content, Int)] = []
    let photos = cards.compactMap(\.visit.photo?.url)
    let uses = Dictionary(grouping: photos) { $0 }.mapValues(\.count)
    var urls: Set<URL> = []
    var (linked, unshown, onFlickr) = (0, 0, 0)
    for visit in cards.reversed().map(\.visit) {
      guard let photo = visit.photo, urls.insert(photo.url).inserted else { continue }
      func add(_ content: Content) { contents.append((photo.url, content, uses[photo.url] ?? 1)) }
      let isOnFlickr = photo.url.host == "live.staticflickr.com"
      if isOnFlickr { onFlickr += 1 }
      if isOnFlickr, onFlickr > PhotoLog.cardLimit {
        // Flickr's terms allow no more on a page.
        add(.drawing(PlaceholderDrawing.picture.svg))
      } else if let path = visit.file {
        let content = Self.content(of: path)
        if case .drawing = content { unshown += 1 }
        add(content)
      } else if let painting = SamplePhotos.painting(of: photo.url) {
        add(.painting(painting))
      } else {
        linked += 1
      }
    }
    self.contents = contents
    self.linked = linked
    self.unshown = unshown
  }

  private static func content(of path: String) -> Content {
    let facts = try? PictureFacts(contentsOf: path)
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
      least = size(of: encoded(sample, pixels), sample) / max(1, sample.count) * contents.count
      // A sample may be larger than the rest.
      if least > room * 5 / 4 { continue }
      let numbers = Array(contents.indices)
      let addresses = encoded(numbers, pixels)
      least = size(of: addresses, numbers)
      if least <= room {
        let pairs = zip(contents.map(\.url), addresses).map { ($0, $1) }
        return (Dictionary(uniqueKeysWithValues: pairs), pixels)
      }
    }
    throw Failure(
      message: "the page takes \(Self.megabytes(page + least)) with the smallest photos, and may "
        + "take \(Self.megabytes(limit))",
      hint: "Raise --size-limit, or write a folder with -o.")
  }

  /// The bytes that pictures take on the page.
  private func size(of addresses: [String], _ numbers: [Int]) -> Int {
    zip(addresses, numbers).reduce(0) { $0 + $1.0.utf8.count * contents[$1.1].uses }
  }

  /// Writes the pictures to a folder under numbers, and skips the numbers of foreign files. Sample photos with
  /// the same painting share a file.
  ///
  /// - Returns: the name of each picture.
  /// - Throws: `FileError` or ``Failure``.
  func write(to folder: OutputFolder) throws -> [URL: String] {
    var names: [URL: String] = [:]
    var paintings: [SamplePainting: String] = [:]
    var number = 0
    for (url, content, _) in contents {
      if case .painting(let painting) = content, let name = paintings[painting] {
        names[url] = name
        continue
      }
      let (bytes, type) = Self.picture(content, Self.sizes[0])
      let end = type.split(separator: "/").last?.split(separator: "+").first ?? "jpeg"
      var name: String
      repeat {
        number += 1
        name = "\(DecimalText.padded(number, digits: 4)).\(end)"
      } while try !folder.write(name, with: bytes)
      names[url] = name
      if case .painting(let painting) = content { paintings[painting] = name }
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
