/// What a browser has seen of the walk: the id of the events.
struct WalkCursor: Hashable, Sendable, CustomStringConvertible {
  var walk: String
  /// The newest photo that it has.
  var photo: Int

  init(walk: String, photo: Int) {
    self.walk = walk
    self.photo = photo
  }

  /// Reads what ``description`` writes, or nothing out of anything else.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let photo = Int(parts[1]), photo >= 0 else { return nil }
    self.init(walk: String(parts[0]), photo: photo)
  }

  var description: String { "\(walk).\(photo)" }
}
