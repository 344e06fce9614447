import Cities
import FaketrackSupport
import Foundation
import Geodesy
import Locations
import PhotoSearch
import Synchronization

/// Runs a walk: names the nearest city and finds a photo for each new location, in order.
package struct Tracker: Sendable {
  /// Receives visits in order, and returns the number delivered: fewer only when canceled.
  package typealias Deliver = @Sendable (_ visits: [Visit]) async throws -> Int
  /// Receives changes of permission and signal, in order with the visits.
  package typealias Report = @Sendable (_ event: WalkEvent) async throws -> Void

  package var locations: any LocationProviding
  /// Pauses the walk and changes its speed, if the provider supports that.
  package var pace: (any PaceControlling)?
  /// Finds the photo of each location; `nil` for a walk without photos.
  package var photos: PhotoPicker?
  /// The user's own pictures; they take the place of ``photos``.
  package var album: PhotoAlbum?
  /// Downloads the photos; `nil` if only their URLs are needed.
  package var folder: PhotoFolder?
  /// The city names; `nil` to omit cities.
  package var cities: CityNames?
  /// The number of cells searched concurrently, at least 1.
  package var concurrency: Int
  /// Whether the walk ends when the permission is denied, rather than waits until it is granted.
  package var endsWhenDenied: Bool
  /// Whether the walk ends when the permission is not determined; if not, the provider resolves it.
  package var endsWhenAsking: Bool
  /// `nil` to leave out changes of permission and signal.
  package var report: Report?
  /// Runs beside the walk, and is canceled if that breaks off; `nil` if nothing goes along.
  package var companion: (@Sendable (StateStore<TrackingState>) async -> Void)?

  private static let batchSize = 512

  package init(
    locations: any LocationProviding, pace: (any PaceControlling)? = nil,
    photos: PhotoPicker? = nil, album: PhotoAlbum? = nil, folder: PhotoFolder? = nil,
    cities: CityNames? = nil, concurrency: Int = 4, endsWhenDenied: Bool = false,
    endsWhenAsking: Bool = false
  ) {
    self.locations = locations
    self.pace = pace
    self.photos = photos
    self.album = album
    self.folder = folder
    self.cities = cities
    self.concurrency = concurrency
    self.endsWhenDenied = endsWhenDenied
    self.endsWhenAsking = endsWhenAsking
  }

  /// Walks to the end, and delivers the visits in order; a slow receiver slows the walk.
  ///
  /// Visits that are ready are delivered together. The state counts a visit once it is delivered.
  ///
  /// - Throws: errors of the provider or of `deliver`, or `CancellationError`, as in the state.
  package func run(updating store: StateStore<TrackingState>, deliver: Deliver) async throws {
    do {
      try await folder?.open()
      try await withCompanion(store) {
        if let photos {
          try await PhotoWalk(self, photos, store).run(deliver)
        } else {
          let pages = try await album?.pages(until: ends(at:))
          try await walkWithoutSearches(pages, store, deliver)
        }
      }
      let counts = await photos?.counts
      store.update { state in
        let isBlocked = state.authorization.map(ends(with:)) ?? false
        state.apply(isBlocked ? .blocked(counts) : .finished(counts))
      }
    } catch {
      let counts = await photos?.counts
      store.update { state in
        state.apply(
          error is CancellationError ? .stopped(counts) : .failed(Failure(error), counts))
      }
      throw error
    }
  }

  private func withCompanion(
    _ store: StateStore<TrackingState>, _ walk: () async throws -> Void
  ) async throws {
    guard let companion else { return try await walk() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await companion(store) }
      defer { group.cancelAll() }
      try await walk()
      if store.state.authorization.map(ends(with:)) != true { try await group.waitForAll() }
    }
  }

  private func walkWithoutSearches(
    _ pages: AlbumPages?, _ store: StateStore<TrackingState>, _ deliver: Deliver
  ) async throws {
    var visits = VisitMaker(cities: cities)
    var updates = locations.updates().makeAsyncIterator()
    while let first = try await updates.next() {
      try Task.checkCancellation()
      var batch = [first]
      var hasEnded = ends(at: first)
      // Only the last update can be an event, whose moment the iterator knows.
      while !hasEnded, batch.count < Self.batchSize,
        report == nil || batch.last?.location != nil, let update = updates.nextIfReady()
      {
        hasEnded = ends(at: update)
        batch.append(update)
      }
      var visited: [Visit] = []
      var events: [(index: Int, event: WalkEvent)] = []
      visited.reserveCapacity(batch.count)
      for update in batch {
        if report != nil {
          for event in visits.events(of: update, at: updates.moment) {
            events.append((visited.count, event))
          }
        }
        guard let visit = visits.visit(of: update) else { continue }
        if let pages { visited += visits.visits(visit, in: pages) } else { visited.append(visit) }
      }
      let city = visited.last?.shownCity
      store.update { [batch] in $0.apply(.updated(batch, city: city)) }
      var start = 0
      for (index, event) in events {
        try await Self.deliver(Array(visited[start..<index]), store, deliver)
        try await report?(event)
        start = index
      }
      try await Self.deliver(start == 0 ? visited : Array(visited[start...]), store, deliver)
      if hasEnded { return }
    }
  }

  func ends(at update: LocationUpdate) -> Bool {
    update.authorization.map(ends(with:)) ?? false
  }

  private func ends(with status: AuthorizationStatus) -> Bool {
    switch status {
    case .denied, .restricted: endsWhenDenied
    case .notDetermined: endsWhenAsking
    case .authorizedAlways, .authorizedWhenInUse: false
    }
  }

  static func deliver(
    _ visits: [Visit], _ store: StateStore<TrackingState>, _ deliver: Deliver
  ) async throws {
    guard !visits.isEmpty else { return }
    let delivered = try await deliver(visits)
    store.update { $0.apply(.visited(Array(visits.prefix(delivered)))) }
    if delivered < visits.count { throw CancellationError() }
    try Task.checkCancellation()
  }
}

