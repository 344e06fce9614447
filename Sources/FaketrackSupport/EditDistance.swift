/// Returns the edit distance between two texts (optimal string alignment), or `nil` if it exceeds a
/// limit: an edit adds, removes or changes a byte, or swaps two neighbors.
///
/// Exponential in the limit: for limits of a few edits.
package func editDistance(_ a: [UInt8], _ b: [UInt8], limit: Int) -> Int? {
  a.withUnsafeBufferPointer { a in
    b.withUnsafeBufferPointer { b in edits(a[...], b[...], limit: limit) }
  }
}

private func edits(
  _ a: Slice<UnsafeBufferPointer<UInt8>>, _ b: Slice<UnsafeBufferPointer<UInt8>>, limit: Int
) -> Int? {
  guard abs(a.count - b.count) <= limit else { return nil }
  var (a, b) = (a, b)
  while let byte = a.first, byte == b.first {
    a.removeFirst()
    b.removeFirst()
  }
  if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
  guard limit > 0 else { return nil }
  var least: Int?
  func edit(_ m: Int, _ n: Int) {
    let below = (least ?? limit + 1) - 1
    if let rest = edits(a.dropFirst(m), b.dropFirst(n), limit: below - 1) { least = rest + 1 }
  }
  edit(1, 1)
  edit(1, 0)
  edit(0, 1)
  if a.prefix(2).elementsEqual(b.prefix(2).reversed()) { edit(2, 2) }
  return least
}
