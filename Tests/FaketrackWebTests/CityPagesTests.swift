import FaketrackFeatures
import FaketrackServer
import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackWeb

@MainActor
@Suite struct CitiesPageTests {
  private func ids(in page: String) -> [String] {
    page.matches(of: /<li class="city" data-city="(\d+)"/).map { String($0.1) }
  }

  @Test func theFirstAnswerHoldsTheList() async throws {
    let page = try await Website.make().page("/cities?q=potsdam")
    #expect(page.contains("Brandenburg, Germany") && page.contains("href=\"/cities/2852458\""))
    #expect(page.contains("<title>Cities · faketrack</title>"))
    #expect(page.contains("value=\"potsdam\""))
    #expect(page.contains("data-population=\"184754\""), "the size of its label")
  }

  @Test func goesOnPageByPageWithoutRepeatingARow() async throws {
    let website = Website.make()
    var seen: [String] = []
    for page in 1...3 {
      let part = try await website.page("/cities?q=b&part=results&page=\(page)")
      #expect(ids(in: part).count == 50)
      #expect(part.contains("href=\"/cities?q=b&amp;page=\(page + 1)\""))
      seen += ids(in: part)
    }
    #expect(Set(seen).count == 150)
    let third = try await website.page("/cities?q=b&page=3")
    #expect(ids(in: third) == Array(seen.suffix(50)), "a page without scripts holds its own rows")
    #expect(third.contains("href=\"/cities?q=b&amp;page=2\""), "and leads back")
    #expect(third.contains("href=\"/cities?q=b&amp;page=4\""), "and on")
    #expect(try await !website.page("/cities?q=b").contains("Previous cities"))
  }

  @Test(arguments: ["999999", "9223372036854775807"])
  func beyondTheEndIsTheLastPage(_ page: String) async throws {
    let website = Website.make()
    let last = try await website.page("/cities?q=potsdam&page=\(page)")
    #expect(try await ids(in: last) == ids(in: website.page("/cities?q=potsdam")))
    let ofAll = try await website.page("/cities?page=\(page)")
    #expect((1...50).contains(ids(in: ofAll).count))
    #expect(!ofAll.contains("data-more") && ofAll.contains("Previous cities"))
    let part = try await website.page("/cities?q=potsdam&part=results&page=\(page)")
    #expect(ids(in: part).isEmpty, "a list that grows has no row twice")
  }

  @Test(arguments: ["99999999999999999999", "9223372036854775807", "-5", "0", "x", "1e3", ""])
  func anUnlikelyPageNumberIsNoReasonToFail(_ page: String) async throws {
    let website = Website.make()
    for part in ["", "&part=results"] {
      let response = await website.get("/cities?page=\(page)&q=potsdam\(part)")
      #expect(response.status == .ok)
    }
    #expect(try await website.page("/cities?page=-5&q=potsdam").contains("Brandenburg"))
  }

  @Test func theLastPageOffersNoMore() async throws {
    let page = try await Website.make().page("/cities?q=potsdam")
    #expect(!page.contains("data-more"))
  }

  @Test(arguments: [
    ("q=zzzzqqq", "No city’s name starts with “zzzzqqq”.", "href=\"/cities\""),
    ("favorites=1", "No favorites yet: star a city to add it.", "href=\"/cities\""),
    (
      "q=pots&favorites=1", "No favorite’s name starts with “pots”.", "href=\"/cities?q=pots\""
    ),
  ])
  func anEmptyListSaysWhyAndLeadsOn(_ query: String, text: String, link: String) async throws {
    let page = try await Website.make().page("/cities?\(query)")
    #expect(page.contains(text) && page.contains(link) && page.contains("Show all cities"))
    #expect(ids(in: page).isEmpty)
  }

  @Test func favoritesAreMarkedAndCounted() async throws {
    let website = Website.make(favorites: StubFavorites([Places.potsdam, Places.berlin]))
    let page = try await website.page("/cities?favorites=1")
    #expect(ids(in: page) == ["\(Places.berlin)", "\(Places.potsdam)"])
    #expect(page.contains("2 cities in your favorites"))
    #expect(page.components(separatedBy: "aria-pressed=\"true\"").count == 3)
    #expect(page.contains("name=\"favorites\" value=\"1\" checked"))
  }

