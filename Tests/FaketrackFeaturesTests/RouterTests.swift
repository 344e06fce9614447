import FaketrackFeatures
import Testing

@Suite struct RouterTests {
  @Test func startsAtHomeOrElsewhere() {
    #expect(Router().routes == [.home])
    #expect(Router(.lists).current == .lists)
  }

  @Test func goesOnAndBack() {
    var router = Router()
    router.open(.cities(CityListQuery()))
    router.open(.city(id: 1))
    router.open(.city(id: 2))
    #expect(router.current == .city(id: 2))
    router.back()
    #expect(router.current == .city(id: 1))
    router.back()
    router.back()
    #expect(router.routes == [.home])
  }

  @Test func anOpenScreenIsShownAgain() {
    var router = Router(.home, "home")
    router.open(.tracking, "tracking")
    router.open(.lists, "lists")
    let isFound = router.show { $0 == .tracking }
    #expect(isFound && router.screen == "tracking")
    #expect(router.routes == [.home, .lists, .tracking])
    let isOpen = router.show { $0 == .about }
    #expect(!isOpen)
    #expect(router.routes == [.home, .lists, .tracking])
    router.back()
    #expect(router.screen == "lists")
  }

  @Test func theFirstScreenStays() {
    var router = Router()
    router.back()
    #expect(router.routes == [.home])
  }

  @Test func theScreenThatIsShownIsNotShownTwice() {
    var router = Router()
    router.open(.lists)
    router.open(.lists)
    #expect(router.routes == [.home, .lists])
    router.open(.home)
    #expect(router.routes == [.home, .lists, .home])
  }

  @Test func theWayBackKeepsTheQuery() {
    let list = Route.cities(CityListQuery(text: "pots", favoritesOnly: true))
    var router = Router()
    #expect(router.previous == nil)
    router.open(list)
    #expect(router.previous == .home)
    router.open(.city(id: 10))
    #expect(router.previous == list)
    router.back()
    #expect(router.current == list)
  }
}