struct VisitMaker {
  private let cities: CityNames?
  private var cursor: NearestCityCursor?
  private var zones: NearestCityCursor?
  private var index = 0
  /// The number of visits that are further pictures of a location.
  private var further = 0
  private var permission = WalkEvent.Change.authorized
  private var hasSignal = true

  init(cities: CityNames?) {
    self.cities = cities
    zones = cities?.zones
  }

  mutating func visit(of update: LocationUpdate) -> Visit? {
    guard let fix = update.location else { return nil }
    defer { index += 1 }
    if let cities, cities.minPopulation != cursor?.minPopulation { cursor = cities.cursor }
    var visit = Visit(index: index, fix: fix, city: cursor?.nearest(to: fix.coordinate))
    visit.otherCity =
      if let city = visit.city?.city {
        cities?.whole(of: city)
      } else {
        zones?.nearest(to: fix.coordinate)?.city
      }
    return visit
  }

  /// The visits of a location with the user's own pictures.
  mutating func visits(_ visit: Visit, in pages: AlbumPages) -> [Visit] {
    let visits = pages.visits(visit, location: visit.index - further)
    index += visits.count - 1
    further += visits.count - 1
    return visits
  }

  /// The changes of permission and signal in an update.
  ///
  /// - Parameter moment: the time and the distance of an update without a location.
  mutating func events(
    of update: LocationUpdate, at moment: (time: Date?, distance: Double)?
  ) -> [WalkEvent] {
    var changes: [WalkEvent.Change] = []
    if let change = update.authorization.map(WalkEvent.Change.init), change != permission {
      permission = change
      changes.append(change)
    }
    if update.locationUnavailable {
      hasSignal = false
      changes.append(.signalLost)
    } else if update.location != nil, !hasSignal {
      hasSignal = true
      changes.append(.signalRestored)
    }
    return changes.map {
      WalkEvent(
        change: $0, time: update.location?.time ?? moment?.time,
        distance: update.location?.distance ?? moment?.distance)
    }
  }
}

