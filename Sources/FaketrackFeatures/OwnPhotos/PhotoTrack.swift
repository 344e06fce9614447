import Cities
import FaketrackPictures
import FaketrackSupport
import Foundation
import GPX
import Geodesy

/// The way of a photographer: the positions in the pictures, in the order of their times.
package struct PhotoTrack: Sendable {
  package private(set) var fixes: [Fix] = []
  /// The pictures without a position or a time.
  package private(set) var leftOut: [OwnPhotos.Unreadable]

  /// The number of positions.
  package var note: String {
    let total = fixes.count + leftOut.count
    return
      "photos: \(Quantity.grouped(fixes.count)) of \(Quantity.grouped(total)) have a position and a time"
  }

  fileprivate init(_ photos: OwnPhotos) {
    leftOut = photos.unreadable.map {
      OwnPhotos.Unreadable(path: $0.path, reason: "can't be read: \($0.reason)")
    }
    var cities = photos.cities
    for picture in photos.pictures {
      guard let position = picture.facts.coordinate else {
        leftOut.append(OwnPhotos.Unreadable(path: picture.path, reason: "no position"))
        continue
      }
      guard let time = photos.time(of: picture, at: position, &cities),
        GPXTime.string(time) != nil
      else {
        leftOut.append(OwnPhotos.Unreadable(path: picture.path, reason: "no time"))
        continue
      }
      fixes.append(Fix(position, time: time))
    }
    fixes = fixes.enumerated().sorted {
      ($0.element.time ?? .distantPast, $0.offset) < ($1.element.time ?? .distantPast, $1.offset)
    }.map(\.element)
  }
}

extension OwnPhotos {
  /// The way of the photographer.
  package var track: PhotoTrack { PhotoTrack(self) }

  /// The time of a picture by its receiver, or else by its camera, in the zone of the nearest city.
  fileprivate func time(
    of picture: Picture, at position: Coordinate, _ cities: inout NearestCityCursor
  ) -> Date? {
    if let time = picture.facts.gpsTime { return time }
    switch moment(of: picture)?.moment {
    case nil: return nil
    case .universal(let time): return Date(timeIntervalSinceReferenceDate: time)
    case .local(let local):
      guard let name = cities.nearest(to: position)?.city.timezone,
        let zone = TimeZone(identifier: name)
      else { return nil }
      // The offset can change within hours, so the offset is the one at the first estimate.
      let first = Date(timeIntervalSinceReferenceDate: local)
      let guess = first - Double(zone.secondsFromGMT(for: first))
      return first - Double(zone.secondsFromGMT(for: guess))
    }
  }
}
