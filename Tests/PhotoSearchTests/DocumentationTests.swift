import FaketrackTestSupport
import Foundation
import Geodesy
import Testing

// As an app imports it: what is not public cannot be used here.
import PhotoSearch

/// The snippets of the article, compiled and run.
@Suite struct DocumentationTests {
  /// The network of the snippets: Commons with three photos.
  private struct CommonsFetcher: HTTPFetching {
    func fetch(_ request: ServiceRequest) async throws -> ServiceResponse {
      guard request.value(for: "generator") == "geosearch" else { throw HTTPFailure.timedOut }
      return ServiceResponse(body: Data(CommonsFixtures.mixed.utf8))
    }
  }

  @Test func searching() async throws {
    var printed: [String] = []
    func print(_ url: URL, _ owner: String, _ license: String, _ year: Int) {
      printed.append("\(url.lastPathComponent) \(owner) \(license) \(year)")
    }
    let fetcher = CommonsFetcher()

    let commons = CommonsPhotoSearch(
      userAgent: "Walks/1.0 (https://walks.example)", fetcher: fetcher)
    let potsdam = try Coordinate(latitude: 52.4042, longitude: 13.0385)
    let page = try await commons.photos(
      for: PhotoQuery(center: potsdam, radius: 500, size: .pixels1024, license: .commercial))
    for photo in page.photos {
      print(
        photo.imageURL, photo.owner, photo.license?.name ?? "",
        photo.taken?.dateComponents.year ?? 0)
    }

    #expect(printed.count == 2)
    #expect(printed.last == "960px-S.jpg Änne Müller & Söhne CC BY-SA 4.0 2015")
  }

  @Test func picking() async throws {
    let commons = CommonsPhotoSearch(userAgent: "a/1 (b)", fetcher: CommonsFetcher())
    let start = try Coordinate(latitude: 52.4042, longitude: 13.0385)
    let walk = (0..<2).map { start.destination(distance: Double($0) * 100, bearing: 90) }
    var shown: [String] = []
    func show(_ photo: Photo, _ distance: Double?) {
      shown.append(photo.id)
    }

    let picker = PhotoPicker(
      PhotoPipeline(commons), settings: PhotoPickerSettings(radius: 500, seed: 7))
    for location in walk {
      guard let picked = try await picker.photo(for: location) else { continue }
      show(picked.photo, picked.distance)
    }

    #expect(Set(shown).count == 2)
    #expect(await picker.counts.found == 2)
  }

  @Test func stubbingPhotos() async throws {
    let image = URL(literal: "https://example.com/bridge.jpg")
    let picker = PhotoPicker(
      StubPhotoSearch { query in
        [Photo(id: "1", title: "Bridge", owner: "Ada", imageURL: image, coordinate: query.center)]
      })
    let picked = try await picker.photo(for: Coordinate(latitude: 52.4042, longitude: 13.0385))
    #expect(picked?.photo.id == "1")
    #expect(try #require(picked?.distance) < 500)
  }

  struct StubFetcher: HTTPFetching {
    func fetch(_ request: ServiceRequest) async throws -> ServiceResponse {
      ServiceResponse(body: Data(#"{"batchcomplete":true,"query":{"pages":[]}}"#.utf8))
    }
  }

  @Test func stubbing() async throws {
    let search = CommonsPhotoSearch(userAgent: "a/1 (b)", fetcher: StubFetcher())
    let center = try Coordinate(latitude: 0, longitude: 0)
    let page = try await search.photos(for: PhotoQuery(center: center, radius: 1))
    #expect(page.photos.isEmpty && page.isLast)
    let samples = try await SamplePhotoSearch().photos(for: PhotoQuery(center: center, radius: 100))
    #expect(!samples.photos.isEmpty)
  }
}
