@testable import Cities
import FaketrackSupport
import Foundation
import Geodesy

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FuzzTarget {
  private static let places = [
    Coordinate.clamped(latitude: 52.4, longitude: 13.06), .clamped(latitude: -90, longitude: 180),
    .clamped(latitude: 0, longitude: -180),
  ]

  /// Opening a file as an index, of the format before or not, and searching it.
  ///
  /// The version, the length and the checksum in the header are corrected, since other inputs would test
  /// only them. A forged index may give wrong results, but reading it stays within its bytes.
  static let index = FuzzTarget(name: "index") { bytes in
    var bytes = bytes
    if bytes.count >= IndexHeader.count {
      let version =
        bytes[8] == IndexHeader.formerVersion ? IndexHeader.formerVersion : IndexHeader.version
      bytes.withUnsafeMutableBytes { bytes in
        bytes.storeBytes(of: version.littleEndian, toByteOffset: 8, as: UInt32.self)
        bytes.storeBytes(of: UInt64(bytes.count).littleEndian, toByteOffset: 24, as: UInt64.self)
        let checked = UnsafeRawBufferPointer(rebasing: bytes[IndexHeader.checkedOffset...])
        bytes.storeBytes(
          of: Checksum.of(checked).littleEndian, toByteOffset: IndexHeader.checksumOffset,
          as: UInt64.self)
      }
    }
    let file = URL(filePath: "\(scratchFolder)/index")
    do {
      try AtomicFile.replace(file.path, with: bytes)
    } catch {
      fatalError("\(error)")
    }
    if let index = try? CityIndex.upgraded(file) { search(index, checksAnswers: false) }
  }

  /// Importing cities in pieces; the resulting index holds them all.
  static let cityImport = FuzzTarget(name: "city-import") { bytes in
    var cities = CityImport()
    let size = 1 + Int(bytes.first ?? 0)
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = bytes[start..<min(start + size, bytes.count)]
      guard (try? piece.withUnsafeBytes { try cities.consume($0) }) != nil else { return }
    }
    guard let (builder, report) = try? cities.finish() else { return }
    check(builder.count == report.cities, "\(builder.count) of \(report.cities) cities")
    let file = URL(filePath: "\(scratchFolder)/import")
    do {
      try builder.write(to: file)
      let index = try CityIndex(contentsOf: file)
      check(index.count == report.cities, "\(index.count) of \(report.cities) cities")
      search(index, checksAnswers: true)
    } catch {
      fatalError("\(error)")
    }
  }

  private static func search(_ index: CityIndex, checksAnswers: Bool) {
    for place in places {
      let found = index.nearest(3, to: place)
      var cursor = NearestCityCursor(index)
      let nearest = cursor.nearest(to: place)
      guard checksAnswers else { continue }
      check(found.count == min(3, index.count), "\(found.count) nearest of \(index.count)")
      check(nearest?.distance == found.first?.distance, "the cursor finds another city")
      check(index.nearest(to: place) == found.first, "a single search finds another city")
    }
    for order in CityQuery.Order.allCases {
      let page = index.search(CityQuery(prefix: "a", order: order))
      guard checksAnswers else { continue }
      check(page.cities.count == min(page.total, 20), "a page of \(page.cities.count)")
      for city in page.cities { check(index[id: city.id] != nil, "no city \(city.id)") }
    }
    for text in ["a", "b, us", "東", "san ", "st. w"] {
      let page = index.search(CityQuery(prefix: text, minimumPopulation: 5))
      check(page.matches.count == page.cities.count, "\(page.matches.count) matches")
      _ = index.matches(named: text)
    }
    _ = index.nearest(2, to: places[0], minimumPopulation: 1_000)
    _ = index.cities(similarTo: "Potsdm", limit: 3)
  }

  /// A folder of this process, in memory if the system supports that.
  private static let scratchFolder: String = {
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
    let folder = "\(parent)/faketrack-fuzz-\(getpid())"
    mkdir(folder, 0o700)
    atexit { try? FileManager.default.removeItem(atPath: FuzzTarget.scratchFolder) }
    return folder
  }()
}
