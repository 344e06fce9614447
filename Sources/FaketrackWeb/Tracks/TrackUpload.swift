import FaketrackFeatures
import FlyingFox
import GPX

/// A file that was dropped on the page, which may be anything.
enum TrackUpload {
  /// The bytes that it may have.
  static let limit = 32 * 1_024 * 1_024

  /// Takes the file out of a request and checks what can be told without reading it as GPX.
  ///
  /// - Throws: ``LoadingFailure``.
  static func track(of request: HTTPRequest) async throws(LoadingFailure) -> WebTrack {
    let body: [UInt8]
    do {
      body = try await request.body(limit: limit)
    } catch is HTTPRequest.BodyTooLong {
      throw LoadingFailure(
        message: "the file has more than 32 MB",
        hint: "Give longer tracks to faketrack serve on the command line.")
    } catch {
      throw LoadingFailure(message: "the file did not arrive whole", hint: "Try it again.")
    }
    let file = MultipartFile(body: body, type: request.headers[.contentType])
    guard let file, !file.bytes.isEmpty else {
      throw LoadingFailure(message: "no file was sent", hint: "Choose a GPX file.")
    }
    // A few megabytes of these can unfold to terabytes.
    if file.bytes.starts(with: [0x1F, 0x8B]) {
      throw LoadingFailure(
        message: "\(name(file.name)) is compressed",
        hint: "Unpack it with gunzip, or name it on the command line.")
    }
    return WebTrack(name: name(file.name), input: .bytes(file.bytes, name: name(file.name)))
  }

  /// The last part of a path, cut to what fits on the page.
  private static func name(_ path: String) -> String {
    let name = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
    return name.isEmpty ? "track.gpx" : String(name.prefix(80))
  }
}
