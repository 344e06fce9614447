import Foundation
import Geodesy
import Locations
import Testing

@testable import Receivers

@Suite struct GPSDReceiverTests {
  private static let version = #"{"class":"VERSION","release":"3.22"}"#
  private static let device =
    #"{"class":"DEVICES","devices":[{"path":"/dev/a","activated":"now"}]}"#

  @Test func aReportIsAFixWithItsValues() throws {
    var receiver = GPSDReceiver(distanceFilter: 0)
    let updates = try receiver.receive(
      Self.version, Self.device,
      """
      {"class":"TPV","device":"/dev/a","mode":3,"time":"2026-05-01T08:01:15.500Z","lat":52.5,\
      "lon":13.25,"altMSL":35.2,"speed":1.3,"track":87.2,"eph":8,"epv":11.5,"eps":0.2,"epd":-1}
      """)
    let fix = Fix(
      try Coordinate(latitude: 52.5, longitude: 13.25),
      time: Date(timeIntervalSince1970: 1_777_622_475.5), elevation: 35.2, speed: 1.3, course: 87.2,
      horizontalAccuracy: 8, verticalAccuracy: 11.5, speedAccuracy: 0.2, distance: 0, elapsed: .zero
    )
    #expect(updates == [.authorization(.authorizedWhenInUse), .location(fix)])
  }

  @Test func withoutAReceiverThePermissionIsOpen() throws {
    var receiver = GPSDReceiver(distanceFilter: 0)
    #expect(
      try receiver.receive(Self.version, #"{"class":"DEVICES","devices":[]}"#)
        == [.authorization(.notDetermined)])
    #expect(
      try receiver.receive(#"{"class":"DEVICE","path":"/dev/a","activated":"now"}"#)
        == [.authorization(.authorizedWhenInUse)])
    _ = try receiver.receive(Self.position(1, latitude: 1))
    #expect(
      try receiver.receive(#"{"class":"DEVICE","path":"/dev/a","activated":0}"#)
        == [.unavailable, .authorization(.notDetermined)])
  }

  @Test func anEndlessListOfReceiversIsCutOff() throws {
    var receiver = GPSDReceiver(distanceFilter: 0)
    func report(_ number: Int, _ activated: String) -> String {
      #"{"class":"DEVICE","path":"/dev/\#(number)","activated":\#(activated)}"#
    }
    _ = try receiver.receive(Self.version)
    for number in 0..<1_000 { _ = try receiver.receive(report(number, "1")) }
    var updates: [LocationUpdate] = []
    for number in 0..<256 { updates += try receiver.receive(report(number, "0")) }
    #expect(updates == [.unavailable, .authorization(.notDetermined)])
  }

  @Test func aReceiverWithoutAFixHasLostTheSignalOnce() throws {
    var receiver = GPSDReceiver(distanceFilter: 100)
    let none = #"{"class":"TPV","device":"/dev/a","mode":1}"#
    let updates = try receiver.receive(
      Self.version, Self.device, Self.position(1, latitude: 1), none, none,
      Self.position(2, latitude: 1))
    #expect(updates.map(\.locationUnavailable) == [false, false, true, false])
    // The first fix after it counts, however near it is, and begins a segment.
    #expect(updates.compactMap { $0.location?.segment } == [0, 1])
  }

  @Test func theDistanceFilterAndRepeatedReportsHold() throws {
    var receiver = GPSDReceiver(distanceFilter: 100)
    let updates = try receiver.receive(
      Self.version, Self.device, Self.position(1, latitude: 1), Self.position(1, latitude: 2),
      Self.position(2, latitude: 1.0001), Self.position(3, latitude: 1.001))
    #expect(updates.compactMap { $0.location?.coordinate.latitude } == [1, 1.001])
  }

  @Test func anotherReceiverIsLeftOutUntilTheFirstHasNoFix() throws {
    var receiver = GPSDReceiver(distanceFilter: 0)
    let updates = try receiver.receive(
      Self.version, Self.device, Self.position(1, latitude: 1),
      Self.position(2, latitude: 2, device: "/dev/b"),
      #"{"class":"TPV","device":"/dev/a","mode":0}"#,
      Self.position(3, latitude: 3, device: "/dev/b"))
    #expect(updates.compactMap { $0.location?.coordinate.latitude } == [1, 3])
  }

  @Test func onlyTheFirstLineMustBeAReport() throws {
    var receiver = GPSDReceiver(distanceFilter: 0)
    #expect(throws: (any Error).self) { try receiver.receive("HTTP/1.1 400 Bad Request") }
    #expect(!receiver.hasBegun)
    #expect(
      try receiver.receive(Self.version, "{", #"{"class":"TPV","mode":3,"lat":91,"lon":0}"#, "[]")
        == [])
    #expect(receiver.hasBegun)
  }

  private static func position(
    _ second: Int, latitude: Double, device: String = "/dev/a"
  ) -> String {
    """
    {"class":"TPV","device":"\(device)","mode":2,"time":"2026-05-01T08:00:0\(second)Z",\
    "lat":\(latitude),"lon":0}
    """
  }
}

extension GPSDReceiver {
  fileprivate mutating func receive(_ lines: String...) throws -> [LocationUpdate] {
    try lines.flatMap { try receive(Array($0.utf8)) }
  }
}
