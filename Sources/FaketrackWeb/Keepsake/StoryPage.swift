import FaketrackFeatures
import FaketrackPictures
import FaketrackSupport
import Foundation
import PhotoSearch

/// A walk to read: a cover, chapters with rows of photos beside a small map, and the figures at the end.
///
/// It reads without scripts and on paper; with scripts, the map plays as one scrolls.
struct StoryPage {
  let state: TrackingState
  let shape: TrackShape
  let story: Story
  /// The photo of the cover; `nil` for a cover that shows the line.
  let cover: PhotoLog.Card?
  let captions: Captions
  let units: Units
  let pictures: PagePictures
  /// The credit of all photos if it is one; each photo has its own otherwise.
  private let commonCredit: HTML?

  init(
    _ state: TrackingState, _ shape: TrackShape, _ story: Story, cover: PhotoLog.Card?,
    captions: Captions, pictures: PagePictures, in units: Units
  ) {
    (self.state, self.shape, self.story, self.cover) = (state, shape, story, cover)
    (self.captions, self.pictures, self.units) = (captions, pictures, units)
    let credits = Set(story.chapters.flatMap(\.photos).map { $0.visit.photo.flatMap(Self.credit) })
    commonCredit = credits.count == 1 ? credits.first ?? nil : nil
  }

  var title: String { state.entry?.title ?? "Walk" }

  /// The names along the edge of the cover.
  private static let legLimit = 5

  @HTMLBuilder
  var content: HTML {
    pictures.shared
    front
    tag("main", .class("story")) {
      tag("aside", .class("side")) {
        StoryMap(state: state, shape: shape).html
        contents
      }
      tag("div", .class("chapters")) {
        for (number, chapter) in story.chapters.enumerated() { html(chapter, number + 1) }
        end
      }
    }
    PhotoCard.lightbox
  }

  // MARK: Cover

  private var front: HTML {
    tag("header", .class(cover == nil ? "front plain" : "front")) {
      if let photo = cover?.visit.photo {
        pictures.html(of: photo, named: "", .cover)
      } else {
        MapFigure.route(of: shape)
      }
      tag("div", .class("words")) {
        if let date = state.startDate { tag("p", .class("eyebrow"), text: date) }
        tag("h1") { PlaceTitle.html(title) }
        tag("dl", .class("figures facts")) {
          for item in WalkArrival(state, in: units)?.figures ?? [] { figure(item.title, item.text) }
        }
        tag("p", .class("go")) {
          tag("a", .class("button"), .attribute("href", "#chapter-1"), text: "Read the walk")
          if story.chapters.count > 1 { tag("span", text: "\(story.chapters.count) chapters") }
        }
      }
      if let photo = cover?.visit.photo, let credit = Self.credit(of: photo) {
        tag("p", .class("credit")) {
          if let title = cover.flatMap(caption) { title + " · " }
          credit
        }
      }
      ProfileFigure.ridge(shape)
      tag("ol", .class("legs figures")) {
        for chapter in legs {
          tag("li") {
            tag("b", text: Quantity.distance(chapter.range.lowerBound, in: units))
            " " + chapter.heading
          }
        }
        tag("li") { tag("b", text: Quantity.distance(shape.length, in: units)) }
      }
    }
  }

  /// Chapters at even steps, the first and the last among them.
  private var legs: [Story.Chapter] {
    let chapters = story.chapters
    guard chapters.count > Self.legLimit else { return chapters }
    return (0..<Self.legLimit).map {
      chapters[$0 * (chapters.count - 1) / (Self.legLimit - 1)]
    }
  }

  @HTMLBuilder
  private var contents: HTML {
    if story.chapters.count > 1 {
      tag("ol", .class("contents figures")) {
        for (number, chapter) in story.chapters.enumerated() {
          tag("li") {
            tag("a", .attribute("href", "#chapter-\(number + 1)")) {
              tag("span", text: chapter.heading)
              tag("span", text: Quantity.distance(chapter.range.lowerBound, in: units))
            }
          }
        }
      }
    }
  }

  // MARK: Chapters

