import FaketrackPictures
import FaketrackServices
import FaketrackSupport
import FaketrackTerminal
import Foundation

/// Photos drawn by chafa, a program that knows the graphics of each terminal: kitty, iTerm2 or sixel
/// graphics where the terminal has them, otherwise colored blocks.
@MainActor
final class ChafaPictures: PictureDrawing {
  private struct Request: Hashable {
    var url: URL
    var size: CellSize
  }

  private nonisolated static let maximumImageSize = 8 << 20
  /// The timeout of the program.
  private nonisolated static let timeout = Duration.seconds(5)

  private let program: String
  private let client: ServiceClient
  /// The newest request, and the last one that is done, with its picture if there is one.
  private var newest: Request?
  private var done: (request: Request, picture: [UInt8]?)?
  private var drawing: Task<Void, Never>?

  /// `nil` where the program is not installed.
  init?(environment: [String: String], client: ServiceClient) {
    guard let program = Program.path(of: "chafa", in: environment) else { return nil }
    self.program = program
    self.client = client
  }

  func picture(at url: URL, size: CellSize, changed: @escaping @MainActor () -> Void) -> [UInt8]? {
    let request = Request(url: url, size: size)
    newest = request
    if done?.request != request, drawing == nil {
      drawing = Task {
        // Photos that came and went meanwhile are left out.
        while let request = newest, done?.request != request {
          done = (request, await draw(request))
          changed()
        }
        drawing = nil
      }
    }
    return done?.request.size == size ? done?.picture : nil
  }

  /// Returns `nil` for a photo that cannot be loaded or drawn.
  private func draw(_ request: Request) async -> [UInt8]? {
    let file = ServiceRequest.file(request.url, maximumSize: Self.maximumImageSize)
    let image =
      request.url.isFileURL
      ? try? await DispatchQueue(label: "faketrack.pictures").blocking {
        try Self.image(inFile: request.url.path)
      } : try? await client.send(file, decode: \.body)
    guard let image else { return nil }
    let size = "\(request.size.columns)x\(request.size.rows)"
    return try? await DispatchQueue(label: "faketrack.pictures").blocking { [program] in
      let drawn = try Program.run(
        program, ["--size", size, "--animate", "off", "-"], input: image, timeout: Self.timeout)
      return drawn.flatMap { $0.status == 0 && !$0.output.isEmpty ? Array($0.output) : nil }
    }
  }

  /// One of the user's own photos, small and upright if it is a JPEG.
  private nonisolated static func image(inFile path: String) throws -> Data? {
    let facts = try PictureFacts(contentsOf: path)
    if facts.kind == .jpeg,
      let small = Thumbnail.jpeg(contentsOf: path, orientation: facts.orientation)
    {
      return Data(small)
    }
    return try FileHandle(forReadingFrom: URL(filePath: path)).read(upToCount: maximumImageSize)
  }
}
