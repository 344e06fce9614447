/// The shortest path between two positions on the WGS-84 ellipsoid: the inverse problem.
///
/// The method is that of Karney, "Algorithms for geodesics", Journal of Geodesy 87 (2013), section
/// 4, with another start: Newton's method for the azimuth from which the geodesic meets the second
/// parallel at the right longitude, from the solution on a sphere, held within a bracket that is
/// halved when a step leaves it. It finds the shortest path for every pair, antipodes included.
@usableFromInline
struct Geodesic {
  /// Metres.
  @usableFromInline let length: Double
  /// The azimuth at the start.
  let azimuth: Angle

  @usableFromInline
  init(from start: Coordinate, to end: Coordinate) {
    var east = end.longitude - start.longitude
    if abs(east) > 180 { east -= east < 0 ? -360 : 360 }
    let isSamePole = start.latitude == end.latitude && abs(start.latitude) == 90
    if isSamePole || abs(east) < GeodesicLine.leastDegrees { east = 0 }

    // By symmetry, go eastwards and start in the south, at the latitude farther from the equator.
    let swapped = abs(start.latitude) < abs(end.latitude)
    let (from, to) = swapped ? (end.latitude, start.latitude) : (start.latitude, end.latitude)
    let flipped = from >= 0
    let path = GeodesicProblem(
      start: GeodesicLine.reducedLatitude(flipped ? -from : from),
      end: GeodesicLine.reducedLatitude(flipped ? -to : to),
      longitude: abs(east)
    ).solution()
    let azimuth = swapped ? path.endAzimuth : path.startAzimuth
    length = path.metres
    self.azimuth = Angle(
      sine: east < 0 ? -azimuth.sine : azimuth.sine,
      cosine: swapped == flipped ? azimuth.cosine : -azimuth.cosine)
  }
}
