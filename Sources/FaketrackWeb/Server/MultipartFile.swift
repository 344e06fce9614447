import Foundation

/// The first file in the body of a form that was sent with one: `multipart/form-data`.
struct MultipartFile: Hashable, Sendable {
  var name: String
  var bytes: [UInt8]

  /// Finds the file, or nothing in a body that is put together otherwise.
  ///
  /// - Parameter type: the `Content-Type` of the body, which names the boundary.
  init?(body: [UInt8], type: String?) {
    guard let type, type.lowercased().hasPrefix("multipart/form-data"),
      let boundary = Self.parameter("boundary", of: type), !boundary.isEmpty, boundary.count <= 70
    else { return nil }
    let separator = Array("--\(boundary)".utf8)
    var position = Self.find(separator, in: body, from: 0)
    while let start = position {
      let headStart = start + separator.count
      guard let headEnd = Self.find(Self.blankLine, in: body, from: headStart),
        headEnd - headStart <= 4_096,
        let end = Self.find(Self.newline + separator, in: body, from: headEnd)
      else { return nil }
      let head = String(decoding: body[headStart..<headEnd], as: UTF8.self)
      if let disposition = Self.disposition(in: head),
        let name = Self.parameter("filename", of: disposition)
      {
        self.name = name
        bytes = Array(body[min(headEnd + Self.blankLine.count, end)..<end])
        return
      }
      position = end + Self.newline.count
    }
    return nil
  }

  private static let newline = Array("\r\n".utf8)
  private static let blankLine = Array("\r\n\r\n".utf8)

  private static func disposition(in head: String) -> String? {
    head.split(whereSeparator: \.isNewline).map(String.init)
      .first { $0.lowercased().hasPrefix("content-disposition:") }
  }

  /// The value of a parameter of a header: `; name="value"` or `; name=value`.
  private static func parameter(_ name: String, of header: String) -> String? {
    for part in header.split(separator: ";").dropFirst() {
      let sides = part.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, sides[0].filter({ $0 != " " }).lowercased() == name else { continue }
      return String(sides[1]).trimmingPrefix(while: { $0 == " " })
        .filter { $0 != "\"" }
    }
    return nil
  }

  /// Where the bytes begin in the body, at `start` or after it.
  private static func find(_ needle: [UInt8], in body: [UInt8], from start: Int) -> Int? {
    guard let first = needle.first, start >= 0 else { return nil }
    return body.withUnsafeBytes { body -> Int? in
      guard let base = body.baseAddress else { return nil }
      var position = start
      while position + needle.count <= body.count {
        let rest = body.count - needle.count + 1 - position
        guard let hit = memchr(base + position, Int32(first), rest) else { return nil }
        position = UnsafeRawPointer(hit) - base
        if body[position..<position + needle.count].elementsEqual(needle) { return position }
        position += 1
      }
      return nil
    }
  }
}