  @Test func favoritesThatCannotBeReadFailTheirListAlone() async throws {
    let website = Website.make(favorites: StubFavorites(isBroken: true))
    let all = try await website.page("/cities?q=potsdam")
    #expect(all.contains("Brandenburg"))
    let starred = try await website.page("/cities?favorites=1")
    #expect(starred.contains("The cities cannot be shown") && starred.contains("Retry"))
    #expect(
      starred.contains("The favorites in /store cannot be used: disk full.")
        && starred.contains("Make room"))
  }

  @Test func theOrderIsKept() async throws {
    let page = try await Website.make().page("/cities?q=san&sort=population")
    #expect(page.contains("<option value=\"\" selected>by population"))
    let other = try await Website.make().page("/cities?q=san&sort=name")
    #expect(other.contains("<option value=\"name\" selected>"))
    #expect(ids(in: page) != ids(in: other))
  }

  @Test(arguments: [
    ("", "", "population"), ("?favorites=1", "", "population"), ("?sort=name", "name", "name"),
    ("?q=san", "", "population"), ("?q=san&sort=name", "name", "name"),
    ("?sort=population", "", "population"),
  ])
  func theMenuShowsTheOrderThatHolds(
    _ query: String, value: String, order: String
  ) async throws {
    let page = try await Website.make().page("/cities\(query)")
    #expect(page.components(separatedBy: "<option").count == 3)
    #expect(page.contains("<option value=\"\(value)\" selected>by \(order)</option>"))
  }

  @Test func searchResultsAreOrderedByPopulation() async throws {
    let website = Website.make()
    let found = try await ids(in: website.page("/cities?q=pots"))
    #expect(try await found == ids(in: website.page("/cities?q=pots&sort=population")))
    #expect(try await found != ids(in: website.page("/cities?q=pots&sort=name")))
    #expect(found.first == "\(Places.potsdam)")
    // The form of a browser without scripts sends every field.
    #expect(try await found == ids(in: website.page("/cities?q=pots&sort=")))
    let all = try await ids(in: website.page("/cities"))
    #expect(try await all == ids(in: website.page("/cities?sort=population")))
  }

  @Test(arguments: ["q=potsdam", "q=zzzzqqq"])
  func onlyTheCountIsALiveRegion(_ query: String) async throws {
    for address in ["/cities?\(query)", "/cities?\(query)&part=results"] {
      let page = try await Website.make().page(address)
      #expect(page.contains(/role="status"[^>]*>(No|[1-9]\d*) (city|cities)</))
      #expect(page.components(separatedBy: "role=\"status\"").count == 2)
      #expect(!page.contains("aria-live"))
    }
  }

  @Test func namesakesAreToldApart() async throws {
    let page = try await Website.make().page("/cities?q=portland")
    for name in ["Portland, Oregon, United States", "Portland, Maine, United States"] {
      #expect(page.contains("aria-label=\"Favorite: \(name)\""))
      #expect(page.contains("aria-label=\"Show on the map: \(name)\""))
    }
  }
}

@MainActor
@Suite struct CityPageTests {
  @Test func showsWhatIsKnown() async throws {
    let page = try await Website.make().page("/cities/2852458")
    #expect(page.contains("<h1>Potsdam</h1>") && page.contains("Brandenburg, Germany"))
    #expect(page.contains("Europe/Berlin") && page.contains("52.39"))
    #expect(page.contains("A town.") && page.contains("Potsdam on Wikipedia"))
    #expect(page.components(separatedBy: "<li class=\"city\"").count == 9, "eight neighbors")
    #expect(!page.contains("data-waiting"))
  }

  @Test func theSummaryAloneIsAPart() async throws {
    let part = try await Website.make().page("/cities/2852458?part=summary")
    #expect(part.hasPrefix("<p class=\"muted\">a place</p><p>A town.</p>"))
  }

  @Test func saysThatThereIsNoArticle() async throws {
    let page = try await Website.make(summaries: StubSummaries(finds: false)).page(
      "/cities/2852458")
    #expect(page.contains("Wikipedia has no article that is certain to be about this city."))
  }

  @Test func aSummaryThatFailsLeavesTheRest() async throws {
    let response = await Website.make(summaries: StubSummaries(nil)).get("/cities/2852458")
    #expect(response.status == .ok)
    let page = try response.text
    #expect(page.contains("The summary cannot be loaded") && page.contains("Europe/Berlin"))
    #expect(page.contains("The encyclopedia is away.") && page.contains("Try again later."))
    #expect(page.contains("data-retry=\"summary\""))
  }

  @Test func aCityThatIsNotThereIsNotFound() async throws {
    let summaries = StubSummaries()
    let response = await Website.make(summaries: summaries).get("/cities/1")
    #expect(response.status == .notFound)
    let page = try response.text
    #expect(page.contains("This city cannot be shown"))
    #expect(page.contains("The index has no city 1."))
    #expect(summaries.cities.isEmpty)
  }

