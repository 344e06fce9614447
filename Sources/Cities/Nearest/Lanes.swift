/// The lanes of a vector that are not above a limit.
struct Lanes: Sequence, IteratorProtocol {
  /// A bit for each lane, the lowest for lane 0.
  private var bits: UInt32

  @inline(__always)
  init(_ vector: SIMD8<Float>, upTo limit: Float) {
    let weights = SIMD8<UInt32>(1, 2, 4, 8, 16, 32, 64, 128)
    bits = weights.replacing(with: 0, where: vector .> limit).wrappedSum()
  }

  /// The lowest lane of the least number.
  @inline(__always)
  static func ofLeast(_ vector: SIMD8<Float>) -> Int {
    let four = lesser(vector.lowHalf, vector.highHalf)
    let two = four.lowHalf.replacing(with: four.highHalf, where: four.highHalf .< four.lowHalf)
    return Lanes(vector, upTo: Swift.min(two.x, two.y)).bits.trailingZeroBitCount
  }

  @inline(__always)
  private static func lesser(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
    a.replacing(with: b, where: b .< a)
  }

  @inline(__always)
  mutating func next() -> Int? {
    guard bits != 0 else { return nil }
    let lane = bits.trailingZeroBitCount
    bits &= bits &- 1
    return lane
  }
}
