import FaketrackCompression
import FaketrackFeatures
import FaketrackServer
import FaketrackSupport
import Foundation
import GPX

/// An uploaded file, which may hold anything.
enum TrackUpload {
  static let limit = 32 * 1_024 * 1_024
  /// Maximum number of bytes of a compressed file after decompression, since a few megabytes can
  /// expand to terabytes.
  static let unpackedLimit = 256 * 1_024 * 1_024

  /// Many times a track of a day with a point each second. Reading so many takes about a second.
  static let readLimit = Track.Limit(
    points: 1_000_000, time: .seconds(10), hint: hintForLongTracks)

  /// The files of a request, checked without parsing, or why they cannot be used. Asynchronous to keep
  /// the main actor free.
  static func tracks(of request: WebRequest) async throws(Failure) -> [Result<Track, Failure>] {
    guard let body = try? request.body(limit: limit) else {
      throw Failure(message: "the file has more than 32 MB", hint: hintForLongTracks)
    }
    let files = try MultipartFile.all(in: body, type: request.headers["Content-Type"])
      // If no file was chosen, browsers send an empty one without a name.
      .filter { !$0.name.isEmpty || !$0.bytes.isEmpty }
    if files.isEmpty { throw Failure(message: "no file was sent", hint: "Choose a GPX file.") }
    return files.map { file in
      Result { () throws(Failure) in try track(file) }
    }
  }

  private static func track(_ file: MultipartFile) throws(Failure) -> Track {
    let name = shownName(of: file.name)
    let isCompressed = file.bytes.starts(with: [0x1F, 0x8B])
    if isCompressed, !Gzip.fits(file.bytes, within: unpackedLimit) {
      throw Failure(message: "\(name) unpacks to more than 256 MB", hint: hintForLongTracks)
    }
    return Track(.bytes(file.bytes, name: name), name: name, limit: readLimit)
  }

  /// The failure of a form; `nil` if all of its files have been added.
  ///
  /// - Parameter count: the number of files in the form.
  static func failure(_ failures: [Failure], of count: Int) -> Failure? {
    guard !failures.isEmpty, count > 1 else { return failures.first }
    let refused = "\(failures.count) of \(count) files \(failures.count == 1 ? "was" : "were")"
    let reasons = failures.map(\.message).joined(separator: "; ")
    return Failure(message: "\(refused) not added: \(reasons)")
  }

  private static let hintForLongTracks =
    "Name longer tracks on the command line of faketrack serve."

  /// The last name of a path, truncated to fit on the page.
  static func shownName(of path: String) -> String {
    let name = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
    return name.isEmpty ? "track.gpx" : String(name.prefix(80))
  }
}

/// A file in the body of a form that was sent as `multipart/form-data`.
///
/// Source: RFC 7578.
struct MultipartFile: Hashable, Sendable {
  var name: String
  var bytes: [UInt8]

  private static let headLimit = 4_096
  private static let partLimit = 1_000
  private static let fileLimit = 100

  /// The files up to the end of the form, or to the first part that is damaged.
  ///
  /// - Parameter type: the `Content-Type` of the body, which names the boundary.
  /// - Throws: ``Failure`` for a form of too many parts or files.
  static func all(in body: [UInt8], type: String?) throws(Failure) -> [MultipartFile] {
    guard let type, type.lowercased().hasPrefix("multipart/form-data"),
      let boundary = HeaderParameters(type.utf8)["boundary"], !boundary.isEmpty,
      boundary.utf8.count <= 70
    else { return [] }
    let separator = Array("--\(boundary)".utf8)
    var files: [MultipartFile] = []
    var position = find(separator, in: body, from: 0)
    var parts = 0
    while let start = position {
      let headStart = start + separator.count
      if body[headStart...].starts(with: "--".utf8) { break }
      parts += 1
      try check(parts, atMost: partLimit, "part")
      guard let headEnd = find(blankLine, in: body, from: headStart),
        headEnd - headStart <= headLimit,
        let end = find(newline + separator, in: body, from: headEnd)
      else { break }
      if let name = fileName(in: body[headStart..<headEnd]) {
        try check(files.count + 1, atMost: fileLimit, "file")
        let bytes = Array(body[min(headEnd + blankLine.count, end)..<end])
        files.append(MultipartFile(name: name, bytes: bytes))
      }
      position = end + newline.count
    }
    return files
  }

