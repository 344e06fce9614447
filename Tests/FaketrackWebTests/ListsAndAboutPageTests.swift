import FaketrackFeatures
import FaketrackServer
import Foundation
import Testing

@testable import FaketrackWeb

@MainActor
@Suite struct ListsPageTests {
  private let json = """
    [{"id":276,"listId":2,"name":"Item 276"},{"id":28,"listId":2,"name":"Item 28"},
    {"id":1,"listId":10,"name":"Tea & milk"},{"id":2,"listId":10,"name":null},
    {"id":3,"listId":10,"name":" "}]
    """

  @Test func theFirstAnswerHoldsTheGroups() async throws {
    let page = try await Website.make(feed: StubFeed(json)).page("/lists")
    #expect(page.contains("3 items in 2 lists, 2 items without a name left out"))
    #expect(page.contains("List 2 ") && page.contains("List 10 "))
    #expect(page.contains("<li>Tea &amp; milk</li>"))
    #expect(page.contains("color-0") && page.contains("color-1"))
    #expect(page.contains("data-part=\"lists\"") && !page.contains("data-waiting"))
  }

  @Test(arguments: [
    ("/lists", "Item 276", "Item 28", "As text"),
    ("/lists?sort=text", "Item 276", "Item 28", "As text"),
    ("/lists?sort=natural", "Item 28", "Item 276", "By number"),
    ("/lists?sort=sideways", "Item 276", "Item 28", "As text"),
  ])
  func theOrderIsThatOfTheAddress(
    _ address: String, first: String, second: String, choice: String
  ) async throws {
    let page = try await Website.make(feed: StubFeed(json)).page(address)
    #expect(page.contains("<li>\(first)</li><li>\(second)</li>"))
    #expect(page.contains("aria-current=\"true\">\(choice)</a>"))
  }

  @Test(arguments: ["/lists?part=lists", "/lists?part=lists&sort=natural"])
  func theGroupsAloneAreAPart(_ address: String) async throws {
    let part = try await Website.make(feed: StubFeed(json)).page(address)
    #expect(!part.contains("<html") && part.contains("Tea &amp; milk"))
  }

  @Test(arguments: ["not json", "", "{}", "[{\"id\":1}]"])
  func anUnusableFeedIsAnErrorWithARetry(_ feed: String) async throws {
    let page = try await Website.make(feed: StubFeed(feed)).page("/lists?sort=natural")
    #expect(page.contains("The lists cannot be loaded") && page.contains("data-retry=\"lists\""))
    #expect(page.contains("href=\"/lists?sort=natural\""))
  }

  @Test(arguments: [
    ("/lists", "/lists?refresh=1"), ("/lists?sort=natural", "/lists?sort=natural&amp;refresh=1"),
  ])
  func canBeRefreshed(_ address: String, refresh: String) async throws {
    let feed = StubFeed(json)
    let website = Website.make(feed: feed)
    let page = try await website.page(address)
    #expect(page.contains("href=\"\(refresh)\" data-retry=\"lists\">Refresh</a>"))
    #expect(feed.refreshes == 0)
    let again = try await website.page(refresh.replacing("&amp;", with: "&"))
    #expect(again.contains("Tea &amp; milk") && again.contains("href=\"\(refresh)\""))
    #expect(feed.loads == 2 && feed.refreshes == 1)
  }

  @Test func onlyTheSummaryIsALiveRegion() async throws {
    let page = try await Website.make(feed: StubFeed(json)).page("/lists")
    #expect(page.contains(/role="status">3 items in 2 lists/) && !page.contains("aria-live"))
  }

  @Test func anEmptyFeedSaysSo() async throws {
    let page = try await Website.make(feed: StubFeed("[]")).page("/lists")
    #expect(page.contains("The feed has no item with a name."))
  }

  @Test func withoutAFeedOneLearnsHowToNameOne() async throws {
    let page = try await Website.make().page("/lists")
    #expect(page.contains("No feed was named. Start with faketrack serve --lists"))
    #expect(!page.contains("By number"))
  }
}

@MainActor
@Suite struct AboutPageTests {
  @Test func creditsEverything() async throws {
    let page = try await Website.make().page("/about")
    for credit in [
      "https://www.geonames.org", "https://creativecommons.org/licenses/by/4.0/",
      "https://commons.wikimedia.org", "https://en.wikipedia.org",
      "https://creativecommons.org/licenses/by-sa/4.0/",
      "This product uses the Flickr API but is not endorsed or certified by SmugMug, Inc.",
      "234,908 cities, built in, as of 20",
      "https://www.apache.org/licenses/LICENSE-2.0",
      "https://github.com/faketrack/faketrack/issues",
      "https://github.com/faketrack/faketrack/security/policy",
    ] {
      #expect(page.contains(credit))
    }
    #expect(page.contains(/faketrack \d+\.\d+\.\d+ replays a GPX track/))
  }

  @Test func creditsTheTiles() async throws {
    let tiles = try #require(
      TileTemplate("https://tiles.example/{z}/{x}/{y}", attribution: "© Tile <Makers>"))
    let website = Website.make(tiles: tiles)
    #expect(try await website.page("/about").contains("© Tile &lt;Makers&gt;."))
    #expect(try await website.page("/cities").contains("© Tile &lt;Makers&gt;"))
    #expect(try await !Website.make().page("/about").contains("Makers"))
  }

  @Test(arguments: [
    ("/tracking", "Tracking"), ("/cities?q=a", "Cities"), ("/cities/2852458", "Cities"),
    ("/lists", "Lists"), ("/about", "About"),
  ])
  func theNavigationMarksTheScreen(_ address: String, name: String) async throws {
    let page = try await Website.make().page(address)
    let current = page.matches(of: /aria-current="page">([^<]*)<\/a>/).map { String($0.1) }
    #expect(current == [name])
    #expect(page.contains("<a class=\"skip\" href=\"#content\">"))
    #expect(page.contains("<html lang=\"en\">"))
  }

  @Test(arguments: ["/", "/nowhere", "/photos/sample/sample/s1"])
  func otherPagesMarkNone(_ address: String) async throws {
    #expect(try await !Website.make().page(address).contains("aria-current=\"page\""))
  }
}

@Suite struct ErrorCardTests {
  @Test(arguments: [
    ("the file is empty", "The file is empty."), ("Done.", "Done."), ("really?", "Really?"),
    ("no!", "No!"), ("wait…", "Wait…"), ("", "."), ("écrit", "Écrit."), ("x", "X."),
  ])
  func writesSentences(_ text: String, sentence: String) {
    #expect(ErrorCard.sentence(text) == sentence)
  }

  @Test func aQuestionIsNoAlert() {
    let alert = ErrorCard.html(title: "T", Failure(message: "m", hint: "h")) {}.markup
    #expect(alert.contains("role=\"alert\"") && alert.contains("<p class=\"muted\">H.</p>"))
    let question = ErrorCard.html(title: "T", Failure(message: "m"), isQuestion: true) {}.markup
    #expect(question.contains("role=\"region\"") && !question.contains("alert"))
    #expect(!question.contains("muted"))
  }

  @Test(arguments: [("/lists", "/lists?wait=1"), ("/lists?sort=a", "/lists?sort=a&amp;wait=1")])
  func aPlaceholderLinksToThePageThatWaits(_ address: String, link: String) {
    let markup = LoadingPlaceholder.html(address: address, lines: 3).markup
    #expect(markup.contains("href=\"\(link)\"") && markup.contains("data-waiting"))
    #expect(markup.components(separatedBy: "class=\"bar").count == 4)
    #expect(markup.components(separatedBy: "bar short").count == 2)
  }
}
