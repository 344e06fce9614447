import FaketrackPictures
import Foundation
import PhotoSearch

/// The pictures of a page without a server; a picture inside of the page is there once, however often it is shown.
struct PagePictures {
  enum Place {
    /// Fills the cover.
    case cover
    /// Is shown whole.
    case row
  }

  private let addresses: [URL: String]
  private let sizes: [URL: PictureSize]
  /// The numbers of the pictures that are shown several times, by their addresses.
  private let repeated: [String: (number: Int, size: PictureSize)]

  /// - Parameters:
  ///   - addresses: the addresses of the pictures in the page or beside it; other photos are linked.
  ///   - shown: the photos on the page, one that is shown twice twice.
  init(_ addresses: [URL: String], sizes: [URL: PictureSize], shown: [Photo]) {
    self.addresses = addresses
    self.sizes = sizes
    var seen: Set<String> = []
    var repeated: [String: (number: Int, size: PictureSize)] = [:]
    for photo in shown {
      guard let address = addresses[photo.imageURL], address.hasPrefix("data:"),
        let size = sizes[photo.imageURL], !seen.insert(address).inserted, repeated[address] == nil
      else { continue }
      repeated[address] = (repeated.count + 1, size)
    }
    self.repeated = repeated
  }

  /// The size of the upright picture; `nil` for a photo that is linked.
  func size(of photo: Photo) -> PictureSize? { sizes[photo.imageURL] }

  /// The pictures that are shown several times, to which the others refer.
  var shared: HTML {
    if repeated.isEmpty { return .none }
    return tag("svg", .class("shared"), .hiddenFromReaders) {
      for (address, (number, size)) in repeated.sorted(by: { $0.value.number < $1.value.number }) {
        tag(
          "image", .id("picture-\(number)"), .attribute("width", "\(size.width)"),
          .attribute("height", "\(size.height)"), .embedded("href", address))
      }
    }
  }

  /// - Parameter name: the text for readers that show no pictures; empty for a decoration.
  func html(of photo: Photo, named name: String, _ place: Place) -> HTML {
    let address = addresses[photo.imageURL]
    let size = sizes[photo.imageURL]
    if let address, let (number, size) = repeated[address] {
      return tag(
        "svg", .class("image"), .attribute("viewBox", "0 0 \(size.width) \(size.height)"),
        .attribute("preserveAspectRatio", place == .cover ? "xMidYMid slice" : nil),
        name.isEmpty ? .hiddenFromReaders : .attribute("role", "img"),
        .attribute("aria-label", name.isEmpty ? nil : name)
      ) {
        tag("use", .attribute("href", "#picture-\(number)"))
      }
    }
    return emptyTag(
      "img", .class("image"), address.map { .embedded("src", $0) } ?? .src(photo.imageURL),
      .attribute("alt", name), .attribute("width", size.map { "\($0.width)" }),
      .attribute("height", size.map { "\($0.height)" }), .attribute("decoding", "async"),
      .attribute("loading", place == .row ? "lazy" : nil),
      .attribute("referrerpolicy", "no-referrer"))
  }
}
