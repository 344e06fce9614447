import FaketrackSupport
import Foundation

/// The tracks that a previous output holds whole, for `--resume`.
package struct FinishedTracks: Sendable {
  private let path: String
  /// The number of end records of each track.
  private var counts: [String: Int] = [:]
  /// The bytes of the tracks that are there whole. The others failed or broke off.
  private(set) var whole: [Range<Int>] = []
  package private(set) var leftOut = 0
  private var isNoteDue = true
  private let note: @Sendable (String) -> Void

  /// Reads the records of a previous output.
  ///
  /// - Parameters:
  ///   - output: the file of `-o`.
  ///   - note: receives notes for the user.
  /// - Throws: ``Failure`` when they cannot be read, are not records of tracks in this version's
  ///   format, or are in the file that this run overwrites.
  package init(
    contentsOf path: String, output: OutputFile? = nil,
    note: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(Failure) {
    self.path = path
    self.note = note
    let isOverwritten =
      OutputFile.isStandardOutput(path) && fcntl(STDOUT_FILENO, F_GETFL) & O_APPEND == 0
    if isOverwritten || output?.isAt(path) == true {
      throw Failure(
        message: "--resume \(path): this run would overwrite what it is to go on with",
        hint: "Append to it with >>, or send the output to another file.", kind: .wrongUsage)
    }
    if OutputFile.isStandardOutput(path), flock(STDOUT_FILENO, LOCK_EX | LOCK_NB) != 0,
      errno == EWOULDBLOCK
    {
      throw Failure(
        message: "--resume \(path): another run is writing here", hint: "Wait for it.")
    }
    let reader = try LineReader(
      open(path, O_RDONLY | O_CLOEXEC), name: path,
      hint: "--resume takes the output of the run that is to go on.", limit: 1 << 20)
    // The track that is being read: where it and its last record begin.
    var (start, position) = (0, 0)
    var (hasLocations, isDamaged) = (false, false)
    var missing = MissingFields()
    while let line = try reader.next() {
      let record: TrackRecord? =
        switch line {
        case .text(let bytes): TrackRecord.spliced(bytes) ?? TrackRecord(bytes)
        case .unfinished(let bytes): TrackRecord.isCutOff(bytes) ? .cutOff : nil
        case .tooLong: nil
        }
      switch record {
      case .location(let isFirst):
        if case .text(let bytes) = line, let field = missing.first(in: bytes) {
          throw Failure(
            message: "\(reader.place): written by an earlier version, without \(field)",
            hint: "Replay all tracks into a new file, without --resume.", kind: .unusableInput)
        }
        // The track broke off, and was begun again.
        if isFirst, hasLocations { (start, isDamaged) = (position, false) }
        hasLocations = true
      case .cutOff: (hasLocations, isDamaged) = (true, true)
      case .change: break
      case .failure, .end:
        if case .end(let track) = record, !isDamaged {
          counts[track, default: 0] += 1
          let joined = whole.last?.upperBound == start ? whole.removeLast().lowerBound : start
          whole.append(joined..<reader.position)
        }
        (start, hasLocations, isDamaged) = (reader.position, false, false)
      case nil:
        throw Failure(
          message: "\(reader.place): this is not a record of one of many tracks",
          hint: "Give --resume the ndjson output of a run with several tracks.",
          kind: .unusableInput)
      }
      position = reader.position
    }
  }

  /// Whether a track is left out, because the output holds it whole; each end record counts once.
  package mutating func leavesOut(_ track: String) -> Bool {
    guard let count = counts[track], count > 0 else {
      if leftOut == 0, isNoteDue { noteOtherName(of: track) }
      isNoteDue = false
      return false
    }
    counts[track] = count - 1
    leftOut += 1
    return true
  }

  /// Notes that a file with the name of this track is there under another path.
  private func noteOtherName(of track: String) {
    func file(_ path: String) -> Substring? { path.split(separator: "/").last }
    guard counts[track] == nil, let name = file(track),
      let other = counts.keys.first(where: { file($0) == name })
    else { return }
    note(
      "note: \(path) has \(other) but not \(track), which is replayed: "
        + "only tracks of the same name are left out")
  }

  /// Removes the tracks that failed or broke off from an output that this run appends to, so that
  /// none of their records is there twice.
  ///
  /// - Throws: `FileError`.
  package func removeOthers() throws {
    if OutputFile.isStandardOutput(path) { try OutputFile.keep(whole, of: path) }
  }
}
