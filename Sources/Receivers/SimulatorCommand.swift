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

  /// Appends the arguments after the name of the device, each after a space.
  package func appendArguments(to text: inout TextBuffer) {
    if hasInput {
      text.append(" start --speed=")
      text.append(max(speed, Self.slowest), places: 2)
      text.append(" -")
    } else if let point = points.first {
      text.append(" set ")
      Self.append(point, to: &text)
    } else {
      text.append(" clear")
    }
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
