import FaketrackSupport
import Geodesy
import Testing

@testable import Cities

@Suite struct CityRecordTests {
  private func record(_ latitude: Int32, _ longitude: Int32) -> CityRecord {
    CityRecord(
      id: 1, latitude: latitude, longitude: longitude, population: 0, nameCount: 1, region: 0,
      zone: 0, country: 0)
  }

  @Test func hasTheSizeOfTheFormat() {
    #expect(MemoryLayout<CityRecord>.size == 40)
    #expect(MemoryLayout<CityRecord>.stride == 40)
    #expect(MemoryLayout<CityRecord>.alignment == 8)
    #expect(MemoryLayout<BoxTree.Leaf>.stride == 64)
    #expect(MemoryLayout<BoxTree.Node>.stride == 64)
  }

  @Test(arguments: [1, 15, 16, 17, 300]) func holdsShortNames(count: Int) {
    var record = record(0, 0)
    record.nameCount = UInt16(count)
    record.setName([UInt8](repeating: 0x61, count: count), offset: 5_000_000)
    #expect(record.isNameInline == (count <= 16))
    let bytes = withUnsafeBytes(of: record) { Array($0.dropFirst(CityRecord.inlineNameOffset)) }
    if count <= 16 {
      #expect(bytes == (0..<16).map { $0 < count ? 0x61 : 0 })
    } else {
      #expect(record.nameOffset == 5_000_000)
    }
  }

  @Test(
    arguments: [
      (0, 0), (-0.0, 0), (180, 1_800_000_000), (-180, -1_800_000_000), (52.39886, 523_988_600),
      (0.000_000_05, 1), (-0.000_000_05, -1), (0.000_000_049, 0), (89.999_999_99, 900_000_000),
    ] as [(Double, Int32)])
  func storesSevenDecimals(degrees: Double, stored: Int32) {
    #expect(CityRecord.fixed(degrees) == stored)
  }

  @Test func decimalsAreExact() throws {
    var generator = SplitMix64(seed: 4)
    for _ in 0..<2_000 {
      let latitude = Int32.random(in: -900_000_000...900_000_000, using: &generator)
      let longitude = Int32.random(in: -1_800_000_000...1_800_000_000, using: &generator)
      let coordinate = record(latitude, longitude).coordinate
      #expect(CityRecord.fixed(coordinate.latitude) == latitude)
      #expect(CityRecord.fixed(coordinate.longitude) == longitude)
    }
  }

  @Test(
    arguments: [
      (0, 0, true), (900_000_000, 1_800_000_000, true), (-900_000_000, -1_800_000_000, true),
      (900_000_001, 0, false), (-900_000_001, 0, false), (0, 1_800_000_001, false),
      (0, -1_800_000_001, false), (.min, .min, false), (.max, .max, false),
    ] as [(Int32, Int32, Bool)])
  func recognizesPositionsOnEarth(latitude: Int32, longitude: Int32, isOnIt: Bool) {
    #expect(record(latitude, longitude).isOnTheGlobe == isOnIt)
  }
}

@Suite struct CountryCodeTests {
  /// All codes from AA to ZZ.
  private static let codes = (UInt8(0x41)...0x5A).flatMap { first in
    (UInt8(0x41)...0x5A).map { String(decoding: [first, $0], as: UTF8.self) }
  }

  @Test func numbersEveryCodeInOrder() throws {
    #expect(Self.codes.count == 676)
    let numbers = Self.codes.compactMap(CountryCode.number)
    #expect(numbers == numbers.sorted())
    #expect(numbers.map(CountryCode.text) == Self.codes)
    #expect(numbers.allSatisfy(CountryCode.isValid))
  }

  @Test(arguments: ["", "D", "DEU", "D1", "1D", "[]", "@A", "é", "áé", "ＤＥ"])
  func numbersNothingElse(code: String) {
    #expect(CountryCode.number(code) == nil)
  }

  @Test(arguments: [("de", "DE"), ("Fr", "FR"), ("zZ", "ZZ")])
  func takesEitherCase(code: String, capitals: String) {
    #expect(CountryCode.number(code) == CountryCode.number(capitals))
  }

  @Test(arguments: [1, 0x41, 0x4100, 0x4161, 0x5B41, 0xFFFF] as [UInt16])
  func rejectsOtherNumbers(number: UInt16) {
    #expect(!CountryCode.isValid(number))
    #expect(CountryCode.isValid(0))
  }

  @Test func validNumbersAreExactlyTheCodesAndNone() {
    let valid = (UInt16.min ... .max).filter(CountryCode.isValid)
    #expect(valid == [0] + Self.codes.compactMap(CountryCode.number))
  }
}
