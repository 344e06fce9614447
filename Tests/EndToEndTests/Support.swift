import FaketrackCompression
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Geodesy

/// Small tracks.
enum Track {
  static let opening = "<gpx version=\"1.1\" creator=\"test\">\n<trk>\n<trkseg>\n"
  static let closing = "</trkseg>\n</trk>\n</gpx>\n"

  /// A track north along a meridian: points slightly more than 150 m apart, one per minute from
  /// 08:00.
  static func north(_ count: Int) -> String {
    opening + (0..<count).map(point).joined() + closing
  }

  /// A point of ``north(_:)``.
  static func point(_ number: Int) -> String {
    let latitude = 52 + Double(number) * 0.00135
    let minute = number < 10 ? "0\(number)" : "\(number)"
    return
      "<trkpt lat=\"\(latitude)\" lon=\"13\"><time>2026-05-01T08:\(minute):00Z</time></trkpt>\n"
  }

  /// Positions in Potsdam 101 m apart on a line, optionally there and back, without times.
  static func potsdam(_ count: Int, andBack: Bool = false) throws -> String {
    let start = try Coordinate(latitude: 52.4009, longitude: 13.0591)
    let out = (0..<count).map { start.destination(distance: Double($0) * 101, bearing: 60) }
    let points = (andBack ? out + out.reversed() : out)
      .map { #"<trkpt lat="\#($0.latitude)" lon="\#($0.longitude)"/>"# }
    return opening + points.joined(separator: "\n") + closing
  }

  /// A file with a track of 2 points, a route of 3 and a waypoint.
  static let ofEachKind = """
    <gpx version="1.1" creator="test">
    <wpt lat="52" lon="13"/>
    <rte><rtept lat="52" lon="13"/><rtept lat="52.01" lon="13"/><rtept lat="52.02" lon="13"/></rte>
    <trk><trkseg><trkpt lat="52" lon="13"/><trkpt lat="52.01" lon="13"/></trkseg></trk>
    </gpx>

    """
}

extension TemporaryHome {
  /// Writes a track through Potsdam with locations 101 m apart, and returns the file's name.
  func track(_ count: Int, andBack: Bool = false) throws -> String {
    try file("walk-\(count)\(andBack ? "-back" : "").gpx", Track.potsdam(count, andBack: andBack))
  }
}

/// The fields of an NDJSON line that tests check.
struct Record: Decodable {
  struct City: Decodable {
    var name: String
  }
  struct Photo: Decodable {
    var id: String
    var url: String
    var distance: Double?
  }
  struct NoLine: Error {}

  var index: Int
  var time: String?
  var latitude: Double
  var longitude: Double
  var distance: Double
  var elapsed: Double
  var speed: Double?
  var interpolated: Bool
  var city: City?
  var photo: Photo?
  var error: String?

  init(_ line: String?) throws {
    guard let line else { throw NoLine() }
    self = try JSONDecoder().decode(Record.self, from: Data(line.utf8))
  }
}

extension ExecutableRun {
  /// The output as NDJSON records.
  var records: [Record] {
    get throws { try lines.map(Record.init) }
  }

  /// The output as JSON objects, one per line.
  var objects: [[String: Any]] {
    get throws {
      try lines.map { line in
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      }
    }
  }

  /// The output as one JSON object.
  var object: [String: Any] {
    get throws { try JSONSerialization.jsonObject(with: outputData) as? [String: Any] ?? [:] }
  }
}

/// Records the texts that a stub was asked for.
final class Seen: Sendable {
  private let texts = Locked<Set<String>>([])

  var count: Int { texts.withLock(\.count) }

  /// The number of distinct texts including this one, if it is new.
  func number(ofNew text: String) -> Int? {
    texts.withLock { $0.insert(text).inserted ? $0.count : nil }
  }

  /// Whether the text is new.
  func isFirst(_ text: String) -> Bool { number(ofNew: text) != nil }
}

/// Lets a test wait until a stub has received a number of requests.
actor Events {
  private var count = 0
  private var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// Records an event, and returns the number of events.
  @discardableResult
  func happened() -> Int {
    count += 1
    for waiter in waiters where waiter.count <= count { waiter.continuation.resume() }
    waiters.removeAll { $0.count <= count }
    return count
  }

  /// Returns after this many events, or when the process that causes them has ended.
  func waitFor(_ count: Int, orEndOf process: ExecutableProcess) async {
    Task {
      _ = await process.result()
      end()
    }
    guard self.count < count else { return }
    await withCheckedContinuation { waiters.append((count, $0)) }
  }

  private func end() {
    for waiter in waiters { waiter.continuation.resume() }
    waiters = []
  }
}

/// Ports of 127.0.0.1.
enum Port {
  struct NotBound: Error {}

  /// An address without a listener. The port stays reserved until the tests end, so that no stub
  /// gets it.
  static func closed() throws -> URL {
    let port = try bind().port
    guard let url = URL(string: "http://127.0.0.1:\(port)/") else { throw NotBound() }
    return url
  }

  /// A free port.
  static func free() throws -> UInt16 {
    let (descriptor, port) = try bind()
    close(descriptor)
    return port
  }

  private static func bind() throws -> (descriptor: Int32, port: UInt16) {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw NotBound() }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }
}

extension StubServer {
  /// The distinct cells that Flickr was asked for.
  var flickrPlaces: Set<String> {
    Set(requests.map { "\($0.query["lat"] ?? "")|\($0.query["lon"] ?? "")" })
  }
}

extension Data {
  /// The bytes as gzip.
  var gzipped: Data { Data(Gzip.compressed(Array(self))) }
}
