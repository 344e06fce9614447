import Foundation

/// An angle, stored as its sine and cosine, which are precise near π too, unlike radians.
struct Angle {
  var sine: Double
  var cosine: Double
}

extension Angle {
  /// The direction of a vector that is not zero.
  init(y: Double, x: Double) {
    let length = (y * y + x * x).squareRoot()
    self.init(sine: y / length, cosine: x / length)
  }

  init(radians: Double) {
    self.init(sine: sin(radians), cosine: cos(radians))
  }

  /// The angle of this many degrees, no more than a few turns; exact at multiples of 90.
  init(degrees: Double) {
    let quarters = (degrees / 90).rounded()
    let rest = Angle(radians: (degrees - quarters * 90) * (.pi / 180))
    switch Int(quarters) & 3 {
    case 0: self = rest
    case 1: self.init(sine: rest.cosine, cosine: -rest.sine)
    case 2: self.init(sine: -rest.sine, cosine: -rest.cosine)
    default: self.init(sine: -rest.cosine, cosine: rest.sine)
    }
  }

  /// The angle in radians, −π ... π.
  var radians: Double { atan2(sine, cosine) }

  /// The angle in degrees, −180 ... 180.
  var degrees: Double { radians * (180 / .pi) }

  static func + (a: Angle, b: Angle) -> Angle {
    Angle(
      sine: a.sine * b.cosine + a.cosine * b.sine,
      cosine: a.cosine * b.cosine - a.sine * b.sine)
  }

  static func - (a: Angle, b: Angle) -> Angle {
    Angle(
      sine: a.sine * b.cosine - a.cosine * b.sine,
      cosine: a.cosine * b.cosine + a.sine * b.sine)
  }
}
