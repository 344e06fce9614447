import FaketrackSupport
import Geodesy

/// A command of `xcrun simctl location` for an iOS simulator: a walk along several points, a stay at one, and
/// no position without a point.
package struct SimulatorCommand: Sendable {
  /// The lowest speed that a command has, in meters per second.
  private static let slowest = 0.01

  private let points: [Coordinate]
  private let speed: Double

  /// - Parameter speed: meters per second.
  package init(along points: [Coordinate], speed: Double = 0) {
    (self.points, self.speed) = (points, speed)
  }

  /// Whether the command reads its points from standard input.
  package var hasInput: Bool { points.count > 1 }

  /// The arguments after the name of the device, without characters that a shell would read.
  package var arguments: [String] {
    guard let point = points.first else { return ["clear"] }
    guard hasInput else {
      var text = TextBuffer()
      Self.append(point, to: &text)
      return ["set", text.string]
    }
    return ["start", "--speed=\(DecimalText.fixed(max(speed, Self.slowest), places: 2))", "-"]
  }

  /// Appends the points, one a line.
  package func appendInput(to text: inout TextBuffer) {
    for point in points {
      Self.append(point, to: &text)
      text.append("\n")
    }
  }

  private static func append(_ point: Coordinate, to text: inout TextBuffer) {
    text.append(point.latitude, places: 7)
    text.append(",")
    text.append(point.longitude, places: 7)
  }
}
