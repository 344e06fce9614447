import FaketrackFeatures
import Testing

@Suite struct RouterTests {
  @Test func startsAtHomeOrElsewhere() {
    #expect(Router().stack == [.home])
    #expect(Router(.lists).current == .lists)
  }

  @Test func goesOnAndBack() {
    var router = Router()
    router.push(.cities(CityListQuery()))
    router.push(.city(id: 1))
    router.push(.city(id: 2))
    #expect(router.current == .city(id: 2))
    router.pop()
    #expect(router.current == .city(id: 1))
    router.pop()
    router.pop()
    #expect(router.stack == [.home])
  }

  @Test func theFirstScreenStays() {
    var router = Router()
    router.pop()
    #expect(router.stack == [.home])
  }

  @Test func theScreenThatIsShownIsNotShownTwice() {
    var router = Router()
    router.push(.lists)
    router.push(.lists)
    #expect(router.stack == [.home, .lists])
    router.push(.home)
    #expect(router.stack == [.home, .lists, .home])
  }

  @Test func replacesTheScreenThatIsShown() {
    var router = Router()
    router.push(.cities(CityListQuery(text: "p")))
    router.replace(with: .cities(CityListQuery(text: "po")))
    #expect(router.stack == [.home, .cities(CityListQuery(text: "po"))])
  }
}
