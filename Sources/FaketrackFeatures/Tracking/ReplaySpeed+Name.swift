import Locations

/// The speeds that a user can choose, by name.
extension ReplaySpeed {
  /// Multiples of the recorded pace that the commands and the page accept.
  package static let range = 0.1...1_000

  /// The speeds that screens offer.
  package static let choices: [ReplaySpeed] =
    [1, 2, 5, 10, 25, 50, 100].compactMap(ReplaySpeed.init(multiple:)) + [.max]

  /// `25`, `0.5` or `max`.
  package var name: String {
    guard let multiple else { return "max" }
    return Int(exactly: multiple).map(String.init) ?? "\(multiple)"
  }

  /// Parses a speed: `max`, or a multiple within ``range`` such as `10`, `x10` or `10x`.
  package init?(name: String) {
    if name == "max" {
      self = .max
      return
    }
    var digits = Substring(name)
    if digits.hasPrefix("x") {
      digits = digits.dropFirst()
    } else if digits.hasSuffix("x") {
      digits = digits.dropLast()
    }
    // Swift also parses hexadecimal numbers, which are a typo here.
    guard !digits.contains("x"), let multiple = Double(digits), Self.range.contains(multiple) else {
      return nil
    }
    self.init(multiple: multiple)
  }

  /// Twice the speed; after the fastest multiple comes ``max``.
  package var faster: ReplaySpeed {
    guard let multiple, multiple < Self.range.upperBound else { return .max }
    return ReplaySpeed(multiple: Swift.min(multiple * 2, Self.range.upperBound)) ?? self
  }

  /// Half the speed, down to the slowest multiple.
  package var slower: ReplaySpeed {
    let slower = multiple.map { Swift.max($0 / 2, Self.range.lowerBound) }
    return ReplaySpeed(multiple: slower ?? Self.range.upperBound) ?? self
  }
}
