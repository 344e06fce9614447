import FaketrackFeatures

extension TrackShape: Encodable {
  private enum CodingKeys: CodingKey {
    case line, elevations, breaks, length
  }

  /// Flat arrays: latitude, longitude and metres of each point in turn; elevations by point; the
  /// numbers of the points that a gap comes before.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(
      points.flatMap { point in
        [
          point.coordinate.latitude.rounded(decimals: 6),
          point.coordinate.longitude.rounded(decimals: 6), point.distance.rounded(decimals: 1),
        ]
      }, forKey: .line)
    try values.encode(points.map { $0.elevation?.rounded(decimals: 1) }, forKey: .elevations)
    try values.encode(points.indices.filter { points[$0].isBreak }, forKey: .breaks)
    try values.encode(length.rounded(decimals: 1), forKey: .length)
  }
}
