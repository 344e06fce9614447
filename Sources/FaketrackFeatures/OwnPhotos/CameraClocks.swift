import FaketrackPictures
import FaketrackSupport
import Foundation

extension OwnPhotos {
  /// Corrections of the cameras' clocks, and the use of other times.
  package struct Times: Hashable, Sendable {
    /// Later offsets take precedence over earlier ones, and names over none.
    package var offsets: [Offset] = []
    /// Take precedence over ``offsets``.
    package var syncs: [Sync] = []
    /// Whether the name or the modification time of a file counts where there is no other time.
    package var isLoose = false

    package init() {}

    /// A correction of clocks.
    package struct Offset: Hashable, Sendable {
      /// The model of the camera, or the make and the model; `nil` for all cameras that do not write the offset
      /// of their clock from UTC.
      let camera: String?
      /// Seconds to add to the times of the camera.
      package let seconds: Double

      package init(camera: String? = nil, seconds: Double) {
        self.camera = camera
        self.seconds = seconds
      }

      package var isNamed: Bool { camera != nil }

      /// Whether a name is the end of the make and the model, such as `EOS R6` of `Canon Canon EOS R6`.
      static func isName(_ name: String, of camera: String) -> Bool {
        (" " + camera.lowercased()).hasSuffix(" " + name.lowercased())
      }

      /// The model without a make that it repeats.
      static func shortName(of camera: String) -> String {
        let words = camera.split(separator: " ")
        let isRepeated = words.count > 2 && words[0].lowercased() == words[1].lowercased()
        return words.dropFirst(isRepeated ? 1 : 0).joined(separator: " ")
      }
    }

    /// A picture of a clock, which corrects its camera.
    package struct Sync: Hashable, Sendable {
      /// The time that the clock shows, in seconds since the beginning of 2001.
      package enum Shown: Hashable, Sendable {
        /// UTC.
        case universal(Double)
        /// By the clocks along the track.
        case local(Double)
      }

      /// The name of the file.
      let name: String
      let shown: Shown

      package init(name: String, shown: Shown) {
        self.name = name
        self.shown = shown
      }
    }

    /// Seconds to add to the time of a camera.
    func offset(of facts: PictureFacts) -> Double {
      let named = offsets.last { offset in
        guard let name = offset.camera, let camera = facts.camera else { return false }
        return Offset.isName(name, of: camera)
      }
      return named?.seconds ?? (facts.offset == nil ? usualOffset : 0)
    }

    /// Seconds to add to times without a camera's name.
    var usualOffset: Double { offsets.last { $0.camera == nil }?.seconds ?? 0 }
  }

  enum Moment: Hashable {
    /// Seconds since the beginning of 2001, UTC.
    case universal(Double)
    /// Seconds since the beginning of 2001 by the local clock of the place.
    case local(Double)
  }

  /// The time of a picture by a clock other than the receiver's, corrected.
  func moment(of picture: Picture) -> (moment: Moment, rule: PhotoPlacement.Rule)? {
    let facts = picture.facts
    guard let time = facts.cameraTime else {
      // A position needs no time that may be another one.
      let isNeeded = times.isLoose && facts.coordinate == nil
      return isNeeded ? (looseMoment(of: picture), .looseTime) : nil
    }
    if let (clock, shown) = clocks.last(where: { $0.picture.camera == facts.camera }),
      let start = clock.cameraTime
    {
      // Without two offsets, both clocks are taken to be in the same zone.
      let zones = facts.offset.flatMap { offset in clock.offset.map { offset - $0 } } ?? 0
      let passed = time - start - zones
      switch shown {
      case .universal(let shown): return (.universal(shown + passed), .offsetTime)
      case .local(let shown): return (.local(shown + passed), .trackZone)
      }
    }
    let corrected = time + times.offset(of: facts)
    if let offset = facts.offset { return (.universal(corrected - offset), .offsetTime) }
    return (.local(corrected), .trackZone)
  }

  /// The time in the name of a file, or else its modification time.
  private func looseMoment(of picture: Picture) -> Moment {
    let name = (picture.id as NSString).lastPathComponent
    let form =
      #/(?:^|[^0-9])([0-9]{4})[-_.]?([0-9]{2})[-_.]?([0-9]{2})[-_. T]*([0-9]{2})[-_.:]?([0-9]{2})[-_.:]?([0-9]{2})/#
    guard let match = name.firstMatch(of: form)?.output,
      let seconds = CivilDate.seconds(
        [match.1, match.2, match.3, match.4, match.5, match.6].compactMap { Int($0) }
      ).map(Double.init)
    else { return .universal(picture.modified.timeIntervalSinceReferenceDate) }
    // Pixel phones name pictures by UTC.
    return name.hasPrefix("PXL_") ? .universal(seconds) : .local(seconds + times.usualOffset)
  }
}
