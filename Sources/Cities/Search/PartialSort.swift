extension UnsafeMutableBufferPointer where Element: Comparable {
  /// Puts the elements at some positions where a sort of all would put them; the others end up
  /// before or after them in any order.
  ///
  /// A quicksort that enters only the parts with such positions: linear in the elements on average
  /// for a few positions, wherever they are.
  func sort(only positions: Range<Int>) {
    var parts = [indices]
    while let part = parts.popLast() {
      guard part.overlaps(positions) else { continue }
      if part.count <= 32 || part.clamped(to: positions) == part {
        var unsorted = UnsafeMutableBufferPointer(rebasing: self[part])
        unsorted.sort()
      } else {
        let middle = partition(part)
        parts += [part.lowerBound..<middle, middle..<part.upperBound]
      }
    }
  }

  /// Parts at least two elements around one of them: none before the returned position is greater
  /// than any from there on, and both sides have some.
  private func partition(_ part: Range<Int>) -> Int {
    let pivot = medianOfThree(part)
    var low = part.lowerBound
    var high = part.upperBound - 1
    while true {
      while self[low] < pivot { low += 1 }
      while pivot < self[high] { high -= 1 }
      if low >= high { return Swift.max(low, part.lowerBound + 1) }
      swapAt(low, high)
      low += 1
      high -= 1
    }
  }

  /// The middle one of the first, the middle and the last element, so that what is sorted already
  /// is parted evenly.
  private func medianOfThree(_ part: Range<Int>) -> Element {
    let (first, last) = (self[part.lowerBound], self[part.upperBound - 1])
    let middle = self[part.lowerBound + part.count / 2]
    return Swift.max(Swift.min(first, last), Swift.min(Swift.max(first, last), middle))
  }
}
