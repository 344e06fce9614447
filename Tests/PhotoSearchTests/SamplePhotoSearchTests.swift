import FaketrackServices
import FaketrackSupport
import Foundation
import Geodesy
import Testing

@testable import PhotoSearch

@Suite struct SamplePhotoSearchTests {
  private let search = SamplePhotoSearch()

  private func page(
    at spot: Coordinate, radius: Double = 854, number: Int = 1, size: PhotoSize = .pixels640
  ) async throws -> PhotoPage {
    try await search.photos(
      for: PhotoQuery(center: spot, radius: radius, size: size, page: number))
  }

  @Test func photosSayThatTheyAreSamples() async throws {
    let photos = try await page(at: Spot.potsdam).photos
    #expect(photos.count > 300)
    for photo in photos {
      #expect(photo.title.hasPrefix("Sample photo at "))
      #expect(photo.owner == "faketrack sample")
      #expect(photo.license?.terms == .creativeCommonsZero)
      #expect(photo.imageURL.host == "photos.faketrack.example")
      #expect(photo.pageURL?.host == "photos.faketrack.example")
    }
    #expect(Set(photos.map(\.imageURL)).count == photos.count)
  }

  @Test(arguments: EarthGridTests.spots)
  func severalAreWithin100MetersOfAnyLocation(spot: Coordinate) async throws {
    var random = SplitMix64(seed: 6)
    for radius in [500.0, 5000] {
      let grid = CellGrid(radius: radius, maximumRadius: search.maximumRadius)
      for _ in 0..<5 {
        let location = EarthGridTests.near(spot, within: 1500, using: &random)
        let cell = grid.cell(of: location)
        let photos = try await page(at: cell.center, radius: cell.radius).photos
        let near = photos.filter { photo in
          photo.coordinate.map { location.distance(to: $0) <= 100 } ?? false
        }
        #expect(near.count >= 4)
      }
    }
  }

  @Test(arguments: EarthGridTests.spots)
  func allAreWithinTheRadiusAndNearestFirst(spot: Coordinate) async throws {
    let photos = try await page(at: spot, radius: 400).photos
    let distances = photos.compactMap { $0.coordinate?.distance(to: spot) }
    #expect(distances.count == photos.count)
    #expect(distances.allSatisfy { $0 <= 401 })
    #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 <= $1 + 1 })
    // As many as the area holds, wherever on earth.
    let expected = Double.pi * 400 * 400 / (70 * 70)
    #expect(abs(Double(photos.count) - expected) < expected * 0.4)
  }

  @Test func searchesThatOverlapFindTheSamePhotos() async throws {
    let one = Set(try await page(at: Spot.potsdam, radius: 300).photos)
    let spot = Spot.potsdam.destination(distance: 100, bearing: 10)
    let other = Set(try await page(at: spot, radius: 300).photos)
    let both = one.intersection(other)
    #expect(both.count > 20)
    let expected = one.filter { photo in
      photo.coordinate.map { $0.distance(to: spot) < 298 } ?? false
    }
    #expect(both.isSuperset(of: expected))
  }

  @Test(arguments: [0, -1, 4_001, .max])
  func aPageThatCannotBeIsRefused(number: Int) async {
    let error = await #expect(throws: PhotoSearchError.self) {
      try await page(at: Spot.potsdam, number: number)
    }
    #expect(error?.reason == .status(400))
  }

  @Test func pagesGoOnWithoutRepeating() async throws {
    var ids: Set<String> = []
    var number = 1
    while true {
      let page = try await page(at: Spot.potsdam, radius: 2000, number: number)
      let before = ids.count
      ids.formUnion(page.photos.map(\.id))
      #expect(ids.count == before + page.photos.count)
      if page.isLast { break }
      #expect(page.photos.count == 500)
      number += 1
    }
    #expect(number == 6)
    #expect(ids.count > 2400)
  }

  @Test(arguments: PhotoSize.allCases)
  func imagesAreOfTheAskedSizeUnderTheGivenBase(size: PhotoSize) async throws {
    let search = SamplePhotoSearch(base: URL(literal: "http://127.0.0.1:8080/sample"))
    let query = PhotoQuery(center: Spot.potsdam, radius: 200, size: size)
    for photo in try await search.photos(for: query).photos {
      #expect(
        photo.imageURL.absoluteString
          == "http://127.0.0.1:8080/sample/\(photo.id)_\(size.rawValue).jpg")
      #expect(photo.pageURL?.absoluteString == "http://127.0.0.1:8080/sample/sample/\(photo.id)")
    }
  }

  @Test(arguments: LicenseFilter.allCases)
  func everyFilterLetsThemPass(filter: LicenseFilter) async throws {
    let query = PhotoQuery(center: Spot.potsdam, radius: 200, license: filter)
    #expect(try await !search.photos(for: query).photos.isEmpty)
  }

  @Test func aWalkGetsAFreshPhotoNearbyForEveryLocation() async throws {
    let picker = PhotoPicker(PhotoPipeline(search), settings: PhotoPickerSettings())
    var ids: Set<String> = []
    for index in 0..<150 {
      let location = Spot.potsdam.destination(distance: Double(index) * 100, bearing: 33)
      await picker.prepare(for: location)
      guard case .found(let photo, let distance?) = await picker.pick(for: location, index: index)
      else {
        Issue.record("no photo at \(index)")
        return
      }
      #expect(ids.insert(photo.id).inserted)
      #expect(distance <= 100)
    }
  }

  @Test func isIdentifiedByItsBase() {
    #expect(search.identity == "sample+https://photos.faketrack.example")
  }

  /// The first location of `faketrack.gpx`, whose photo the README shows.
  @Test func aSampleIsTheSameInEveryVersion() async throws {
    let picker = PhotoPicker(PhotoPipeline(search))
    let outcome = await picker.pick(for: Spot.at(52.4012285, 13.0157979), index: 0)
    guard case .found(let photo, _) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(
      photo.imageURL.absoluteString == "https://photos.faketrack.example/s226078x187280_z.jpg")
    #expect(photo.title.wholeMatch(of: /Sample photo at 52\.\d{6}, 13\.\d{6}/) != nil)
    #expect(photo.license?.name == "CC0 1.0")
  }
}
