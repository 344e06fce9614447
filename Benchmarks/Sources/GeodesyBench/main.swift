import Geodesy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The great-circle distances on a sphere of the mean Earth radius, which the others are compared
/// with.
@inline(never)
func haversineSum(_ pairs: [(Coordinate, Coordinate)]) -> Double {
  var sum = 0.0
  for (a, b) in pairs {
    let radian = Double.pi / 180
    let north = sin((b.latitude - a.latitude) * radian / 2)
    let east = sin((b.longitude - a.longitude) * radian / 2)
    let h =
      north * north + cos(a.latitude * radian) * cos(b.latitude * radian) * east * east
    sum += 2 * 6_371_008.8 * asin(min(1, h.squareRoot()))
  }
  return sum
}

@inline(never)
func distanceSum(_ pairs: [(Coordinate, Coordinate)]) -> Double {
  pairs.reduce(0) { $0 + $1.0.distance(to: $1.1) }
}

@inline(never)
func bearingSum(_ pairs: [(Coordinate, Coordinate)]) -> Double {
  pairs.reduce(0) { $0 + $1.0.bearing(to: $1.1) }
}

@inline(never)
func interpolationSum(_ pairs: [(Coordinate, Coordinate)]) -> Double {
  pairs.reduce(0) { $0 + $1.0.interpolated(to: $1.1, fraction: 0.5).latitude }
}

/// Pairs of positions as a distance filter measures them: each position of a walk, a few meters a
/// step, and the last one that passed the filter of 100 m.
func walk(from latitude: Double, count: Int) throws -> [(Coordinate, Coordinate)] {
  var random = SystemRandomNumberGenerator()
  var here = try Coordinate(latitude: latitude, longitude: 13.06)
  var last = here
  var heading = 45.0
  return (0..<count).map { _ in
    heading += .random(in: -10...10, using: &random)
    here = here.destination(distance: .random(in: 1...12, using: &random), bearing: heading)
    defer { if last.distance(to: here) >= 100 { last = here } }
    return (last, here)
  }
}

/// Pairs of random positions on the globe.
func anywhere(count: Int) throws -> [(Coordinate, Coordinate)] {
  var random = SystemRandomNumberGenerator()
  func position() throws -> Coordinate {
    try Coordinate(
      latitude: .random(in: -90...90, using: &random),
      longitude: .random(in: -180...180, using: &random))
  }
  return try (0..<count).map { _ in (try position(), try position()) }
}

/// The fastest of several runs, in nanoseconds per pair, and the sum of the results.
func measure(
  _ pairs: [(Coordinate, Coordinate)], _ body: ([(Coordinate, Coordinate)]) -> Double
) -> (nanoseconds: Double, sum: Double) {
  let clock = ContinuousClock()
  var best = Duration.seconds(1_000)
  var sum = 0.0
  for _ in 0..<15 {
    let time = clock.measure { sum += body(pairs) }
    best = min(best, time)
  }
  return (best / .nanoseconds(1) / Double(pairs.count), sum)
}

let walked = try walk(from: 52.4, count: 200_000)
let scattered = try anywhere(count: 20_000)
// Prints a name and the nanoseconds of a pair per line; `geodesy.sh` compares them with the first.
var total = 0.0
for (name, pairs, body) in [
  ("haversine", walked, haversineSum), ("distance_short", walked, distanceSum),
  ("distance_anywhere", scattered, distanceSum), ("bearing_short", walked, bearingSum),
  ("interpolation_short", walked, interpolationSum),
] {
  let result = measure(pairs, body)
  total += result.sum
  print(name, result.nanoseconds)
}
// Uses the results, so that the compiler cannot skip their computation.
if total.isNaN { print("not a number") }