  private func html(_ chapter: Story.Chapter, _ number: Int) -> HTML {
    let start = chapter.range.lowerBound
    return tag(
      "section", .class("chapter"), .id("chapter-\(number)"), meters(start),
      .attribute("aria-labelledby", "heading-\(number)")
    ) {
      tag("p", .class("eyebrow figures")) {
        ([Quantity.distance(start, in: units)] + chapter.details).joined(separator: " · ")
      }
      tag("h2", .id("heading-\(number)"), text: chapter.heading)
      tag("p", .class("muted figures"), text: facts(of: chapter))
      if let text = captions.text(ofChapter: chapter.heading) {
        tag("p", .class("lede"), text: text)
      }
      tag("ol", .class("rows")) { for card in chapter.photos { html(card) } }
    }
  }

  private func facts(of chapter: Story.Chapter) -> String {
    let totals = shape.totals(of: [chapter.range])
    let length = chapter.range.upperBound - chapter.range.lowerBound
    return [
      Quantity.distance(length, in: units), Quantity.duration(totals.elapsed),
      shape.elevations.map { _ in "\(Quantity.height(totals.ascent, in: units)) up" },
    ].compactMap(\.self).joined(separator: " · ")
  }

  private func html(_ card: PhotoLog.Card) -> HTML {
    guard let photo = card.visit.photo else { return .none }
    let ratio = pictures.size(of: photo)?.ratio.rounded(places: 3)
    let distance = card.visit.fix.distance ?? 0
    let caption = caption(of: card)
    return tag(
      "li", .id("photo-\(card.number)"), .data("number", "\(card.number)"), meters(distance),
      .attribute("style", ratio.map { "--a:\($0)" })
    ) {
      tag("figure") {
        tag("div", .class("picture")) {
          pictures.html(of: photo, named: caption ?? "Photo \(card.number)", .row)
        }
        tag("figcaption") {
          if let caption { tag("h3", text: caption) }
          tag("p", .class("figures")) {
            [Quantity.distance(distance, in: units), state.clocks.time(of: card.visit)?.clock]
              .compactMap(\.self)
              .joined(separator: " · ")
          }
          if commonCredit == nil, let credit = Self.credit(of: photo) {
            tag("p", .class("credit")) { credit }
          }
        }
      }
    }
  }

  /// The text that the user wrote, or else the photo's own title; `nil` without a text.
  private func caption(of card: PhotoLog.Card) -> String? {
    switch captions.caption(of: card.visit) {
    case .text(let text): text
    case .empty: nil
    case nil: card.visit.photo?.captionTitle
    }
  }

  private func meters(_ distance: Double) -> Attribute {
    .data("meters", DecimalText.fixed(distance, places: 0))
  }

  /// The author and the license with their links; `nil` for one's own photo without an author.
  private static func credit(of photo: Photo) -> HTML? {
    if photo.imageURL.isFileURL, photo.owner.isEmpty { return nil }
    let owner = HTML(photo.owner.isEmpty ? "unknown author" : photo.owner)
    // Sample photos have their pages on the server of the page.
    let page = photo.pageURL.flatMap { SamplePhotos.path(of: $0) == nil ? $0 : nil }
    return HTMLBuilder.buildBlock(
      page.map { page in outsideLink(page) { owner } } ?? owner,
      photo.license.map { license in
        HTMLBuilder.buildBlock(HTML(", "), outsideLink(license.url) { license.name })
      } ?? .none)
  }

  // MARK: End

  private var end: HTML {
    tag("section", .class("chapter end"), meters(shape.length), .label("The whole walk")) {
      tag("h2", text: "The whole walk")
      tag("dl", .class("figures all")) {
        for figure in WalkFigure.all {
          if let text = figure.text(state, in: units) { FaketrackWeb.figure(figure.title, text) }
        }
      }
      tag("footer", .class("muted")) {
        if let commonCredit {
          tag("p", .class("credit")) {
            "Photos: "
            commonCredit
          }
        }
        tag("p") {
          if state.minimumPopulation != nil {
            "Cities: "
            outsideLink(URL(string: "https://www.geonames.org")) { "GeoNames" }
            " · "
          }
          "Made with faketrack"
        }
      }
    }
  }
}

extension WalkFigure {
  /// The figures of a whole walk.
  fileprivate static let all: [WalkFigure] = [
    .distance, .elapsed, .moving, .average, .ascent, .highest, .lowest, .photos,
  ]
}
