import FaketrackSupport
import Foundation
import Geodesy

/// A file beside a picture with facts about it: an XMP sidecar, or the JSON file of Google Takeout.
package enum PictureSidecar {
  /// The maximum number of bytes of a sidecar.
  fileprivate static let limit = 1 << 20
  /// The maximum length of the names in an archive of Takeout, without their ending.
  private static let longestName = 46
  private static let suffix = "supplemental-metadata"

  /// Whether a file may be a sidecar by its name.
  package static func isSidecar(_ name: String) -> Bool {
    ["xmp", "json"].contains((name as NSString).pathExtension.lowercased())
  }

  /// The names that the sidecars of a picture may have, best first.
  package static func names(of picture: String) -> [String] {
    let stem = (picture as NSString).deletingPathExtension
    let packets = ["\(picture).xmp", "\(stem).xmp", "\(picture).XMP", "\(stem).XMP"]
    // The copy IMG(1).jpg has the file IMG.jpg(1).json.
    var (name, copy) = (picture, "")
    if let match = picture.wholeMatch(of: #/(.+)(\([0-9]{1,4}\))(\.[^.]+)/#)?.output {
      (name, copy) = (String(match.1 + match.3), String(match.2))
    }
    let long = "\(name).\(suffix)"
    let names =
      [long, String(long.prefix(longestName)), name, String(name.prefix(longestName))]
      + (1..<suffix.count).reversed().map { String(long.dropLast($0)) }
    return packets + names.map { "\($0)\(copy).json" }
  }
}

extension PictureFacts {
  /// Adds the place and the time in a sidecar, where they are not known yet.
  package mutating func complete(withSidecar path: String) {
    let name = (path as NSString).lastPathComponent
    do {
      let bytes = try WholeFile.bytes(of: path, limit: PictureSidecar.limit)
      let isPacket = path.lowercased().hasSuffix(".xmp")
      if isPacket, case let packet = XMPPacket(bytes), packet.isUsable {
        complete(with: packet)
      } else if !isPacket,
        let record = try? JSONDecoder().decode(TakeoutRecord.self, from: Data(bytes))
      {
        complete(with: record)
      } else {
        issues.append("\(name) has no facts of a picture")
      }
    } catch {
      issues.append("\(name) can't be read: \(error.reason)")
    }
  }

  private mutating func complete(with record: TakeoutRecord) {
    coordinate = coordinate ?? record.coordinate
    if cameraTime == nil, gpsTime == nil, let taken = record.taken {
      (cameraTime, offset) = (taken, 0)
    }
  }
}

/// The facts of a picture in an archive of Google Takeout.
private struct TakeoutRecord: Decodable {
  private struct Position: Decodable {
    let latitude: Double
    let longitude: Double

    var coordinate: Coordinate? { Coordinate(recorded: latitude, longitude) }
  }

  private struct Moment: Decodable {
    /// Seconds since 1970.
    let timestamp: String
  }

  private let photoTakenTime: Moment?
  private let geoDataExif: Position?
  private let geoData: Position?

  var coordinate: Coordinate? { geoDataExif?.coordinate ?? geoData?.coordinate }

  /// Seconds since the beginning of 2001, UTC.
  var taken: Double? {
    photoTakenTime.flatMap { Int($0.timestamp) }.map {
      Date(timeIntervalSince1970: Double($0)).timeIntervalSinceReferenceDate
    }
  }
}
