import FaketrackServices
import FaketrackSupport
import Foundation
import Geodesy
import Testing

@testable import FaketrackFeeds

/// The tabs and the permissions of a browser that notes its calls.
@Suite struct TabFeedTests {
  private final class NotingBrowser: TabBrowser {
    struct State {
      var tabs: [BrowserTab]
      /// The tabs that refuse positions.
      var refusing: Set<String> = []
      /// The permissions that pages tell, by their origins.
      var permissions: [String: TabPermission] = [:]
      var calls: [String] = []
    }

    let hint = "hint"
    let state: Locked<State>

    init(_ tabs: BrowserTab...) { state = Locked(State(tabs: tabs)) }

    var calls: [String] {
      state.withLock { state in
        defer { state.calls = [] }
        return state.calls.sorted()
      }
    }

    func tabs() async throws -> [BrowserTab] { state.withLock(\.tabs) }

    func set(_ position: TabPosition, in tab: BrowserTab) async throws {
      let isRefused = state.withLock { state in
        switch position {
        case .known(let override): state.calls.append("\(tab.id) \(override.latitude)")
        case .unavailable: state.calls.append("\(tab.id) none")
        case .real: state.calls.append("\(tab.id) real")
        }
        return state.refusing.contains(tab.id)
      }
      if isRefused { throw RemoteBrowser.CallError(description: "no") }
    }

    func permission(in tab: BrowserTab) async -> TabPermission? {
      state.withLock { $0.permissions[tab.place.origin] }
    }

    func set(_ permission: TabPermission, in place: BrowserTab.Place) async throws {
      state.withLock { $0.calls.append("\(place.origin) \(permission)") }
    }
  }

  private static let first = BrowserTab("1", address: "http://a/")
  private static let second = BrowserTab("2", address: "http://a/map")

  private func feed(
    _ browser: NotingBrowser, note: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> TabFeed {
    let address = try #require(URL(string: "http://127.0.0.1:1/"))
    let context = FeedContext(fetcher: NetworkFetcher(), note: note)
    return TabFeed(at: address, plainHint: "", in: context) { browser }
  }

  private func position(_ latitude: Double) throws -> FeedSignal {
    .position(Fix(try Coordinate(latitude: latitude, longitude: 13)))
  }

  @Test func aTabThatRefusesKeepsNoOtherFromItsPosition() async throws {
    let browser = NotingBrowser(Self.first, Self.second)
    let feed = try feed(browser)
    try await feed.open()
    #expect(browser.calls == ["http://a granted"])
    browser.state.withLock { $0.refusing = ["1"] }
    #expect(try await feed.send(position(52)) == .confirmed)
    #expect(browser.calls == ["1 52.0", "2 52.0"])
    browser.state.withLock { $0.refusing = ["1", "2"] }
    #expect(try await feed.send(position(53)) == .refused("no"))
    browser.state.withLock { $0.tabs = [] }
    #expect(try await feed.send(position(54)) == .refused("no tab is open"))
  }

  @Test func theEndGrantsEachPermissionThatWasDenied() async throws {
    let browser = NotingBrowser(Self.first)
    let feed = try feed(browser)
    try await feed.open()
    #expect(try await feed.send(.denied(at: nil)) == .confirmed)
    browser.state.withLock { $0.tabs = [BrowserTab("1", address: "http://b/")] }
    #expect(try await feed.send(.denied(at: nil)) == .confirmed)
    #expect(browser.calls == ["http://a denied", "http://a granted", "http://b denied"])
    await feed.close()
    #expect(browser.calls == ["1 real", "http://a granted", "http://b granted"])
  }

  @Test func aPermissionThatWasThereIsLeftAlone() async throws {
    let browser = NotingBrowser(Self.first)
    browser.state.withLock { $0.permissions = ["http://a": .granted] }
    let feed = try feed(browser)
    try await feed.open()
    #expect(try await feed.send(position(52)) == .confirmed)
    #expect(browser.calls == ["1 52.0"])
    await feed.close()
    #expect(browser.calls == ["1 real"])
  }

  @Test(arguments: [TabPermission.prompt, .denied])
  func theEndGivesAPlaceThePermissionThatItHad(permission: TabPermission) async throws {
    let browser = NotingBrowser(Self.first)
    browser.state.withLock { $0.permissions = ["http://a": permission] }
    let feed = try feed(browser)
    try await feed.open()
    _ = try await feed.send(position(52))
    #expect(browser.calls == ["1 52.0", "http://a granted"])
    await feed.close()
    #expect(browser.calls == ["1 real", "http://a \(permission)"])
  }

  @Test func aPageThatWasDeniedBeforeIsToldOnceAndConfirmsNothing() async throws {
    let notes = Locked<[String]>([])
    let browser = NotingBrowser(Self.first, Self.second)
    browser.state.withLock { $0.permissions = ["http://a": .denied] }
    let feed = try feed(browser) { note in notes.withLock { $0.append(note) } }
    try await feed.open()
    #expect(
      notes.withLock(\.self) == [
        "note: a page of http://a was denied the position before; reload it"
      ])
    #expect(try await feed.send(position(52)) == .sent)
    // A tab that is opened later asks after the permission was given.
    browser.state.withLock { $0.tabs.append(BrowserTab("3", address: "http://a/")) }
    #expect(try await feed.send(position(53)) == .confirmed)
    #expect(notes.withLock(\.count) == 1)
  }

  @Test func aBrowserWithoutTabsHasNoReceiver() async throws {
    let browser = NotingBrowser()
    let feed = try feed(browser)
    try await feed.open()
    #expect(await !feed.hasReceiver())
    browser.state.withLock { $0.tabs = [Self.first] }
    #expect(await feed.hasReceiver())
  }

  @Test func aConnectionBeginsWithoutThePositionOfTheLast() async throws {
    let browser = NotingBrowser(Self.first)
    let feed = try feed(browser)
    try await feed.open()
    #expect(try await feed.send(position(52)) == .confirmed)
    await feed.close()
    _ = browser.calls
    try await feed.open()
    #expect(browser.calls == ["http://a granted"])
    #expect(try await feed.send(.unavailable(at: nil)) == .confirmed)
    #expect(browser.calls == ["1 none"])
  }

  @Test func beyondTheLimitThereIsOneNote() {
    var limit = TabLimit()
    var notes: [String] = []
    #expect(limit.admits("T", to: 999) { notes.append($0) })
    for _ in 0..<3 { #expect(!limit.admits("T", to: 1_000) { notes.append($0) }) }
    #expect(
      notes == ["note: the browser has more than 1,000 tabs; the first 1,000 get the position"])
  }

  @Test func aNameWithoutAnEndIsLeftOut() {
    var limit = TabLimit()
    #expect(!limit.admits(String(repeating: "T", count: 1_025), to: 0) { _ in })
  }

  @Test(arguments: [
    ("http://127.0.0.1:8000/map?x", "http://127.0.0.1:8000"),
    ("https://[::1]:8/", "https://[::1]:8"),
    ("about:blank", ""), ("file:///tmp/map.html", ""),
    ("http://\(String(repeating: "a", count: 300))/", ""),
  ])
  func aPageHasTheOriginOfItsAddress(address: String, origin: String) {
    #expect(BrowserTab("T", address: address).place.origin == origin)
  }
}
