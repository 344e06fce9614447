import Foundation
import Geodesy
import Locations
import PhotoSearch
import Testing
import Tracking

@MainActor
@Suite struct TrackingModelTests {
  private func provider(_ authorization: [AuthorizationChange] = []) throws
    -> ReplayLocationProvider
  {
    ReplayLocationProvider(
      try AppServices.park, clock: VirtualClock(), authorization: authorization,
      options: ReplayOptions(outages: [.init(from: .meters(1_500), to: .meters(1_800))]))
  }

  private func model(_ locations: ReplayLocationProvider) -> TrackingModel {
    let photos = StubPhotoSearch { query in
      (0..<20).map {
        Photo(
          id: "\($0)", title: "Oak", owner: "Ada", imageURL: URL(filePath: "/\($0).jpg"),
          coordinate: query.center)
      }
    }
    return TrackingModel(AppServices(locations: locations, photos: photos))
  }

  @Test func showsAPhotoEvery100Meters() async throws {
    let provider = try provider()
    let model = model(provider)
    let running = Task { try await model.run() }
    try await provider.advance(
      to: .meters(1_000), until: { model.stops.allSatisfy { $0.photo != nil } })
    #expect((9...11).contains(model.stops.count))
    #expect(model.stops.map(\.id) == Array(0..<model.stops.count))
    #expect(Set(model.stops.map { $0.photo?.id }).count == model.stops.count)
    #expect(model.city?.name == "Potsdam")
    running.cancel()
  }

  @Test func asksBeforeItShowsPhotos() async throws {
    let provider = try provider([
      .change(to: .notDetermined, at: .start),
      .change(to: .authorizedWhenInUse, at: .elapsed(.seconds(30))),
      .change(to: .denied, at: .meters(1_000)),
    ])
    let model = model(provider)
    let running = Task { try await model.run() }
    try await provider.advance(to: .elapsed(.seconds(20)))
    #expect(model.notice == .asking)
    #expect(model.stops.isEmpty)
    try await provider.advance(to: .meters(500))
    #expect(model.notice == nil)
    #expect(!model.stops.isEmpty)
    try await provider.advance(to: .meters(1_000))
    #expect(model.notice == .denied)
    running.cancel()
  }

  @Test func saysThatTheSignalIsLost() async throws {
    let provider = try provider()
    let model = model(provider)
    let running = Task { try await model.run() }
    try await provider.advance(to: .meters(1_600))
    #expect(model.notice == .noSignal)
    try await provider.advance(to: .end)
    #expect(model.notice == nil)
    try await running.value
  }

  @Test func saysThatTheLocationIsApproximate() async throws {
    let provider = try provider([.change(to: .reducedAccuracy, at: .start)])
    let model = model(provider)
    let running = Task { try await model.run() }
    try await provider.advance(to: .meters(500))
    #expect(model.notice == .approximate)
    running.cancel()
  }

  @Test func saysWhyASearchFails() async throws {
    let provider = try provider()
    let search = StubPhotoSearch { _ in
      throw PhotoSearchError(service: "Photos", reason: .unreachable, message: "no route to host")
    }
    let model = TrackingModel(AppServices(locations: provider, photos: search))
    let running = Task { try await model.run() }
    try await provider.advance(to: .meters(200), until: { model.searchFailure != nil })
    #expect(model.stops.allSatisfy { $0.photo == nil })
    running.cancel()
  }
}
