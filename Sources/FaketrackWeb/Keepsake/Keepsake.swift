import FaketrackFeatures
import FaketrackPictures
import FaketrackSupport
import Foundation
import PhotoSearch

/// A walk as a page to read, which needs no server and no network.
package struct Keepsake: Sendable {
  private let state: TrackingState
  private let shape: TrackShape
  private let story: Story
  private let pictures: KeepsakePictures
  private let cover: PhotoLog.Card?
  private let captions: Captions
  private let units: Units
  /// The number of photos that the terms of Flickr keep off the page.
  private let leftOut: Int

  /// Makes the page of a walk; `nil` without locations or a track.
  ///
  /// - Parameters:
  ///   - captions: the texts that the user wrote.
  ///   - heic: decodes HEIC pictures, if it is installed.
  package init?(
    _ state: TrackingState, captions: Captions = Captions(), heic: HEICProgram? = nil,
    in units: Units = .preferred
  ) {
    guard let shape = state.shape, state.history.count > 0 else { return nil }
    var state = state
    // The figures describe the whole walk.
    state.phase = .finished
    let cards = state.photos.count == 0 ? [] : (1...state.photos.count).compactMap(state.card)
    let shown = Self.allowed(cards)
    (self.state, self.shape, self.captions, self.units) = (state, shape, captions, units)
    leftOut = cards.count - shown.count
    story = Story(state, shown)
    pictures = KeepsakePictures(shown.map(\.visit), heic)
    cover = Self.cover(of: shown, pictures, length: shape.length)
  }

  /// The photos on the page.
  package var photos: [Visit] { story.chapters.flatMap(\.photos).map(\.visit) }

  /// The headings of the chapters.
  package var chapters: [String] { story.chapters.map(\.heading) }

  /// The photos for the page. The terms of Flickr limit its photos, which are chosen evenly along the walk.
  private static func allowed(_ cards: [PhotoLog.Card]) -> [PhotoLog.Card] {
    func isOnFlickr(_ card: PhotoLog.Card) -> Bool {
      card.visit.photo?.imageURL.host == "live.staticflickr.com"
    }
    let count = cards.count(where: isOnFlickr)
    let limit = PhotoLog.cardLimit
    guard count > limit else { return cards }
    var number = 0
    return cards.filter { card in
      guard isOnFlickr(card) else { return true }
      defer { number += 1 }
      return number * limit / count < (number + 1) * limit / count
    }
  }

  /// The photo of the cover: a wide one after the middle of the walk, the nearest to the path.
  private static func cover(
    of cards: [PhotoLog.Card], _ pictures: KeepsakePictures, length: Double
  ) -> PhotoLog.Card? {
    let shown = cards.filter { card in card.visit.photo.map(pictures.isShown) ?? false }
    let wide = shown.filter { card in
      let ratio = card.visit.photo.flatMap { pictures.sizes[$0.imageURL] }?.ratio
      return (1.2...2.4).contains(ratio ?? 1.5)
    }
    let later = wide.filter { 0.6 * length...0.8 * length ~= $0.visit.fix.distance ?? 0 }
    func distance(_ card: PhotoLog.Card) -> Double {
      card.visit.photo?.coordinate?.distance(to: card.visit.fix.coordinate) ?? 0
    }
    return [later, wide, shown].first { !$0.isEmpty }?.min { distance($0) < distance($1) }
  }

  /// The maximum number of bytes of a page that a screen offers.
  package static let limit = 20_000_000

  /// The page in one file.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes.
  ///   - note: receives notes for the user.
  /// - Throws: ``Failure`` if the photos don't fit.
  package func page(limit: Int, note: (String) -> Void = { _ in }) throws(Failure) -> String {
    let (addresses, pixels) = try pictures.embedded(limit: limit, page: markup([:]).utf8.count)
    if pixels < 1_600 {
      let size = KeepsakePictures.megabytes(limit)
      note("photos: about \(pixels) pixels on the longer side, to fit \(size)")
    }
    report(note)
    return markup(addresses)
  }

  private static let (file, pictureFolder) = ("index.html", "photos")

  /// Checks, before a walk, that its page can be written to a folder.
  ///
  /// - Parameter inputs: the files and folders that the walk reads or writes.
  /// - Throws: `FileError` or ``Failure``.
  package static func check(_ path: String, inputs: [String]) throws {
    let pictures = OutputFolder(path, subfolder: pictureFolder, isExclusive: true)
    if let input = inputs.first(where: pictures.contains) {
      throw Failure(
        message: "-o writes to \(pictures.path), where \(input) is",
        hint: "Name another folder with -o.", kind: .wrongUsage)
    }
    try OutputFolder(path).check([file])
    try pictures.check()
  }

  /// Writes the page with its pictures beside it, and returns the path of the page. Pictures of an earlier
  /// page are deleted unless they were changed.
  ///
  /// - Throws: `FileError` or ``Failure``.
  package func write(to path: String, note: (String) -> Void = { _ in }) throws -> String {
    let folder = OutputFolder(path)
    let pictureFolder = OutputFolder(path, subfolder: Self.pictureFolder, isExclusive: true)
    try folder.open()
    let names = try pictures.write(to: pictureFolder)
    let page = markup(names.mapValues { "\(Self.pictureFolder)/\($0)" })
    guard try folder.write(Self.file, with: Array(page.utf8)) else {
      throw folder.foreign(Self.file)
    }
    let written = Set(names.values)
    let kept = try pictureFolder.remove {
      KeepsakePictures.isName($0) && !written.contains($0)
    }
    if !kept.isEmpty {
      let count = Quantity.count(kept.count, "file")
      note(
        "note: kept \(count) in \(pictureFolder.path), changed since faketrack wrote them: "
          + Self.list(kept))
    }
    report(note)
    return folder.path(of: Self.file)
  }

  private func report(_ note: (String) -> Void) {
    if leftOut > 0 {
      let count = Quantity.count(leftOut, "photo")
      note("photos: \(count) left out: Flickr's terms allow \(PhotoLog.cardLimit) on a page")
    }
    if pictures.linked > 0 {
      let count = Quantity.count(pictures.linked, "photo")
      note("photos: \(count) linked, shown only with a network; --download puts them inside")
    }
    let (undecoded, unsupported) = (pictures.undecodedNames, pictures.unsupportedNames)
    if !unsupported.isEmpty {
      let count = Quantity.count(unsupported.count, "file")
      note(
        "photos: a placeholder for \(count) that browsers don't show (HEIC, video): "
          + Self.list(unsupported))
    }
    if !undecoded.isEmpty {
      let count = Quantity.count(undecoded.count, "file")
      note("photos: a placeholder for \(count), damaged or too large: \(Self.list(undecoded))")
    }
  }

  /// The first names of a list.
  private static func list(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
  }

  // MARK: Markup

  private func markup(_ addresses: [URL: String]) -> String {
    let shown = story.chapters.flatMap(\.photos) + [cover].compactMap(\.self)
    let page = StoryPage(
      state, shape, story, cover: cover, captions: captions,
      pictures: PagePictures(
        addresses, sizes: pictures.sizes, shown: shown.compactMap(\.visit.photo)), in: units)
    return HTML.document(
      tag("html", .attribute("lang", "en")) {
        head(title: page.title)
        tag("body") {
          page.content
          HTML.raw("script", .attribute("type", "module"), text: Self.start)
        }
      }
    ).markup
  }

  private static let script = "story/story.mjs"
  private static let start = "import { start } from \"\(script)\";\nstart();\n"

  private func head(title: String) -> HTML {
    let resources = PageResources.shared
    return tag("head") {
      emptyTag("meta", .attribute("charset", "utf-8"))
      emptyTag(
        "meta", .attribute("http-equiv", "Content-Security-Policy"),
        .attribute("content", Self.policy))
      emptyTag(
        "meta", .attribute("name", "viewport"),
        .attribute("content", "width=device-width, initial-scale=1"))
      emptyTag("meta", .attribute("name", "color-scheme"), .attribute("content", "light dark"))
      emptyTag("meta", .attribute("name", "generator"), .attribute("content", "faketrack"))
      tag("title", text: title)
      let icon = Data(resources.bytes(of: "shared/icon.svg")).base64EncodedString()
      emptyTag(
        "link", .attribute("rel", "icon"),
        .attribute("href", "data:image/svg+xml;base64,\(icon)"))
      for name in ["shared/page.css", "photos/lightbox.css", "story/story.css"] {
        HTML.raw("style", text: resources.text(of: name))
      }
      HTML.raw(
        "script", .attribute("type", "importmap"), text: ScriptJSON.text(["imports": Self.modules]))
    }
  }

  /// Allows only linked photos, and the scripts and pictures of the page.
  private static let policy = [
    "default-src 'none'", "script-src 'unsafe-inline' data:", "style-src 'unsafe-inline'",
    "img-src data: file: http: https:", "form-action 'none'", "base-uri 'none'",
  ].joined(separator: "; ")

  /// The scripts by the names that they import each other by.
  private static let modules: [String: String] = {
    let resources = PageResources.shared
    return Dictionary(
      uniqueKeysWithValues: resources.modules(from: script).map { name in
        let text = Data(resources.scriptWithNamedImports(name).utf8)
        return (name, "data:text/javascript;base64,\(text.base64EncodedString())")
      })
  }()
}
