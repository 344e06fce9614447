import Testing

@testable import Cities

@Suite struct CountryCodeTests {
  @Test func numbersEveryCodeAndOrdersThemAlike() throws {
    #expect(CountryCode.all.count == 676)
    let numbers = CountryCode.all.compactMap(CountryCode.number)
    #expect(numbers == numbers.sorted())
    #expect(numbers.map { CountryCode.all[CountryCode.position($0)] } == CountryCode.all)
    #expect(numbers.allSatisfy(CountryCode.isValid))
  }

  @Test(arguments: ["", "D", "DEU", "D1", "1D", "[]", "@A", "é", "áé"])
  func numbersNothingElse(code: String) {
    #expect(CountryCode.number(code) == nil)
  }

  @Test(arguments: [("de", "DE"), ("Fr", "FR"), ("zZ", "ZZ")])
  func takesEitherCase(code: String, capitals: String) {
    #expect(CountryCode.number(code) == CountryCode.number(capitals))
  }

  @Test(arguments: [1, 0x41, 0x4100, 0x4161, 0x5B41, 0xFFFF] as [UInt16])
  func knowsWhatIsNoCode(number: UInt16) {
    #expect(!CountryCode.isValid(number))
    #expect(CountryCode.isValid(0))
  }
}
