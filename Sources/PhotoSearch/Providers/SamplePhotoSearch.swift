import FaketrackServices
import FaketrackSupport
import Foundation
import Geodesy

/// Makes up photos from the position alone, without a network; their titles say so.
///
/// There are several within 100 m of any position on Earth, and they are always the same.
public struct SamplePhotoSearch: PhotoSearching {
  /// The prefix of the keys under which answers are kept.
  public let identity: String
  /// 31.9 km.
  public let maximumRadius = 31_900.0

  private let base: String
  private let grid = EarthGrid(side: Self.side)

  /// The size of a cell in meters. Each has one photo, no more than 14 m off its center, so that at
  /// least four are within 100 m of any position.
  private static let side = 70.0
  /// Large enough for one page to cover the cell of a search.
  private static let pageSize = 500
  private static let maximumResults = 4_000

  /// Creates a search.
  ///
  /// - Parameter base: the start of the addresses of the images; by default a reserved domain,
  ///   which never exists.
  public init(base: URL? = nil) {
    self.base = base?.absoluteString ?? "https://photos.faketrack.example"
    identity = "sample+\(self.base)"
  }

  /// Returns a page of photos, the nearest first.
  ///
  /// - Throws: ``PhotoSearchError`` for a page that is not 1 ... 4,000, `CancellationError`.
  public func photos(for query: PhotoQuery) async throws -> PhotoPage {
    try Task.checkCancellation()
    guard (1...Self.maximumResults).contains(query.page) else {
      throw PhotoSearchError(
        service: "Sample", reason: .status(400), message: "there is no page \(query.page)")
    }
    let last = min(query.page * Self.pageSize, Self.maximumResults)
    let found = nearest(
      last, to: rounded(query.center), within: min(query.radius, maximumRadius).rounded())
    let photos = found.photos.dropFirst((query.page - 1) * Self.pageSize)
      .compactMap { photo(of: $0, size: query.size) }
    let total = min(found.total, Self.maximumResults)
    return PhotoPage(
      photos: photos, isLast: photos.isEmpty || query.page * Self.pageSize >= total)
  }

  private func photo(of sample: Sample, size: PhotoSize) -> Photo? {
    let latitude = DecimalText.fixed(sample.coordinate.latitude, places: 6)
    let longitude = DecimalText.fixed(sample.coordinate.longitude, places: 6)
    return URL(string: "\(base)/\(sample.id)_\(size.rawValue).jpg").map { url in
      Photo(
        id: sample.id, title: "Sample photo at \(latitude), \(longitude)",
        owner: "faketrack sample", license: FlickrLicense.creativeCommonsZero, imageURL: url,
        pageURL: URL(string: "\(base)/sample/\(sample.id)"),
        coordinate: rounded(sample.coordinate))
    }
  }

  private func rounded(_ coordinate: Coordinate) -> Coordinate {
    .clamped(
      latitude: coordinate.latitude.rounded(places: 6),
      longitude: coordinate.longitude.rounded(places: 6))
  }

  typealias Sample = (id: String, coordinate: Coordinate)

  /// The nearest photos, and the approximate number of all within the radius.
  ///
  /// - Complexity: linear in `count`, however large the radius.
  func nearest(
    _ count: Int, to center: Coordinate, within radius: Double
  ) -> (photos: [Sample], total: Int) {
    let needed = Self.side * (1.3 * Double(count) / .pi).squareRoot() + 2 * Self.side
    let reach = min(radius, needed)
    let found = cells(within: reach, of: center)
      .map { cell in
        let sample = sample(in: cell)
        return (cell: cell, photo: sample, distance: center.distance(to: sample.coordinate))
      }
      .filter { $0.distance <= reach }
      .sorted {
        ($0.distance, $0.cell.row, $0.cell.column) < ($1.distance, $1.cell.row, $1.cell.column)
      }
    let total =
      reach < radius ? Int(.pi * radius * radius / (Self.side * Self.side)) : found.count
    return (found.prefix(count).map(\.photo), total)
  }

  private func sample(in cell: EarthGrid.Cell) -> Sample {
    var generator = SplitMix64(seed: UInt64(cell.row) << 32 | UInt64(cell.column))
    let position = grid.position(
      in: cell,
      eastward: 0.36 + 0.28 * generator.unit(), northward: 0.36 + 0.28 * generator.unit())
    return (id: "s\(cell.row)x\(cell.column)", coordinate: position)
  }

  /// All cells that may have a photo within the reach, and some that have none.
  private func cells(within reach: Double, of center: Coordinate) -> [EarthGrid.Cell] {
    // Angles on a sphere that is smaller than the Earth are never too small.
    let angle = reach / EarthGrid.smallestRadius
    let latitude = center.latitude * .pi / 180
    let rows = Int((angle * 180 / .pi / grid.height).rounded(.up))
    let middle = grid.cell(at: center).row
    let holdsPole = abs(latitude) + angle >= .pi / 2
    let span = holdsPole ? 180 : asin(sin(angle) / cos(latitude)) * 180 / .pi
    return (max(0, middle - rows)...min(grid.rows - 1, middle + rows)).flatMap { row in
      let columns = grid.columns(in: row)
      let width = 360 / Double(columns)
      let first = Int(((center.longitude - span + 180) / width).rounded(.down))
      let last = Int(((center.longitude + span + 180) / width).rounded(.down))
      return (first...max(first, min(last, first + columns - 1))).map {
        EarthGrid.Cell(row: row, column: ($0 % columns + columns) % columns)
      }
    }
  }
}

extension PhotoProvider {
  package static let sample = PhotoProvider(
    name: "sample", title: "the built-in sample",
    notice: "photos: the built-in sample, made up; --photos commons for real ones, "
      + "FLICKR_API_KEY for Flickr",
    isMadeUp: true, makeSearch: { SamplePhotoSearch(base: $0.imageBase) })
}