  @Test func favoritesThatCannotBeReadAreAnError() async throws {
    let website = Website.make(favorites: StubFavorites(isBroken: true))
    let response = await website.get("/cities/2852458")
    #expect(response.status == .internalServerError)
    #expect(try response.text.contains("The favorites in /store cannot be used: disk full."))
  }
}

@MainActor
@Suite struct CityCardTests {
  @Test func namesTheCityAndLeadsToIt() async throws {
    let summaries = StubSummaries()
    let website = Website.make(favorites: StubFavorites([Places.potsdam]), summaries: summaries)
    let card = try await website.page("/cities/2852458?part=card")
    #expect(card.hasPrefix("<section") && card.contains("role=\"dialog\""))
    #expect(card.contains(">Potsdam</h2>") && card.contains(">Brandenburg, Germany</p>"))
    #expect(card.contains(/Population \d{3},\d{3}/))
    #expect(card.contains("href=\"/cities/2852458\"") && card.contains("aria-pressed=\"true\""))
    #expect(summaries.cities.isEmpty, "a card does not ask the encyclopedia")
  }

  @Test func saysWhyItCannotBeShown() async throws {
    let card = try await Website.make().page("/cities/1?part=card")
    #expect(card.contains("This city cannot be shown") && card.contains("data-close"))
    #expect(card.contains("The index has no city 1."))
    let broken = Website.make(favorites: StubFavorites(isBroken: true))
    #expect(try await broken.page("/cities/2852458?part=card").contains("disk full."))
  }
}

@MainActor
@Suite struct FavoriteTests {
  private let address = "/cities/2852458/favorite"

  @Test func aStarStaysHoweverOftenItIsSent() async throws {
    let favorites = StubFavorites()
    let website = Website.make(favorites: favorites)
    for _ in 0..<2 {
      let response = await website.post(address, "favorite=1")
      #expect(response.status == .seeOther && response["Location"] == "/cities/2852458")
      #expect(favorites.stored == [Places.potsdam])
    }
    _ = await website.post(address, "favorite=0")
    #expect(favorites.stored.isEmpty)
  }

  @Test func aStarLoadsTheDetailsOnceAndNoSummary() async throws {
    let favorites = StubFavorites()
    let summaries = StubSummaries()
    let website = Website.make(favorites: favorites, summaries: summaries)
    _ = await website.postByScript(address, "favorite=1")
    #expect(favorites.log == ["add \(Places.potsdam)"])
    #expect(favorites.readCount == 1)
    #expect(summaries.cities.isEmpty)
  }

  @Test(arguments: [("favorite=1", "true", "0"), ("favorite=0", "false", "1"), ("", "false", "1")])
  func aScriptGetsTheNewStar(_ form: String, pressed: String, next: String) async throws {
    let website = Website.make(favorites: StubFavorites([Places.potsdam]))
    let response = await website.postByScript(address, form)
    #expect(response.status == .ok)
    let star = try response.text
    #expect(star.hasPrefix("<form class=\"star\""))
    #expect(star.contains("aria-pressed=\"\(pressed)\""))
    #expect(star.contains("name=\"favorite\" value=\"\(next)\""))
    #expect(star.contains("aria-label=\"Favorite: Potsdam, Brandenburg, Germany\""))
    #expect(!star.contains("name=\"text\"") && !star.contains("name=\"from\""))
  }

  @Test func theNewStarHasTheWordsAndTheWayBackOfTheOld() async throws {
    let response = await Website.make().postByScript(address, "favorite=1&text=1&from=%2Ftracking")
    let star = try response.text
    #expect(star.contains("name=\"text\" value=\"1\""))
    #expect(star.contains("name=\"from\" value=\"/tracking\""))
    #expect(star.contains("Favorite</button>"))
  }

  @Test func aCityThatIsNotThereIsNotFound() async throws {
    let favorites = StubFavorites()
    let response = await Website.make(favorites: favorites).post("/cities/1/favorite", "favorite=1")
    #expect(response.status == .notFound)
    #expect(try response.text.contains("the index has no city 1"))
    #expect(favorites.log.isEmpty)
  }

  @Test func aStoreThatFailsIsAnErrorWithItsReason() async throws {
    let website = Website.make(favorites: StubFavorites(isBroken: true))
    let response = await website.postByScript(address, "favorite=1")
    #expect(response.status == .internalServerError)
    #expect(try response.text == StoreIsBroken().failure.message + "\n")
  }
}