  private static func check(
    _ count: Int, atMost limit: Int, _ noun: String
  ) throws(Failure) {
    guard count > limit else { return }
    throw Failure(
      message: "the form has more than \(Quantity.count(limit, noun))",
      hint: "Send fewer files at once.")
  }

  private static let newline = Array("\r\n".utf8)
  private static let blankLine = Array("\r\n\r\n".utf8)

  /// The file name in the head of a part; `nil` for a part that is not a file.
  private static func fileName(in head: ArraySlice<UInt8>) -> String? {
    let lines = head.split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    let disposition = lines.first {
      String(decoding: $0, as: UTF8.self).lowercased().hasPrefix("content-disposition:")
    }
    guard let disposition else { return nil }
    let parameters = HeaderParameters(disposition)
    return parameters["filename*"].flatMap(HeaderParameters.extendedText) ?? parameters["filename"]
  }

  private static func find(_ needle: [UInt8], in body: [UInt8], from start: Int) -> Int? {
    guard let first = needle.first, start >= 0 else { return nil }
    return body.withUnsafeBytes { body -> Int? in
      guard let base = body.baseAddress else { return nil }
      var position = start
      while position + needle.count <= body.count {
        let rest = body.count - needle.count + 1 - position
        guard let hit = memchr(base + position, Int32(first), rest) else { return nil }
        if memcmp(hit, needle, needle.count) == 0 { return UnsafeRawPointer(hit) - base }
        position = UnsafeRawPointer(hit) - base + 1
      }
      return nil
    }
  }
}

/// The parameters of a header: `value; name=token; name="quoted; text"`.
///
/// In quotes a backslash escapes a quote or another backslash. Before any other character it is kept,
/// since browsers send it so in file names.
struct HeaderParameters {
  private var values: [String: String] = [:]

  /// Reads the parameters; of those with the same name the first counts.
  init(_ header: some Collection<UInt8>) {
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    var rest = Array(header)[...]
    while let start = rest.firstIndex(of: UInt8(ascii: ";")) {
      rest = rest[(start + 1)...]
      let name = rest.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") }
      rest = rest.dropFirst(name.count)
      guard rest.skip(UInt8(ascii: "=")) else { continue }
      rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      var value: [UInt8] = []
      if rest.skip(quote) {
        while !rest.skip(quote), let byte = rest.popFirst() {
          let isEscape = byte == backslash && (rest.first == quote || rest.first == backslash)
          value.append(isEscape ? rest.removeFirst() : byte)
        }
      } else {
        let token = rest.prefix { $0 != UInt8(ascii: ";") }
        rest = rest.dropFirst(token.count)
        value = Array(Self.text(token).utf8)
      }
      let key = Self.text(name).lowercased()
      if values[key] == nil { values[key] = String(decoding: value, as: UTF8.self) }
    }
  }

  private static func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
  }

  subscript(name: String) -> String? { values[name] }

  /// The text of a value such as `UTF-8''walk%20%E2%82%AC.gpx`; `nil` for one in another encoding.
  ///
  /// Source: RFC 8187.
  static func extendedText(_ value: String) -> String? {
    let pieces = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard pieces.count == 3, pieces[0].lowercased() == "utf-8" else { return nil }
    return String(pieces[2]).removingPercentEncoding
  }
}

extension ArraySlice<UInt8> {
  /// Removes the first byte if it is this one, and returns whether it was.
  fileprivate mutating func skip(_ byte: UInt8) -> Bool {
    guard first == byte else { return false }
    removeFirst()
    return true
  }
}
