import FaketrackCompression
import FaketrackSupport

/// A painting that sample photos show; `script/data/paint` paints them.
struct SamplePainting: Hashable, Sendable {
  /// The media type of all files.
  static let type = "image/webp"

  /// The motif and the time of day: `lake-day`.
  let name: String
  /// The size of the large file in pixels.
  let width: Int
  let height: Int

  /// A motif in two times of day.
  private struct Motif {
    let name: String
    let times: [String]
    var isPortrait = false
  }

  /// Neighbors in this list differ in color.
  private static let motifs = [
    Motif(name: "lake", times: ["day", "evening"]),
    Motif(name: "birches", times: ["day", "evening"], isPortrait: true),
    Motif(name: "bridge", times: ["morning", "dusk"]),
    Motif(name: "meadow", times: ["day", "evening"]),
    Motif(name: "rooftops", times: ["day", "evening"]),
    Motif(name: "mist", times: ["morning", "dusk"]),
    Motif(name: "avenue", times: ["morning", "day"], isPortrait: true),
    Motif(name: "sails", times: ["day", "dusk"]),
    Motif(name: "town", times: ["dusk", "night"]),
    Motif(name: "park", times: ["morning", "day"]),
    Motif(name: "houses", times: ["day", "dusk"], isPortrait: true),
    Motif(name: "terraces", times: ["day", "evening"]),
  ]

  static let all = motifs.flatMap { motif in
    motif.times.map { SamplePainting(motif, $0) }
  }

  private init(_ motif: Motif, _ time: String) {
    name = "\(motif.name)-\(time)"
    (width, height) = motif.isPortrait ? (720, 960) : (960, 720)
  }

  /// The painting of a photo, always the same for a name.
  ///
  /// The names of sample photos contain a row and a column of the grid of photos: `s226082x187274`.
  /// Twelve photos in a row or column have different motifs. The time of day varies at random.
  init(photo name: some StringProtocol) {
    let random = SplitMix64.mix(UInt64(Gzip.checksum(Array(name.utf8))))
    let numbers = name.split { !$0.isNumber }.compactMap { UInt64($0) }
    // 5 has no factor in common with the number of motifs.
    let place = numbers.count == 2 ? numbers[0] &+ numbers[1] &* 5 : random >> 8
    let motif = Self.motifs[Int(place % UInt64(Self.motifs.count))]
    self.init(motif, motif.times[Int(random & 1)])
  }

  /// The file with the painting, 960 pixels on the longer side.
  var large: [UInt8] { PageResources.shared.bytes(of: "samples/\(name).webp") }

  /// The file for thumbnails, 192 pixels on the longer side.
  var small: [UInt8] { PageResources.shared.bytes(of: "samples/\(name)-small.webp") }
}
