extension Range<Int> {
  /// Returns the first position for which `isBefore` is false, or the upper bound; O(log n).
  ///
  /// - Precondition: `isBefore` is false for all positions after one for which it is false.
  @inlinable
  package func partitionPoint(_ isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
