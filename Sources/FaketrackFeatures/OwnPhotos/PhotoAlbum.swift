import Dispatch
import FaketrackSupport
import Foundation
import Geodesy
import Locations

/// The user's own pictures for a walk along a track: each is shown once, at the location nearest to
/// where it was taken.
///
/// The track is read first, to place the pictures on it, and walked once without waiting, to find
/// its locations.
package struct PhotoAlbum: Sendable {
  package let photos: OwnPhotos
  private let track: Track
  /// The maximum distance of a picture's position from the track, in meters.
  private let radius: Double
  private let options: ReplayOptions
  private let locations: (any LocationProviding)?
  private let report: @Sendable (PlacementReport) -> Void

  /// - Parameters:
  ///   - track: read twice if it leaves out areas; the pictures taken there are left out.
  ///   - options: the part of the track that is walked, and its direction.
  ///   - locations: delivers the locations of the walk, without waiting.
  ///   - report: receives the places of the pictures.
  package init(
    _ photos: OwnPhotos, on track: Track, radius: Double,
    options: ReplayOptions = ReplayOptions(), locations: (any LocationProviding)? = nil,
    report: @escaping @Sendable (PlacementReport) -> Void = { _ in }
  ) {
    self.photos = photos
    self.track = track
    self.radius = radius
    self.options = options
    self.locations = locations
    self.report = report
  }

  /// Places the pictures on the track. Blocks while it reads the track.
  package func placement() -> PlacementReport { place().report }

  private func place() -> (report: PlacementReport, length: Double) {
    let whole = TrackTimeline(track.fixes(isWhole: true), cities: photos.cities)
    var report = PlacementReport(photos, on: whole, radius: radius)
    let areas = track.areas
    if areas.isEmpty { return (report, whole.length) }
    // On the rest of the track, the times of the others would be next to an area, or in it.
    let shown = Set(
      report.placed.lazy.filter { !areas.contains($0.coordinate) }.map(\.picture.id))
    let rest = TrackTimeline(track.fixes(), cities: photos.cities)
    report = PlacementReport(photos, on: rest, radius: radius)
    report.remove(.hidden) { !shown.contains($0.picture.id) || areas.contains($0.coordinate) }
    return (report, rest.length)
  }

  /// The photos with a place in a range of meters along the track. Blocks while it reads the track.
  package func photos(within range: ClosedRange<Double>) -> OwnPhotos {
    let placed = place().report.placed
    return photos.only(Set(placed.lazy.filter { range.contains($0.distance) }.map(\.picture.id)))
  }

  /// The failure of a receiver.
  package static var unplaceable: Failure {
    Failure(
      message: "a receiver: your own photos need a track that can be read more than once",
      hint: "Save the track as a file first.", kind: .wrongUsage)
  }

  /// Places the pictures at the locations of a walk.
  ///
  /// - Parameter isOver: whether the walk ends at an update.
  func placed(until isOver: (LocationUpdate) -> Bool) async throws -> PlacedPhotos {
    var (report, length) = try await DispatchQueue(label: "faketrack.album").blocking { place() }
    var stops: [(distance: Double, coordinate: Coordinate)] = []
    do {
      var updates = locations?.updates().makeAsyncIterator()
      while let update = try await updates?.next() {
        if let fix = update.location { stops.append((fix.distance ?? 0, fix.coordinate)) }
        if isOver(update) { break }
      }
    } catch {
      try Task.checkCancellation()
      // The walk itself reports why its track breaks off.
    }
    defer { self.report(report) }
    guard let first = stops.first, let last = stops.last else { return PlacedPhotos() }
    func distance(_ picture: PlacedPicture) -> Double {
      options.isReversed ? length - picture.distance : picture.distance
    }
    let begin = options.start == .start ? -Double.infinity : first.distance - 1
    let end = options.end == .end ? Double.infinity : last.distance + 100
    report.remove(.outside) { !(begin...max(begin, end)).contains(distance($0)) }
    // A path tells who and where the user is.
    var placed = PlacedPhotos(folder: track.areas.isEmpty ? nil : photos.folder)
    for picture in report.placed.sorted(by: { ($0.time ?? .infinity) < ($1.time ?? .infinity) }) {
      let next = stops.indices.partitionPoint { stops[$0].distance <= distance(picture) }
      let neighbors = max(0, next - 1)...min(next, stops.count - 1)
      let nearest = neighbors.min {
        stops[$0].coordinate.distance(to: picture.coordinate)
          < stops[$1].coordinate.distance(to: picture.coordinate)
      }
      placed.pictures[nearest ?? 0, default: []].append(picture)
    }
    return placed
  }
}

/// The pictures of each location of a walk, by its number.
struct PlacedPhotos {
  fileprivate(set) var pictures: [Int: [PlacedPicture]] = [:]
  /// The folder from which the addresses of pictures lead; `nil` for whole addresses.
  private let base: URL?

  fileprivate init(folder: String? = nil) {
    base = folder.map { URL(fileURLWithPath: $0, isDirectory: true) }
  }

  /// The visits of a location: one for each of its pictures, or one without any.
  func visits(_ visit: Visit, location: Int) -> [Visit] {
    guard let pictures = pictures[location] else { return [visit] }
    return pictures.enumerated().map { number, picture in
      var visit = visit
      visit.index += number
      visit.photo = picture.photo
      if let base {
        visit.photo?.imageURL = URL(
          fileURLWithPath: picture.picture.id, isDirectory: false, relativeTo: base)
      }
      visit.placement = PhotoPlacement(rule: picture.rule, isFurther: number > 0)
      visit.file = picture.picture.path
      return visit
    }
  }
}
