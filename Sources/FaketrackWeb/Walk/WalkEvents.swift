import FaketrackFeatures
import Foundation

/// The walk as one browser is told of it: looks at what is newest whenever the browser has taken
/// what came before.
///
/// Every photo comes once, as a card or, when there were too many at once, as a pin; who missed
/// more than is kept begins anew with what there is.
struct WalkEvents: Sendable {
  private var cursor: WalkCursor?
  private var revision: Int?

  /// - Parameter cursor: what the browser has, if it says so.
  init(after cursor: WalkCursor?) {
    self.cursor = cursor
  }

  /// The events for what has changed since the last look; `nil` if nothing has.
  @MainActor
  mutating func next(from session: WalkSession) -> String? {
    guard revision != session.revision else { return nil }
    revision = session.revision
    let view = session.view
    let photos = session.photos
    let state = WalkUpdate(view, photos: photos.count)
    var events = ""
    if let seen = cursor, seen.walk == view.walk, let news = photos.news(after: seen.photo) {
      cursor = WalkCursor(walk: view.walk, photo: photos.count)
      if !news.pins.isEmpty { events += event("photos", PhotoUpdate(news)) }
    } else {
      cursor = WalkCursor(walk: view.walk, photo: photos.count)
      let all = PhotoLog.News(pins: photos.pins, cards: photos.cards)
      events += event("reset", PhotoUpdate(all))
    }
    return events + event("state", state)
  }

  private func event(_ name: String, _ value: some Encodable) -> String {
    guard let data = try? WebJSON.encode(value) else { return "" }
    let id = cursor.map { "id: \($0)\n" } ?? ""
    return "event: \(name)\n\(id)data: \(String(decoding: data, as: UTF8.self))\n\n"
  }
}

/// Photos that the page adds.
private struct PhotoUpdate: Encodable {
  struct Card: Encodable {
    let number: Int
    let html: String
  }

  /// Number, latitude, longitude and metres of each in turn.
  let pins: [Double]
  let cards: [Card]

  init(_ news: PhotoLog.News) {
    pins = news.pins.flatMap { pin in
      [
        Double(pin.number), pin.coordinate.latitude.rounded(decimals: 6),
        pin.coordinate.longitude.rounded(decimals: 6), (pin.distance ?? 0).rounded(decimals: 0),
      ]
    }
    cards = news.cards.map { Card(number: $0.number, html: PhotoCardPart.html($0).markup) }
  }
}
