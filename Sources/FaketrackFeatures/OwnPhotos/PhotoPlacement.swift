import FaketrackPictures
import FaketrackSupport
import Foundation
import GPX
import Geodesy
import PhotoSearch

/// The rule by which one of the user's own pictures got its place on a track.
package struct PhotoPlacement: Hashable, Sendable {
  /// In the order in which they apply; the raw values are the names in records.
  package enum Rule: String, Hashable, Sendable, CaseIterable {
    /// The position in the picture.
    case position
    /// The time of the receiver in the picture.
    case gpsTime
    /// The time of the camera, whose offset from UTC is known.
    case offsetTime
    /// The time of the camera in the time zone of the nearest city.
    case trackZone
    /// The time in the name of the file, or its modification time.
    case looseTime
  }

  package var rule: Rule
  /// Whether it is not the first picture of its location.
  package var isFurther = false

  package init(rule: Rule, isFurther: Bool = false) {
    self.rule = rule
    self.isFurther = isFurther
  }
}

/// The reason why a picture has no place on a track.
enum PlacementProblem: Error {
  case noTime
  case noZone
  case match(TrackTimeline.Match)
  case far(meters: Double?)
  case outside
  case hidden

  var reason: String {
    switch self {
    case .noTime: "no position and no time"
    case .noZone: "its time has no offset, and no city is near the track"
    case .match(.before(let gap)): "taken \(Quantity.duration(gap)) before the track"
    case .match(.after(let gap)): "taken \(Quantity.duration(gap)) after the track"
    case .match(.gap(let gap)):
      "taken in a gap of the track, \(Quantity.duration(gap)) from the next fix"
    case .match(.untimed), .match(.found): "no position, and the track has no times"
    case .far(let meters): "its position is more than \(Quantity.distance(meters ?? 0)) away"
    case .outside: "taken outside of the replayed part"
    case .hidden: "taken in an area of --privacy"
    }
  }
}

/// A picture with its place on a track.
struct PlacedPicture {
  let picture: OwnPhotos.Picture
  let rule: PhotoPlacement.Rule
  var coordinate: Coordinate
  /// Meters along the track.
  let distance: Double
  /// Seconds since the beginning of 2001, UTC.
  let time: Double?
  /// The date by the local clock of the place.
  let date: PhotoDate?

  var photo: Photo {
    let fileName = (picture.id as NSString).lastPathComponent
    var photo = Photo(
      id: picture.id, title: picture.facts.title ?? fileName, owner: picture.facts.artist ?? "",
      imageURL: URL(fileURLWithPath: picture.path, isDirectory: false).absoluteURL,
      coordinate: coordinate,
      taken: date, source: "folder")
    // A name by a camera is no title.
    if photo.captionTitle == nil { photo.title = fileName }
    return photo
  }
}

extension OwnPhotos {
  /// Places a picture on a track.
  ///
  /// A position counts within the radius, unless the receiver's clock says that it belongs to
  /// another walk. On a track that passes it several times, the time chooses among them.
  func place(
    _ picture: Picture, on track: TrackTimeline, radius: Double
  ) throws(PlacementProblem) -> PlacedPicture {
    let gps = picture.facts.gpsTime?.timeIntervalSinceReferenceDate
    let other = gps == nil ? moment(of: picture) : nil
    var time = gps
    var match = gps.map(track.match)
    switch other?.moment {
    case .universal(let universal): (time, match) = (universal, track.match(at: universal))
    case .local(let local):
      (time, match) = track.time(ofLocal: local).map { ($0, $1) } ?? (nil, nil)
    case nil: break
    }
    func placed(_ rule: PhotoPlacement.Rule, _ coordinate: Coordinate, _ place: TrackTimeline.Place)
      -> PlacedPicture
    {
      let zone = place.zone.map { track.zones[Int($0)] }
      let local = time.flatMap { time in
        zone.map {
          time + Double($0.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: time)))
        }
      }
      return PlacedPicture(
        picture: picture, rule: rule,
        coordinate: coordinate.roundedToCentimeters,
        distance: place.distance,
        time: time,
        date: (local ?? picture.facts.cameraTime.map { $0 + times.offset(of: picture.facts) })
          .flatMap(Self.date))
    }
    if let position = picture.facts.coordinate {
      if gps != nil, let match, match.place == nil, match.isTimed { throw .match(match) }
      if let place = match?.place, place.coordinate.distance(to: position) <= radius {
        return placed(.position, position, place)
      }
      guard let nearest = track.nearest(to: position, within: radius) else {
        throw .far(meters: radius)
      }
      return placed(.position, position, nearest.place)
    }
    guard gps != nil || other != nil else { throw .noTime }
    guard let match else { throw track.zones.isEmpty ? .noZone : .noTime }
    guard let place = match.place else { throw .match(match) }
    return placed(gps != nil ? .gpsTime : other?.rule ?? .looseTime, place.coordinate, place)
  }

  private static func date(_ seconds: Double) -> PhotoDate? {
    guard abs(seconds) < 1e11 else { return nil }
    let (day, second) = Int(seconds.rounded(.down)).flooredQuotientAndRemainder(86_400)
    let clock = [second / 3_600, second / 60 % 60, second % 60].map {
      DecimalText.padded($0, digits: 2)
    }
    return PhotoDate(
      "\(CivilDate(daysSinceReferenceDate: day))T\(clock.joined(separator: ":"))")
  }
}