/// A change of permission or signal during a walk, which is authorized and has a signal at first.
package struct WalkEvent: Hashable, Sendable {
  /// The raw values are the names in records.
  package enum Change: String, Hashable, Sendable, CaseIterable {
    case authorized, denied, restricted
    case notDetermined = "not-determined"
    case signalLost = "signal-lost"
    case signalRestored = "signal-restored"

    init(_ status: AuthorizationStatus) {
      switch status {
      case .authorizedAlways, .authorizedWhenInUse: self = .authorized
      case .denied: self = .denied
      case .restricted: self = .restricted
      case .notDetermined: self = .notDetermined
      }
    }
  }

  package var change: Change
  package var time: Date?
  /// Meters along the track.
  package var distance: Double?

  package init(change: Change, time: Date? = nil, distance: Double? = nil) {
    self.change = change
    self.time = time
    self.distance = distance
  }
}

/// A new location and its results: the content of one record of output.
package struct Visit: Hashable, Sendable {
  /// Counted from 0.
  package var index: Int
  package var fix: Fix
  package var city: NearbyCity?
  private var rest: Rest?
  /// The path of the photo's file, if photos are downloaded.
  package var file: String?
  /// The error, if the search failed permanently or the photo could not be downloaded.
  package var error: String?

  package init(
    index: Int, fix: Fix, city: NearbyCity? = nil, photo: Photo? = nil, error: String? = nil
  ) {
    self.index = index
    self.fix = fix
    self.city = city
    self.error = error
    self.photo = photo
  }

  package var photo: Photo? {
    get {
      guard case .found(let photo, _, _) = rest else { return nil }
      return photo
    }
    set { set(newValue, otherCity, placement) }
  }

  /// The city to which ``city`` belongs as a section; without a city, one whose time zone applies
  /// although it is too far away.
  package var otherCity: City? {
    get {
      guard case .found(_, let city, _) = rest else { return nil }
      return city
    }
    set { set(photo, newValue, placement) }
  }

  /// The city that people read: a section gives way to its city.
  package var shownCity: NearbyCity? {
    guard city != nil, let otherCity else { return city }
    return NearbyCity(city: otherCity, distance: fix.coordinate.distance(to: otherCity.coordinate))
  }

  /// The name of ``shownCity``.
  package var shownCityName: String? { city.map { otherCity?.name ?? $0.city.name } }

  /// The place of one of the user's own pictures; `nil` for other photos.
  package var placement: PhotoPlacement? {
    get {
      guard case .found(_, _, let placement) = rest else { return nil }
      return placement
    }
    set { set(photo, otherCity, newValue) }
  }

  private mutating func set(_ photo: Photo?, _ otherCity: City?, _ placement: PhotoPlacement?) {
    rest = photo == nil && otherCity == nil ? nil : .found(photo, otherCity: otherCity, placement)
  }

  /// On the heap: visits are copied often, and most have none of these.
  private indirect enum Rest: Hashable {
    case found(Photo?, otherCity: City?, PhotoPlacement?)
  }

  /// Meters from the location to the photo's position, if known.
  package var photoDistance: Double? {
    photo?.coordinate.map { fix.coordinate.distance(to: $0) }
  }
}

extension Photo {
  /// The title on one line, or a placeholder for a missing one.
  package var shownTitle: String {
    let words = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.isEmpty ? "Untitled" : words
  }

  /// The title under a picture; `nil` for none, the name of a file, and coordinates.
  package var captionTitle: String? {
    let title = shownTitle
    return title == "Untitled" || Self.isFileName(title) || Self.hasCoordinates(title) ? nil : title
  }

