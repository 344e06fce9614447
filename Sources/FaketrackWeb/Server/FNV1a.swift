/// A hash that is quick and the same everywhere, for names of content; not against forgers.
struct FNV1a {
  private var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  var text: String { String(value, radix: 36) }
}
