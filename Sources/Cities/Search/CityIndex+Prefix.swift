#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension CityIndex {
  /// The cities whose names start with a prefix, one row after the other.
  ///
  /// How many they are is known without looking at them.
  public struct Rows: RandomAccessCollection, Hashable, Sendable {
    let numbers: Range<UInt32>

    public var startIndex: Int { Int(numbers.lowerBound) }
    public var endIndex: Int { Int(numbers.upperBound) }

    public subscript(position: Int) -> Row {
      precondition(indices.contains(position), "no such row")
      return Row(number: UInt32(truncatingIfNeeded: position))
    }
  }

  /// The cities whose names start with a prefix, in the order of ``CityQuery/Order/name``;
  /// logarithmic.
  ///
  /// - Parameter prefix: folded as the names are, not trimmed; the empty one matches all.
  public func rows(withPrefix prefix: String) -> Rows {
    var prefix = prefix
    let isASCII = prefix.withUTF8 { $0.allSatisfy { $0 < 0x80 } }
    guard isASCII, prefix.utf8.count <= 64 else {
      return rows(withKeyPrefix: NameKey.key(of: prefix))
    }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { key in
      var count = 0
      for byte in prefix.utf8 {
        key[count] = NameKey.lowercased(byte)
        count += 1
      }
      return rows(
        withKeyPrefix: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(key)[..<count]))
    }
  }

  func rows(withKeyPrefix prefix: [UInt8]) -> Rows {
    prefix.withUnsafeBytes { rows(withKeyPrefix: $0) }
  }

  private func rows(withKeyPrefix prefix: UnsafeRawBufferPointer) -> Rows {
    let count = UInt32(self.count)
    guard let start = prefix.baseAddress, !prefix.isEmpty else { return Rows(numbers: 0..<count) }
    /// The first row, from `low` on, of which the first bytes of the key do not compare below.
    func boundary(from low: UInt32, isBelow: (Int32) -> Bool) -> UInt32 {
      var low = low
      var high = count
      while low < high {
        let middle = low + (high - low) / 2
        let key = sections.keys[Int(middle)]
        let common = min(key.count, prefix.count)
        var difference: Int32 = -1
        if let base = key.baseAddress {
          difference = memcmp(base, start, common)
          if difference == 0, key.count < prefix.count { difference = -1 }
        }
        if isBelow(difference) { low = middle + 1 } else { high = middle }
      }
      return low
    }
    let first = boundary(from: 0) { $0 < 0 }
    let end = boundary(from: first) { $0 <= 0 }
    return Rows(numbers: first..<end)
  }
}
