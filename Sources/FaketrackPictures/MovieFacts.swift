import Foundation
import Geodesy

/// The time and the position in an MP4 or MOV file.
///
/// Sources: ISO/IEC 14496-12, 8.2.2; QuickTime File Format, User Data and Metadata; ISO 6709, annex H.
struct MovieFacts {
  private typealias Box = PictureContainer.Box

  private(set) var created: CameraTime.Zoned?
  private(set) var coordinate: Coordinate?

  /// The maximum number of bytes of a text.
  private static let longestText = 256

  init(_ movie: PictureContainer.Box, _ file: PictureBytes) {
    let parts = PictureContainer.boxes(of: file, in: movie.body)
    let texts = parts.first { $0.type == "meta" }.map { Self.texts($0, file) } ?? [:]
    created =
      texts["com.apple.quicktime.creationdate"].flatMap(CameraTime.Zoned.init)
      ?? parts.first { $0.type == "mvhd" }.flatMap { Self.creationTime($0, file) }
    let user = parts.first { $0.type == "udta" }.flatMap { Self.place(inUserData: $0, file) }
    coordinate =
      (texts["com.apple.quicktime.location.ISO6709"] ?? user).flatMap(Self.coordinate)
  }

  private static func creationTime(_ header: Box, _ file: PictureBytes) -> CameraTime.Zoned? {
    guard let version = file.number(at: header.body.lowerBound, bytes: 1),
      case let length = version == 1 ? 8 : 4, header.body.count >= 4 + length,
      let seconds = file.number(at: header.body.lowerBound + 4, bytes: length),
      // Cameras without a clock write zero.
      seconds > 0, seconds < 1 << 40
    else { return nil }
    // From 1 January 1904 to 1 January 2001.
    return CameraTime.Zoned(seconds: Double(seconds - 3_061_152_000), offset: 0)
  }

  /// The text of the box whose name is the copyright sign and `xyz`: its length, its language, and itself.
  private static func place(inUserData data: Box, _ file: PictureBytes) -> String? {
    PictureContainer.boxes(of: file, in: data.body).first { $0.type.dropFirst() == "xyz" }
      .flatMap { box in
        guard let length = file.number(at: box.body.lowerBound, bytes: 2),
          (1...longestText).contains(length), length <= box.body.count - 4
        else { return nil }
        return file.text(at: box.body.lowerBound + 4, count: length)
      }
  }

  /// The texts of metadata, by the names in their list of keys.
  private static func texts(_ metadata: Box, _ file: PictureBytes) -> [String: String] {
    // Only MP4 has a version in front of the parts.
    let hasVersion = file.number(at: metadata.body.lowerBound, bytes: 4) == 0
    let start = min(metadata.body.lowerBound + (hasVersion ? 4 : 0), metadata.body.upperBound)
    let parts = PictureContainer.boxes(of: file, in: start..<metadata.body.upperBound)
    guard let keys = parts.first(where: { $0.type == "keys" }),
      let list = parts.first(where: { $0.type == "ilst" }), keys.body.count >= 8
    else { return [:] }
    // A key is a box whose type is the space of its name.
    let names = PictureContainer.boxes(
      of: file, in: (keys.body.lowerBound + 8)..<keys.body.upperBound
    ).map { box in
      box.body.count <= longestText
        ? file.text(at: box.body.lowerBound, count: box.body.count) : nil
    }
    var texts: [String: String] = [:]
    for item in PictureContainer.boxes(of: file, in: list.body) {
      // Its type is the number of its key.
      let number = item.type.unicodeScalars.reduce(0) { $0 << 8 | Int($1.value & 0xFF) }
      guard names.indices.contains(number - 1), let name = names[number - 1],
        let data = PictureContainer.boxes(of: file, in: item.body).first, data.type == "data",
        (9...longestText).contains(data.body.count),
        let text = file.text(at: data.body.lowerBound + 8, count: data.body.count - 8)
      else { continue }
      texts[name] = text
    }
    return texts
  }

  /// Reads `+52.4026+013.0290+035.1/`: degrees with decimals.
  private static func coordinate(_ text: String) -> Coordinate? {
    guard
      let (_, latitude, longitude) = text.prefixMatch(
        of: #/([-+][0-9]{1,2}(?:\.[0-9]+)?)([-+][0-9]{1,3}(?:\.[0-9]+)?)(?:[-+\/]|CRS|$)/#
      )?.output, let latitude = Double(latitude), let longitude = Double(longitude)
    else { return nil }
    return Coordinate(recorded: latitude, longitude)
  }
}