  /// Whether a title is the name of a picture file, or a name that a camera gives, such as `DSC01234`.
  private static func isFileName(_ title: String) -> Bool {
    let end = title.suffix(5).lowercased()
    if [".jpg", ".jpeg", ".png", ".heic", ".webp", ".gif", ".tif", ".tiff"].contains(
      where: end.hasSuffix)
    {
      return true
    }
    var digits = 0
    var hasNumber = false
    for byte in title.utf8 {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      digits = isDigit ? digits + 1 : 0
      hasNumber = hasNumber || digits == 3
      guard
        isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      else { return false }
    }
    return hasNumber
  }

  /// Whether two decimal fractions follow each other, as in `Sample photo at 52.41, 13.09`.
  private static func hasCoordinates(_ title: String) -> Bool {
    var isAfterFraction = false
    for word in title.utf8.split(whereSeparator: {
      $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",")
    }) {
      let isFraction =
        word.contains(UInt8(ascii: ".")) && Double(Substring(word)).map(\.isFinite) == true
      if isFraction, isAfterFraction { return true }
      isAfterFraction = isFraction
    }
    return false
  }
}

/// Names the nearest city along walks; the minimum population can change during a walk.
package final class CityNames: Sendable {
  private let start: NearestCityCursor
  let zones: NearestCityCursor?
  private let least: Atomic<Int>
  private let index: CityIndex?
  /// The cities of sections by the ids of the sections; `nil` for one that is no section.
  private let wholes = Locked<[Int: City?]>([:])

  /// - Parameters:
  ///   - cursor: a cursor with the maximum distance and the initial minimum population.
  ///   - index: finds the cities of sections.
  ///   - zones: a cursor for cities that only give their time zone.
  package init(
    _ cursor: NearestCityCursor, zones: NearestCityCursor? = nil, index: CityIndex? = nil
  ) {
    start = cursor
    self.index = index
    self.zones = zones
    least = Atomic(cursor.minPopulation)
  }

  package var minPopulation: Int {
    get { least.load(ordering: .relaxed) }
    set { least.store(max(0, newValue), ordering: .relaxed) }
  }

  /// The larger city to which a section such as Paris 18 Buttes-Montmartre belongs, if there is one.
  func whole(of section: City) -> City? {
    guard let index, section.name.utf8.contains(UInt8(ascii: " ")) else { return nil }
    return wholes.withLock { wholes in
      if let known = wholes[section.id] { return known }
      let city = index.whole(of: section)
      wholes[section.id] = .some(city)
      return city
    }
  }

  /// The nearest city to a position, as people read it.
  func shown(at position: Coordinate) -> NearbyCity? {
    var cursor = cursor
    guard let near = cursor.nearest(to: position) else { return nil }
    return whole(of: near.city).map {
      NearbyCity(city: $0, distance: position.distance(to: $0.coordinate))
    } ?? near
  }

  var cursor: NearestCityCursor {
    var cursor = start
    cursor.minPopulation = minPopulation
    return cursor
  }
}

extension CityIndex {
  /// The largest city within 20 km whose name and a number begin the name of a smaller one.
  fileprivate func whole(of section: City) -> City? {
    let words = section.name.split(separator: " ")
    var largest: City?
    // A town may share its first word with a city beside it: sections have numbers.
    for count in 1..<max(1, words.count) where words[count].first?.isNumber == true {
      let name = words.prefix(count).joined(separator: " ")
      for city in matches(named: name).map(\.city) where city.name == name {
        let population = max(largest?.population ?? 0, section.population ?? 0)
        guard city.population ?? 0 > population,
          city.coordinate.distance(to: section.coordinate) <= 20_000
        else { continue }
        largest = city
      }
    }
    return largest
  }
}

package enum CitySize: Int, CaseIterable, Sendable {
  case town = 0
  case city = 100_000
  case bigCity = 1_000_000

  package var minPopulation: Int { rawValue }

  package var title: String {
    switch self {
    case .town: "Towns"
    case .city: "Cities"
    case .bigCity: "Big cities"
    }
  }
}
