import Foundation
import GPX
import Locations
import PhotoSearch

/// A walk before it begins: a track, the simulated device that moves along it, and what each location
/// gets.
package struct WalkPlan: Sendable {
  /// The photos of the locations.
  package enum Photos: Sendable {
    case none
    /// A photo is searched at each location, and downloaded if there is a folder.
    case search(PhotoPicker, concurrency: Int, folder: PhotoFolder?)
    /// The user's own pictures, each at the location nearest to where it was taken.
    ///
    /// - Parameters:
    ///   - radius: the maximum distance of a picture's position from the track, in meters.
    ///   - report: receives the places of the pictures.
    case album(OwnPhotos, radius: Double, report: @Sendable (PlacementReport) -> Void)

    /// Whether the track is read before it is walked.
    fileprivate var needTrack: Bool {
      if case .album = self { true } else { false }
    }
  }

  package var track: Track
  /// Meters between the locations.
  package var distanceFilter: Double
  package var speed: ReplaySpeed
  /// The part of the track, its pace, its laps, and the signal.
  package var options = ReplayOptions()
  package var script = WalkScript()
  /// Whether commands steer the walk.
  package var isSteered = false
  package var photos = Photos.none
  /// `nil` to omit cities.
  package var cities: CityNames?
  package var endsWhenDenied = false
  package var endsWhenAsking = false
  /// Follows the device, fix by fix.
  package var follower: (any WalkFollower)?
  /// The track time between the fixes for the follower.
  package var followerInterval = Duration.seconds(1)
  /// The time of the first fix of a track without times, for the follower.
  package var untimedStart = Date()
  /// Whether the share of the track is asked for.
  package var isMeasured = false
  /// Whether the track is one of many.
  package var isOneOfMany = false
  /// Receives the source and the first issues of the file.
  package var note: @Sendable (GPXFixes.Event) -> Void = { _ in }

  package init(_ track: Track, distanceFilter: Double, speed: ReplaySpeed) {
    self.track = track
    self.distanceFilter = distanceFilter
    self.speed = speed
  }

  /// The walk, ready to run.
  package func walk() -> Walk {
    var walk: Walk
    switch track.origin {
    case .receiver(let receiver):
      walk = Walk(locations: receiver, pace: receiver as? LiveTrack)
      walk.liveUpdates = receiver.liveUpdates()
    case .file: walk = walkOfFile()
    }
    if case .search(let picker, let concurrency, let folder) = photos {
      (walk.photos, walk.concurrency, walk.folder) = (picker, concurrency, folder)
    }
    walk.cities = cities
    (walk.endsWhenDenied, walk.endsWhenAsking) = (endsWhenDenied, endsWhenAsking)
    walk.follower = follower
    return walk
  }

  private func walkOfFile() -> Walk {
    let track = photos.needTrack || follower != nil || isSteered ? track.recorded() : track
    func provider(_ fixes: GPXFixes, _ speed: ReplaySpeed) -> ReplayLocationProvider {
      ReplayLocationProvider(
        batches: fixes.batches, distanceFilter: distanceFilter, speed: speed,
        script: script.steps, options: options, isSteered: isSteered || !script.turns.isEmpty)
    }
    let fixes = track.fixes(
      laps: options.laps, isMeasured: isMeasured, isOneOfMany: isOneOfMany, report: note)
    let replay = provider(fixes, speed)
    var walk = Walk(locations: replay, pace: replay)
    walk.replay = (fixes, replay)
    walk.turns = script.turns
    if case .album(let own, let radius, let report) = photos {
      walk.album = PhotoAlbum(
        own, on: track, radius: radius, options: options,
        locations: provider(track.fixes(), .max), report: report)
    }
    if follower != nil {
      walk.liveUpdates = replay.liveUpdates(
        of: track.fixes().batches, every: followerInterval, untimedStart: untimedStart)
    }
    return walk
  }
}

/// Something that goes along with a walk, fix by fix, such as an app under test.
package protocol WalkFollower: Sendable {
  /// Takes the updates of the device until they end or the task is canceled.
  ///
  /// - Parameter speed: returns the speed of the replay.
  func follow(_ updates: LocationUpdates, at speed: @Sendable () -> ReplaySpeed) async
  /// Takes the end of a walk without permission.
  func deny()
}
