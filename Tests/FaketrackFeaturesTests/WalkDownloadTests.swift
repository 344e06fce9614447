import FaketrackServices
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import PhotoSearch
import Testing

@testable import FaketrackFeatures

/// Walks with downloaded photos.
@Suite struct WalkDownloadTests {
  private let directory = TemporaryDirectory()
  private let store = StateStore(TrackingState())

  /// A walk through four cells with one photo each, `0.jpg` to `3.jpg`.
  private func walk(_ fetcher: ScriptedFetcher, path: String? = nil) -> Walk {
    let search = ScriptedSearch { _, query, _ in
      let number = TestTrack.number(of: query)
      guard let url = URL(string: "https://images.example/\(number).jpg") else { throw Broken() }
      let photo = Photo(
        id: "\(number)", title: "", owner: "", imageURL: url, coordinate: query.center)
      return PhotoPage(photos: [photo], isLast: true)
    }
    return Walk(
      locations: TestTrack.provider(TestTrack.kilometers(4)), photos: PhotoPicker(search),
      folder: PhotoFolder(path ?? directory.path, fetcher))
  }

  private func visits(of walk: Walk) async throws -> [Visit] {
    let log = VisitLog()
    try await walk.run(updating: store) { log.append($0) }
    return log.visits
  }

  @Test func everyVisitTellsItsFile() async throws {
    let visits = try await visits(
      of: walk(ScriptedFetcher(answers: [.success(.image("pixels"))])))
    let names = (0..<4).map { "000\($0)-\($0).jpg" }
    #expect(visits.map(\.file) == names.map { "\(directory.path)/\($0)" })
    #expect(directory.names == names + ["credits.csv"])
    #expect(store.state.failures == 0)
  }

  @Test func aPhotoThatCannotBeFetchedIsAnErrorOfItsVisitAlone() async throws {
    let fetcher = ScriptedFetcher { request, _ in
      request.redactedURL.hasSuffix("/1.jpg") ? .text("", status: 404) : .image("pixels")
    }
    let visits = try await visits(of: walk(fetcher))
    #expect(
      visits.map(\.error) == [nil, "the photo's server answered HTTP 404", nil, nil])
    #expect(visits.map { $0.file == nil } == [false, true, false, false])
    #expect(visits.allSatisfy { $0.photo != nil }, "the photo was found all the same")
    #expect(store.state.failures == 1)
    #expect(store.state.found == 4)
    #expect(store.state.searches?.failed == 0)
    #expect(store.state.phase == .finished)
  }

  @Test func aDirectoryThatCannotBeWrittenEndsTheWalkBeforeItBegins() async throws {
    try directory.write("", to: "file")
    let path = "\(directory.path)/file/photos"
    let fetcher = ScriptedFetcher(answers: [.success(.image("pixels"))])
    let error = await #expect(throws: FileError.self) {
      _ = try await visits(of: walk(fetcher, path: path))
    }
    #expect(error?.path == path)
    #expect(
      store.state.phase
        == .failed(
          Failure(
            message: "\(directory.path)/file: is a file, not a folder", hint: "Name another folder."
          )))
    #expect(store.state.locations == 0)
    #expect(fetcher.requests.isEmpty)
  }

  @Test func aPhotoThatCannotBeWrittenEndsTheWalk() async throws {
    let taken = "\(directory.path)/0002-2.jpg/inside"
    try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: true)
    let fetcher = ScriptedFetcher(answers: [.success(.image("pixels"))])
    let log = VisitLog()
    await #expect(throws: Failure.self) {
      try await walk(fetcher).run(updating: store) { log.append($0) }
    }
    #expect(log.visits.map(\.index) == [0, 1])
    #expect(store.state.searched == 2)
  }

  @Test func aWalkThatIsRepeatedFetchesNothingAgain() async throws {
    let fetcher = ScriptedFetcher(answers: [.success(.image("pixels"))])
    let first = try await visits(of: walk(fetcher))
    let second = try await visits(of: walk(fetcher))
    #expect(second == first)
    #expect(fetcher.requests.count == 4)
  }
}
