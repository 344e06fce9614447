import GPX

/// One of many tracks.
package struct ArchiveTrack: Sendable {
  /// What its records are named: the path of its file, or what a line of a list calls it.
  package var id: String
  /// Where its bytes are, or why they cannot be had.
  package var input: Result<GPXInput, Failure>

  package init(id: String, input: Result<GPXInput, Failure>) {
    self.id = id
    self.input = input
  }

  static func failed(_ id: String, _ failure: Failure) -> ArchiveTrack {
    ArchiveTrack(id: id, input: .failure(failure))
  }
}
