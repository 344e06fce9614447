import ArgumentParser
import Locations

/// The speed of a replay: `max`, or a multiple such as `10`, `x10` or `10x`.
struct SpeedArgument: ExpressibleByArgument, Hashable, CustomStringConvertible {
  static let range = 0.1...1_000

  let speed: ReplaySpeed

  init(_ speed: ReplaySpeed) {
    self.speed = speed
  }

  init?(argument: String) {
    if argument == "max" {
      speed = .max
      return
    }
    var digits = Substring(argument)
    if digits.hasPrefix("x") {
      digits = digits.dropFirst()
    } else if digits.hasSuffix("x") {
      digits = digits.dropLast()
    }
    guard let multiple = Double(digits), Self.range.contains(multiple) else { return nil }
    speed = .multiple(multiple)
  }

  var description: String {
    switch speed {
    case .max: "max"
    case .multiple(let multiple): "x\(multiple)"
    }
  }
}