extension TrackTimeline.Match {
  /// Whether the track has times.
  fileprivate var isTimed: Bool {
    if case .untimed = self { false } else { true }
  }
}

/// The places of all pictures of a folder on a track.
package struct PlacementReport: Sendable {
  package let pictures: Int
  package private(set) var rules: [PhotoPlacement.Rule: Int] = [:]
  /// The paths of the pictures without a place, and the reasons.
  package private(set) var unplaced: [OwnPhotos.Unreadable]
  /// The offsets with which the pictures of each camera would be within the times of the track, for cameras with
  /// pictures that are not.
  package private(set) var suggestedOffsets: [OwnPhotos.Times.Offset]
  private(set) var placed: [PlacedPicture] = []

  /// Places all pictures.
  init(_ photos: OwnPhotos, on track: TrackTimeline, radius: Double) {
    pictures = photos.pictures.count + photos.unreadable.count
    unplaced = photos.unreadable.map {
      OwnPhotos.Unreadable(path: $0.path, reason: "can't be read: \($0.reason)")
    }
    for picture in photos.pictures {
      do {
        placed.append(try photos.place(picture, on: track, radius: radius))
      } catch {
        unplaced.append(OwnPhotos.Unreadable(path: picture.path, reason: error.reason))
      }
    }
    suggestedOffsets = Self.offsets(of: photos, on: track)
    count()
  }

  private mutating func count() {
    rules = Dictionary(grouping: placed, by: \.rule).mapValues(\.count)
  }

  /// Removes pictures for a reason.
  mutating func remove(_ problem: PlacementProblem, where isRemoved: (PlacedPicture) -> Bool) {
    for picture in placed where isRemoved(picture) {
      unplaced.append(
        OwnPhotos.Unreadable(path: picture.picture.path, reason: problem.reason))
    }
    placed.removeAll(where: isRemoved)
    count()
  }

  /// The number of placed pictures, by rule: `38 of 40 placed (position 30, trackZone 8)`.
  package var summary: String {
    let parts = PhotoPlacement.Rule.allCases.compactMap { rule in
      rules[rule].map { "\(rule.rawValue) \(Quantity.grouped($0))" }
    }
    let total = rules.values.reduce(0, +)
    return "\(Quantity.grouped(total)) of \(Quantity.grouped(pictures)) placed"
      + (parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))")
  }

  /// The options that would correct the cameras' clocks.
  package var suggestion: String? {
    if suggestedOffsets.isEmpty { return nil }
    let options = suggestedOffsets.map { offset in
      let minutes = Int(abs(offset.seconds) / 60)
      let duration = "\(minutes / 60)h" + (minutes % 60 == 0 ? "" : "\(minutes % 60)min")
      let value = (offset.seconds < 0 ? "-" : "+") + duration
      return "--camera-offset " + (offset.camera.map { "\"\($0):\(value)\"" } ?? value)
    }
    return "not all photos are within the times of the track: "
      + options.joined(separator: " ") + "?"
  }

  /// The offsets for the clocks of cameras, without a name if they are the same for all.
  private static func offsets(
    of photos: OwnPhotos, on track: TrackTimeline
  ) -> [OwnPhotos.Times.Offset] {
    let timed = photos.pictures.filter { $0.facts.gpsTime == nil && $0.facts.cameraTime != nil }
    let cameras = Dictionary(grouping: timed, by: \.facts.camera)
    let offsets = cameras.compactMap { camera, pictures -> (camera: String?, seconds: Double)? in
      let moments = pictures.compactMap { photos.moment(of: $0)?.moment }
      guard let facts = pictures.first?.facts, let offset = offset(of: moments, on: track)
      else { return nil }
      return (camera, offset + photos.times.offset(of: facts))
    }
    let hasOffsets = timed.contains { $0.facts.offset != nil }
    if let first = offsets.first, !hasOffsets, offsets.count == cameras.count,
      offsets.allSatisfy({ $0.seconds == first.seconds })
    {
      return [OwnPhotos.Times.Offset(seconds: first.seconds)]
    }
    return offsets.map { camera, seconds in
      OwnPhotos.Times.Offset(
        camera: camera.map(OwnPhotos.Times.Offset.shortName), seconds: seconds)
    }.sorted { ($0.camera ?? "") < ($1.camera ?? "") }
  }

  /// The seconds with which all moments would be within the times of the track; `nil` if they are, or cannot be.
  ///
  /// Tries whole hours, then half hours, the smallest first.
  private static func offset(
    of moments: [OwnPhotos.Moment], on track: TrackTimeline
  ) -> Double? {
    func allFit(_ offset: Double) -> Bool {
      moments.allSatisfy { moment in
        switch moment {
        case .universal(let time): track.covers(time + offset)
        case .local(let time):
          track.time(ofLocal: time + offset).map { track.covers($0.time) } ?? false
        }
      }
    }
    if allFit(0) { return nil }
    let hours = (1...14).flatMap { [Double(-$0), Double($0)] }
    let halves = (0..<14).flatMap { [-0.5 - Double($0), 0.5 + Double($0)] }
    return (hours + halves).map { $0 * 3_600 }.first(where: allFit)
  }
}
