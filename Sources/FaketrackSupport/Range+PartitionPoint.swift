extension Range<Int> {
  /// The first position for which `isBefore` is false, as it stays from there on; the end if there is
  /// none.
  ///
  /// Logarithmic.
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
