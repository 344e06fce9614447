import Dispatch
import FaketrackFeatures
import FaketrackPictures
import FaketrackServer
import FaketrackServices
import FaketrackSupport
import Foundation
import PhotoSearch

/// The user's own photos on the page: pictures without their metadata, and small versions of JPEG and, with a
/// program, HEIC files, which are made once and kept in a folder. HEIC and video files themselves, whose
/// metadata stay, are for this computer alone.
package struct OwnPhotoFiles: Sendable {
  private let pictures: [String: OwnPhotos.Picture]
  private let thumbnails: OwnFolder
  /// Decodes HEIC pictures, if it is installed.
  let heic: HEICProgram?
  /// Decoding takes a core and some 100 MB for the largest pictures.
  private let gate = RequestGate(limit: 2)

  /// - Parameters:
  ///   - thumbnails: the folder of the small versions.
  ///   - limit: the total size in bytes of small versions to keep from earlier runs, the newest first.
  package init(
    _ photos: OwnPhotos, thumbnails: OwnFolder, heic: HEICProgram? = nil, limit: Int = 256 << 20
  ) {
    pictures = Dictionary(
      photos.pictures.map { (Self.name(of: URL(fileURLWithPath: $0.path).path), $0) },
      uniquingKeysWith: { first, _ in first })
    self.thumbnails = thumbnails
    self.heic = heic
    thumbnails.trim(to: limit) { $0.wholeMatch(of: #/faketrack-[0-9a-z]+\.jpg/#) != nil }
  }

  /// The path of an original on the page; `nil` for a photo that is not the user's own.
  static func path(of url: URL) -> URL? {
    url.isFileURL ? URL(string: "/photos/own/\(name(of: url.path))") : nil
  }

  /// The path of the small version of a photo on the page.
  static func smallPath(of url: URL) -> URL? { path(of: url)?.appending(path: "small") }

  /// A short name for a text, from which the text cannot be told.
  private static func name(of text: String) -> String {
    [UInt64(1), 2].map { seed in
      let hash = text.utf8.reduce(seed) { SplitMix64.mix($0 &+ 0x9E37_79B9 &+ UInt64($1)) }
      return String(hash, radix: 36)
    }.joined()
  }

  /// The answer to a request for an original or, with `small`, a small version; `nil` for any other.
  func answer(_ names: [Substring], _ request: WebRequest) async -> WebResponse? {
    guard (3...4).contains(names.count), names[1] == "own",
      let picture = pictures[String(names[2])]
    else { return nil }
    guard names.count == 4 else { return try? await original(picture, request) }
    guard names[3] == "small" else { return nil }
    switch picture.facts.kind {
    case .video: return Self.placeholder(.video, for: request)
    case .jpeg, .heic:
      let small = try? await gate.pass { [thumbnails, heic] in
        try await DispatchQueue(label: "faketrack.thumbnails").blocking {
          Self.thumbnail(of: picture, in: thumbnails, heic)
        }
      }
      if let small = small ?? nil {
        return WebResponse(
          .ok, headers: ["Content-Type": "image/jpeg", "Cache-Control": Self.caching],
          body: .bytes(small))
      }
      // Large or damaged pictures are left to those who open them. Some browsers show HEIC.
      var status = stat()
      guard picture.facts.kind == .heic, request.isLocal, stat(picture.path, &status) == 0,
        status.st_size <= Self.largestTile
      else { return Self.placeholder(for: request) }
      return try? await original(picture, request)
    case .png, .webp:
      // Without a decoder, these are sent in full size, unless they are too large for a tile.
      let upright = try? await gate.pass {
        try await DispatchQueue(label: "faketrack.originals").blocking {
          UprightPicture(contentsOf: picture.path, limit: Self.largestTile)
        }
      }
      guard let upright = upright ?? nil else { return Self.placeholder(for: request) }
      return WebResponse(
        .ok, headers: ["Content-Type": upright.type, "Cache-Control": Self.caching],
        body: .bytes(upright.bytes))
    }
  }

  private static let caching = "private, max-age=3600"
  private static let largestTile = 8 << 20

  /// Whether a file is withheld from the network.
  private static func isWithheld(_ picture: OwnPhotos.Picture, _ request: WebRequest) -> Bool {
    !request.isLocal && [.heic, .video].contains(picture.facts.kind)
  }

  /// A picture in full size; `nil` for a file that has changed, or is gone.
  private func original(
    _ picture: OwnPhotos.Picture, _ request: WebRequest
  ) async throws -> WebResponse? {
    if Self.isWithheld(picture, request) {
      return .text(
        "HEIC pictures and videos keep their metadata, and are served to this computer only.",
        status: .forbidden)
    }
    let type: String
    switch picture.facts.kind {
    case .jpeg: type = "image/jpeg"
    case .heic: type = "image/heic"
    case .png: type = "image/png"
    case .webp: type = "image/webp"
    case .video:
      type = picture.path.lowercased().hasSuffix(".mov") ? "video/quicktime" : "video/mp4"
    }
    let read: FilePieces.Read
    switch picture.facts.kind {
    case .jpeg, .png, .webp:
      let shown = try await DispatchQueue(label: "faketrack.originals").blocking {
        PictureWithoutMetadata(contentsOf: picture.path)
      }
      guard let shown else { return nil }
      read = { position in try shown.bytes(at: position, upTo: FilePieces.size) }
    case .heic, .video:
      guard let file = FileHandle(forReadingAtPath: picture.path) else { return nil }
      read = { _ in [UInt8](try file.read(upToCount: FilePieces.size) ?? Data()) }
    }
    return WebResponse(
      .ok, headers: ["Content-Type": type, "Cache-Control": Self.caching],
      body: .stream(FilePieces(read: read)))
  }

  /// Reads the small version of a picture, or makes it; `nil` if the picture can't be decoded.
  private static func thumbnail(
    of picture: OwnPhotos.Picture, in folder: OwnFolder, _ heic: HEICProgram?
  ) -> [UInt8]? {
    let time = picture.modified.timeIntervalSince1970
    let identity = "\(URL(fileURLWithPath: picture.path).path) \(time) \(Thumbnail.pixels)"
    let name = "faketrack-\(name(of: identity)).jpg"
    if let bytes = FileManager.default.contents(atPath: "\(folder.path)/\(name)"), !bytes.isEmpty {
      return Array(bytes)
    }
    let facts = picture.facts
    let made =
      facts.kind == .heic
      ? heic?.jpeg(contentsOf: picture.path, size: facts.size)
      : Thumbnail.jpeg(contentsOf: picture.path, orientation: facts.orientation)
    guard let small = made else { return nil }
    // Without room for it, it is made again next time.
    try? folder.replace(name, with: small)
    return small
  }

  private static func placeholder(
    _ drawing: PlaceholderDrawing = .picture, for request: WebRequest
  ) -> WebResponse {
    .unchanging(
      Array(drawing.svg.utf8), type: "image/svg+xml", tag: drawing.rawValue, for: request)
  }
}

/// A drawing in place of a picture that can't be shown.
enum PlaceholderDrawing: String {
  case picture, video

  var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 480"><rect width="640" height="480" \
    fill="#26323a"/>\(symbol)</svg>
    """
  }

  private var symbol: String {
    switch self {
    case .picture:
      """
      <path d="M220 170h200v140H220zm0 110 60-60 45 45 30-30 65 65M190 340 450 140" fill="none" \
      stroke="#fff" stroke-opacity=".7" stroke-width="12" stroke-linejoin="round"/>
      """
    case .video:
      """
      <circle cx="320" cy="240" r="70" fill="#fff" fill-opacity=".9"/><path \
      d="M298 200v80l66-40z" fill="#26323a"/>
      """
    }
  }
}

/// The bytes of a file, piece by piece.
private struct FilePieces: AsyncSequence, Sendable {
  /// Returns the bytes from a position on; none at the end.
  typealias Read = @Sendable (_ position: Int) throws -> [UInt8]

  static let size = 256 << 10

  let read: Read

  func makeAsyncIterator() -> Iterator { Iterator(read: read) }

  struct Iterator: AsyncIteratorProtocol {
    let read: Read
    private var position = 0

    init(read: @escaping Read) {
      self.read = read
    }

    mutating func next() async throws -> [UInt8]? {
      let piece = try await DispatchQueue(label: "faketrack.originals").blocking {
        [read, position] in try read(position)
      }
      position += piece.count
      return piece.isEmpty ? nil : piece
    }
  }
}
