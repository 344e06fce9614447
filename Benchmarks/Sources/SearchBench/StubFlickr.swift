import FaketrackSupport
import Foundation
import Geodesy
import PhotoSearch

/// Answers each search with photos around its place, and the same search with the same bytes.
final class StubFlickr: HTTPFetching {
  private let answers = Locked<[String: Data]>([:])

  func fetch(_ request: ServiceRequest) async throws -> ServiceResponse {
    let (latitude, longitude) = (request.value(for: "lat"), request.value(for: "lon"))
    guard let latitude, let longitude else { return ServiceResponse(status: 400) }
    return ServiceResponse(body: try answer(latitude: latitude, longitude: longitude))
  }

  /// The answer for a place, made when it is first asked for.
  func answer(latitude: String, longitude: String) throws -> Data {
    try answers.withLock { answers in
      let place = "\(latitude),\(longitude)"
      if let answer = answers[place] { return answer }
      let center = try Coordinate(
        latitude: Double(latitude) ?? .nan, longitude: Double(longitude) ?? .nan)
      var maker = Answers(seed: UInt64(answers.count + 1))
      let answer = maker.json(around: center, radius: 1_200)
      answers[place] = answer
      return answer
    }
  }
}

/// Stores the bytes of answers, as a store on disk does, but in memory.
actor MemoryStore: PhotoSearchStoring {
  private var pages: [String: Data] = [:]

  func page(for key: PhotoSearchKey) -> PhotoPage? {
    pages[key.text].flatMap { try? JSONDecoder().decode(PhotoPage.self, from: $0) }
  }

  func store(_ page: PhotoPage, for key: PhotoSearchKey) throws {
    pages[key.text] = try JSONEncoder().encode(page)
  }

  /// The mean size of a stored answer, in bytes.
  var meanSize: Int { pages.values.map(\.count).reduce(0, +) / max(1, pages.count) }
}
