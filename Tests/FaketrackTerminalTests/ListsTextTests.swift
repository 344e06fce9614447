import FaketrackTerminal
import Foundation
import Locations
import Testing

@testable import FaketrackFeatures

@Suite struct ListsTextTests {
  private static func feed(_ json: String) throws -> ListFeed {
    try ListFeed(json: Data(json.utf8))
  }

  private static let two = """
    [{"id":2,"listId":1,"name":"Item 2"},{"id":1,"listId":1,"name":"Item 1"},
    {"id":3,"listId":4,"name":"B\\u001b[2J\\n"},{"id":4,"listId":4,"name":null}]
    """

  @Test func aHeadingAndALineForEachItem() throws {
    #expect(
      TerminalStyle().text(Document(sections: try Self.feed(Self.two).sections())) == """
        List 1  2 items
        │ Item 1
        │ Item 2

        List 4  1 item
        │ B [2J\u{20}

        """)
  }

  @Test func anEmptyFeedIsNoText() throws {
    #expect(TerminalStyle().text(Document(sections: try Self.feed("[]").sections())).isEmpty)
  }

  @Test func listsNextToEachOtherHaveUnlikeColors() throws {
    let items = (0..<14).map { "{\"id\":\($0),\"listId\":\($0),\"name\":\"a\"}" }
    let feed = try Self.feed("[\(items.joined(separator: ","))]")
    let text = TerminalStyle(hasColor: true).text(Document(sections: feed.sections()))
    let codes = text.split(separator: "\n").filter { $0.contains("│") }
      .map { String($0.dropFirst(2).prefix { $0.isNumber }) }
    #expect(codes.count == 14)
    for (code, next) in zip(codes, codes.dropFirst()) { #expect(code != next) }
    #expect(Set(codes).count == 6)
    let plain = TerminalStyle().text(Document(sections: feed.sections()))
    #expect(text.replacing(#/\u{1B}\[\d+m/#, with: "") == plain)
  }

  @Test func isAnObjectALine() throws {
    #expect(
      try Self.feed(Self.two).ndjson == #"""
        {"listId":1,"id":1,"name":"Item 1"}
        {"listId":1,"id":2,"name":"Item 2"}
        {"listId":4,"id":3,"name":"B\u001b[2J\n"}

        """#)
    #expect(try Self.feed("[]").ndjson.isEmpty)
  }
}

@Suite struct HomeTextTests {
  private static func state(
    hasFlickrKey: Bool = false, hasImportedIndex: Bool = false, favorites: Loading<Int> = .loaded(3)
  ) -> HomeViewModel.State {
    HomeViewModel.State(
      photos: PhotoSourceSummary(hasFlickrKey: hasFlickrKey), cities: 234_908,
      hasImportedIndex: hasImportedIndex, favorites: favorites, tracks: [], walkedTrack: nil,
      permission: .notDetermined)
  }

  @Test func isTheScreenWordForWord() {
    #expect(
      TerminalStyle().text(Self.state().commands) == """
        faketrack walks any GPX track: for every 100 meters, a photo taken there \
        and the city you are near.

        Try next
          faketrack demo                the sample walk, in the terminal or on a local web page
          faketrack replay walk.gpx     a photo URL for every 100 meters of a walk
          faketrack cities search pots  cities whose names start with “pots”

        Status
          Flickr key  not set: photos come from Wikimedia Commons, which needs none
          city index  234,908 cities, built in
          favorites   3

        All commands: faketrack --help

        """)
  }

  @Test func tellsTheKeyAndTheImportedIndex() {
    let text = TerminalStyle().text(
      Self.state(hasFlickrKey: true, hasImportedIndex: true).commands)
    #expect(text.contains("  Flickr key  set: photos come from Flickr\n"))
    #expect(text.contains("  city index  234,908 cities, imported\n"))
  }

  @Test(
    arguments: [
      (.loaded(1_200), "1,200"), (.failed(Failure(message: "broken\u{1B}[2J")), "broken [2J"),
      (.idle, ""), (.loading, ""),
    ] as [(Loading<Int>, String)])
  func tellsTheFavoritesOrWhyThereAreNone(favorites: Loading<Int>, words: String) {
    let text = TerminalStyle().text(Self.state(favorites: favorites).commands)
    #expect(text.contains("  favorites   \(words)\n"))
  }

  @Test func colorsAreOnlyForTerminals() {
    let colored = TerminalStyle(hasColor: true).text(Self.state().commands)
    #expect(colored.contains("\u{1B}[36mfaketrack replay walk.gpx   \u{1B}[0m"))
    #expect(
      colored.replacing(#/\u{1B}\[\d+m/#, with: "")
        == TerminalStyle().text(Self.state().commands))
  }
}
