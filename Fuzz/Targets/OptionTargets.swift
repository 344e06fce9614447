import FaketrackFeatures
import Foundation
import Locations

extension FuzzTarget {
  /// Values of options with a custom format, commands, and scripts.
  static let options = FuzzTarget(name: "options") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    if let speed = ReplaySpeed(name: text) {
      check(ReplaySpeed(name: speed.name) == speed, "\(speed.name) is another speed")
      _ = (speed.faster, speed.slower)
    }
    if let position = ReplayPosition(text: text) {
      check(!position.isBefore(position), "\(position) is before itself")
    }
    if let outage = ReplayOptions.Outage(text: text) { _ = outage.start.isBefore(outage.end) }
    _ = try? WalkCommand(text)
    _ = try? WalkScript(text)
  }
}
