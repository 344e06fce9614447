import FaketrackTestSupport
import Foundation
import Synchronization
import Testing

/// The example of a shared cache, with a real nginx; `script/test nginx` installs one.
@Suite(.enabled(if: Nginx.isInstalled)) struct SharedCacheTests {
  private func replay(_ nginx: Nginx, _ track: String, _ options: String...) async throws
    -> ExecutableRun
  {
    // Each run has a separate home folder, so that only nginx is shared.
    let home = try TemporaryHome()
    let process = try home.start(
      ["replay", track] + options,
      .init(
        environment: ["FAKETRACK_FLICKR_URL": nginx.address, "FLICKR_API_KEY": "CLIENT-SECRET"]))
    return await process.result()
  }

  private func places(_ server: StubServer) -> [String] {
    server.requests.map {
      "\($0.query["lat"] ?? "")|\($0.query["lon"] ?? "")|\($0.query["page"] ?? "")"
    }
  }

  @Test func tenRunsAtOnceAskForEachPlaceOnce() async throws {
    let home = try TemporaryHome()
    let track = try home.path(home.track(40))
    let stub = FlickrStub(photosPerPage: 100, delay: .milliseconds(50))
    try await StubServer.run(stub.callAsFunction) { server in
      try await Nginx.run(before: server.url) { nginx in
        let runs = try await withThrowingTaskGroup(of: ExecutableRun.self) { group in
          for _ in 0..<10 { group.addTask { try await replay(nginx, track) } }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(runs.map(\.code) == Array(repeating: 0, count: 10))
        #expect(Set(runs.map(\.output)).count == 1)
        #expect(runs.allSatisfy { $0.lines.count == 40 })
        let places = places(server)
        #expect(places.count > 8)
        #expect(Set(places).count == places.count, "\(places.sorted())")
        #expect(runs.allSatisfy { $0.count(of: "call") == places.count })
        #expect(server.requests.allSatisfy { $0.query["api_key"] == "SHARED-SECRET" })

        let log = try String(
          contentsOf: nginx.directory.appendingPathComponent("access.log"), encoding: .utf8)
        #expect(log.split(separator: "\n").count == 10 * places.count)
        #expect(log.split(separator: "\n").count { $0.contains(" MISS ") } == places.count)
        try nginx.expectNoKey()
      }
    }
  }

  @Test func anAnswerThatWasNoUseIsReplaced() async throws {
    let home = try TemporaryHome()
    let track = try home.path(home.track(3))
    let stub = FlickrStub(photosPerPage: 60)
    let failures = Atomic(0)
    let handler: StubServer.Handler = { request in
      failures.wrappingAdd(1, ordering: .relaxed).oldValue == 0
        ? .json(#"{"stat":"fail","code":105,"message":"Service currently unavailable"}"#)
        : await stub(request)
    }
    try await StubServer.run(handler) { server in
      try await Nginx.run(before: server.url) { nginx in
        for _ in 0..<2 {
          let run = try await replay(nginx, track)
          #expect(run.code == 0 && run.lines.count == 3)
        }
        let places = places(server)
        #expect(places.count == Set(places).count + 1)
      }
    }
  }

  @Test func otherFiltersAreOtherPlaces() async throws {
    let home = try TemporaryHome()
    let track = try home.path(home.track(2))
    try await StubServer.run(FlickrStub(photosPerPage: 60).callAsFunction) { server in
      try await Nginx.run(before: server.url) { nginx in
        var asked = 0
        for options in ["--seed=0", "--license=cc", "--radius=0.8", "--size=c"] {
          _ = try await replay(nginx, track, options)
          #expect(server.requests.count > asked, "\(options)")
          asked = server.requests.count
        }
        _ = try await replay(nginx, track, "--seed=7")
        #expect(server.requests.count == asked)
      }
    }
  }

  @Test(arguments: [FlickrStub.Fault.badGateway, .hangUp])
  func failuresAreNeitherKeptNorLoggedWithAKey(fault: FlickrStub.Fault) async throws {
    let home = try TemporaryHome()
    let track = try home.path(home.track(2))
    let stub = FlickrStub(photosPerPage: 60, fault: fault, every: 2)
    try await StubServer.run(stub.callAsFunction) { server in
      try await Nginx.run(before: server.url) { nginx in
        for _ in 0..<2 {
          let run = try await replay(nginx, track)
          #expect(run.lines.count == 2)
        }
        // One per cell, and another one for each that failed.
        let count = server.requests.count
        #expect(count > 1 && count == Set(places(server)).count + count / 2)
        try nginx.expectNoKey()
      }
    }
  }
}
