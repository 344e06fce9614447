import FaketrackSupport
import Foundation
import Geodesy

/// A recorder of a walk whose truth is known: where it is sent, and with what errors it records.
struct SimulatedRecorder {
  /// An error that drifts: its standard deviation in meters, and the seconds that it lasts, 0 for
  /// one that is new with every fix.
  struct Noise {
    var meters = 0.0
    var seconds = 0.0
  }

  /// Seconds from one fix to the next.
  var interval = 1.0
  /// The error of the position, northwards and eastwards each.
  var jitter = Noise()
  /// The error of the elevation.
  var elevationNoise = Noise()
  /// The meters that elevations are rounded to.
  var resolution: Double?
  var seed: UInt64 = 1

  static let start = Date(timeIntervalSince1970: 1_777_622_400)

  /// Records a way for some seconds: meters eastwards and northwards after each, and the height.
  func record(
    _ seconds: Double, height: (Double) -> Double? = { _ in nil },
    place: (Double) -> (east: Double, north: Double)
  ) throws -> [Fix] {
    try record(
      at: Array(stride(from: 0, to: seconds, by: interval)), height: height, place: place)
  }

  /// Records a way eastwards at a constant speed; the height is that after some meters.
  func record(meters: Double, speed: Double, height: (Double) -> Double) throws -> [Fix] {
    try record(meters / speed, height: { height($0 * speed) }) { ($0 * speed, 0) }
  }

  /// Records a way at these seconds.
  func record(
    at times: [Double], height: (Double) -> Double? = { _ in nil },
    place: (Double) -> (east: Double, north: Double)
  ) throws -> [Fix] {
    var generator = SplitMix64(seed: seed)
    let origin = try Coordinate(latitude: 52.4, longitude: 13)
    var (eastern, northern, vertical) = (Drift(jitter), Drift(jitter), Drift(elevationNoise))
    return times.map { time in
      let place = place(time)
      let east = place.east + eastern.next(at: time, &generator)
      let north = place.north + northern.next(at: time, &generator)
      let error = vertical.next(at: time, &generator)
      let elevation = height(time).map { height in
        resolution.map { ((height + error) / $0).rounded() * $0 } ?? (height + error)
      }
      return Fix(
        origin.destination(distance: east, bearing: 90).destination(distance: north, bearing: 0),
        time: Self.start.addingTimeInterval(time), elevation: elevation)
    }
  }

  /// A first-order autoregressive error.
  private struct Drift {
    var noise: Noise
    var error = 0.0
    var time: Double?

    init(_ noise: Noise) {
      self.noise = noise
    }

    mutating func next(at time: Double, _ generator: inout SplitMix64) -> Double {
      guard noise.meters > 0 else { return 0 }
      let kept = self.time.map { noise.seconds > 0 ? exp(($0 - time) / noise.seconds) : 0 } ?? 0
      let fresh = noise.meters * (1 - kept * kept).squareRoot() * generator.normal()
      error = kept * error + fresh
      self.time = time
      return error
    }
  }
}
