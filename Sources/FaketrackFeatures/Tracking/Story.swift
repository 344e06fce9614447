/// A walk as chapters in walking order: its days, else its towns, else its hours.
package struct Story: Sendable {
  package struct Chapter: Sendable {
    /// A day, a town, or an hour of the day.
    package let heading: String
    /// Meters along the track.
    package let range: ClosedRange<Double>
    /// The time of day and the town at its start, as far as they are known, without the one in the heading.
    package let details: [String]
    package fileprivate(set) var photos: [PhotoLog.Card] = []
  }

  package private(set) var chapters: [Chapter] = []

  /// - Parameters:
  ///   - state: a walk that has ended, with its track.
  ///   - cards: the photos to show.
  package init(_ state: TrackingState, _ cards: [PhotoLog.Card]) {
    let moments = state.history.elements.map { Moment($0, on: state.clocks) }
      .sorted { $0.distance < $1.distance }
    let photos = cards.map { (card: $0, distance: $0.visit.fix.distance ?? 0) }
      .sorted { ($0.distance, $0.card.number) < ($1.distance, $1.card.number) }
    let length = state.shape?.length ?? moments.last?.distance ?? 0
    let plan = Plan(
      moments, photos: photos.map(\.distance), length: length, title: state.entry?.title ?? "Walk")
    for (number, part) in plan.parts.enumerated() {
      let next = number + 1
      let end = next < plan.parts.count ? plan.parts[next].start : max(length, part.start)
      let moment = moments[part.first]
      let details = [plan.isByHour ? nil : moment.time?.clock, moment.town].compactMap(\.self)
      chapters.append(
        Chapter(
          heading: part.heading, range: part.start...end,
          details: details.filter { $0 != part.heading }))
    }
    var number = 0
    for (card, distance) in photos where !chapters.isEmpty {
      while number + 1 < chapters.count, chapters[number + 1].range.lowerBound <= distance {
        number += 1
      }
      chapters[number].photos.append(card)
    }
  }
}

/// A location of the walk, with what a chapter may be named after.
private struct Moment {
  let distance: Double
  let time: LocalTime?
  let town: String?

  init(_ visit: Visit, on clocks: Clocks) {
    distance = visit.fix.distance ?? 0
    time = clocks.time(of: visit)
    town = visit.shownCity?.close?.city.name
  }
}

/// The moments of a walk in parts, each with a heading.
private struct Plan {
  struct Part {
    /// The index of its first moment.
    let first: Int
    /// Meters along the track.
    let start: Double
    var heading: String
    /// Its share of the way and of the photos, from 0 to 1.
    var way = 0.0
    var photos = 0.0

    var share: Double { max(way, photos) }
  }

  /// A town or an hour is a chapter if it has at least this share of the way or of the photos.
  private static let smallestShare = 1.0 / 12

  private(set) var parts: [Part] = []
  private(set) var isByHour = false

  /// - Parameters:
  ///   - photos: the positions of the photos in meters along the track, in order.
  ///   - title: the heading of a walk without days, towns and hours.
  init(_ moments: [Moment], photos: [Double], length: Double, title: String) {
    guard !moments.isEmpty else { return }
    func divided(by heading: (Moment) -> String?) -> [Part] {
      Self.measured(Self.parts(of: moments, heading), photos: photos, length: length)
    }
    parts = divided { $0.time?.longDate }
    if parts.count > 1 { return }
    parts = divided(by: \.town)
    join()
    let towns = parts
    if towns.count > 1 { return }
    parts = divided { $0.time.map { "From \($0.clock.prefix(2)):00" } }
    join()
    isByHour = parts.count > 1
    if !isByHour { parts = towns.isEmpty ? [Part(first: 0, start: 0, heading: title)] : towns }
  }

  /// Begins a part wherever the heading changes; a moment without a heading continues the part before it.
  private static func parts(of moments: [Moment], _ heading: (Moment) -> String?) -> [Part] {
    var parts: [Part] = []
    for (index, moment) in moments.enumerated() {
      guard let heading = heading(moment), heading != parts.last?.heading else { continue }
      let isFirst = parts.isEmpty
      parts.append(
        Part(first: isFirst ? 0 : index, start: isFirst ? 0 : moment.distance, heading: heading))
    }
    return parts
  }

  private static func measured(
    _ parts: [Part], photos: [Double], length: Double
  ) -> [Part] {
    var parts = parts
    let count = Double(max(1, photos.count))
    var rest = photos[...]
    for number in parts.indices {
      let end = number + 1 < parts.count ? parts[number + 1].start : .infinity
      let inside = rest.prefix { $0 < end }
      parts[number].way = (min(end, length) - parts[number].start) / max(length, 1)
      parts[number].photos = Double(inside.count) / count
      rest = rest.dropFirst(inside.count)
    }
    return parts
  }

  /// Joins each part that is too small with the smaller one of its neighbors, and neighbors of one heading.
  private mutating func join() {
    while parts.count > 1, let small = parts.indices.min(by: { parts[$0].share < parts[$1].share }),
      parts[small].share < Self.smallestShare
    {
      let neighbors = [small - 1, small + 1].filter(parts.indices.contains)
      let neighbor = neighbors.min { parts[$0].share < parts[$1].share } ?? small
      let heading = parts[neighbor].heading
      var first = min(small, neighbor)
      joinWithNext(first, heading)
      if first > 0, parts[first - 1].heading == heading {
        first -= 1
        joinWithNext(first, heading)
      }
      if first + 1 < parts.count, parts[first + 1].heading == heading {
        joinWithNext(first, heading)
      }
    }
  }

  private mutating func joinWithNext(_ number: Int, _ heading: String) {
    let next = parts.remove(at: number + 1)
    parts[number].heading = heading
    parts[number].way += next.way
    parts[number].photos += next.photos
  }
}
