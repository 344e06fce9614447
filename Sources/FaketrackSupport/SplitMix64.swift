/// A small seeded generator whose numbers are the same on every platform.
///
/// Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// A number in 0 ..< 1, evenly distributed.
  package mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A number in 0 ..< `bound`, or 0 if `bound` is 0; evenly distributed to one part in
  /// 2^64 / `bound`.
  ///
  /// What the standard library draws may change from version to version; this does not.
  package mutating func index(below bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// Scrambles the bits of a number; different numbers stay different.
  package static func mix(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
