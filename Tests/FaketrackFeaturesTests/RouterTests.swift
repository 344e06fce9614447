import FaketrackFeatures
import Testing

@Suite struct RouterTests {
  @Test func startsAtHomeOrElsewhere() {
    #expect(Router().stack == [.home])
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
    #expect(router.stack == [.home])
  }

  @Test func aScreenOfTheStackComesToTheTop() {
    var router = Router()
    router.open(.tracking)
    router.open(.lists)
    router.moveToTop(1)
    #expect(router.stack == [.home, .lists, .tracking])
    router.replace(with: .about)
    #expect(router.stack == [.home, .lists, .about])
  }

  @Test func theFirstScreenStays() {
    var router = Router()
    router.back()
    #expect(router.stack == [.home])
  }

  @Test func theScreenThatIsShownIsNotShownTwice() {
    var router = Router()
    router.open(.lists)
    router.open(.lists)
    #expect(router.stack == [.home, .lists])
    router.open(.home)
    #expect(router.stack == [.home, .lists, .home])
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
