import FaketrackServices
import Geodesy

/// Chooses a photo for each of a row of locations.
///
/// Searches may run ahead and side by side; the choice is made location by location, so that it
/// follows from the seed and the answers alone, never from which answer came first.
package actor PhotoPicker {
  private let search: any PhotoSearching
  private let meter: SearchMeter?
  private let settings: PhotoPickerSettings
  private let grid: PlaceGrid
  private var seen = SeenPhotos()
  /// First pages that were asked for and not yet picked from; failures among them as well, so
  /// that how often a place is tried depends on the locations alone.
  private var attempts: [EarthGrid.Cell: SharedTask<PhotoPage>] = [:]
  private var failuresInARow = 0
  /// Whether a search ahead failed that has not been picked from yet.
  private var hasFailedAhead = false
  /// Why there are no further searches.
  private var end: PhotoSearchError?
  private var progress = PhotoCounts()

  /// Creates a picker.
  ///
  /// - Parameters:
  ///   - search: Where photos come from; best one that remembers, such as ``PhotoCache``.
  ///   - meter: What the calls to the service are counted by.
  package init(
    _ search: any PhotoSearching, settings: PhotoPickerSettings, meter: SearchMeter? = nil
  ) {
    self.search = search
    self.settings = settings
    self.meter = meter
    grid = PlaceGrid(radius: settings.radius, maximumRadius: search.maximumRadius)
  }

  /// What was done so far.
  package var counts: PhotoCounts {
    var counts = progress
    counts.calls = meter?.calls ?? 0
    return counts
  }

  /// Searches the place of a location that will be picked for; returns when it has the answer.
  ///
  /// While searches fail, nothing is searched ahead: the next one waits for its pick.
  package func prepare(for location: Coordinate) async {
    guard end == nil, failuresInARow == 0, !hasFailedAhead else { return }
    let place = grid.place(of: location)
    do {
      _ = try await attempt(at: place).value
    } catch {
      if !(error is CancellationError) { hasFailedAhead = true }
    }
  }

  /// Chooses the photo of a location.
  ///
  /// Unseen photos come first: those within the distance filter, at least 100 m, then those
  /// within the radius, then those of the place's next pages. Only then is one repeated.
  ///
  /// - Parameter index: The location's number; call in ascending order, one at a time.
  package func pick(for location: Coordinate, index: Int) async -> PhotoOutcome {
    do {
      let outcome = try await choose(for: location, index: index)
      progress.locations += 1
      return outcome
    } catch {
      return .cancelled
    }
  }

  private func choose(for location: Coordinate, index: Int) async throws -> PhotoOutcome {
    if let end {
      progress.failed += 1
      return .failed(end)
    }
    let place = grid.place(of: location)
    var generator = SplitMix64(
      seed: SplitMix64.mix(settings.seed) ^ SplitMix64.mix(~UInt64(bitPattern: Int64(index))))
    var candidates = PhotoCandidates(location: location, settings: settings)
    var pageNumber = 1
    while true {
      progress.searches += 1
      let page: PhotoPage
      do {
        page =
          pageNumber == 1
          ? try await firstPage(of: place)
          : try await search.photos(for: query(for: place, page: pageNumber))
      } catch {
        try Task.checkCancellation()
        return fail(PhotoSearchError(error, from: search))
      }
      let hasNews = candidates.add(page.photos)
      if let choice = candidates.draw(using: &generator, where: { !seen.contains($0) }) {
        return succeed(choice)
      }
      guard hasNews, !page.isLast else { break }
      pageNumber += 1
    }
    if let choice = candidates.draw(using: &generator, where: { _ in true }) {
      progress.repeated += 1
      return succeed(choice)
    }
    answered()
    return .nothing
  }

  private func succeed(_ choice: PhotoCandidates.Candidate) -> PhotoOutcome {
    answered()
    progress.found += 1
    seen.insert(choice.photo.id)
    return .found(choice.photo, distance: choice.distance)
  }

  /// Takes in that a location has an answer: searches may run ahead again.
  private func answered() {
    failuresInARow = 0
    hasFailedAhead = false
  }

  private func fail(_ error: PhotoSearchError) -> PhotoOutcome {
    progress.failed += 1
    failuresInARow += 1
    progress.isKeyRejected = error.isKeyRejected
    progress.hasGivenUp = failuresInARow >= settings.failuresBeforeGivingUp
    if progress.isKeyRejected || progress.hasGivenUp { end = error }
    return .failed(error)
  }

  /// Takes the first page that was prepared, or asks for it.
  private func firstPage(of place: Place) async throws -> PhotoPage {
    while true {
      let attempt = attempt(at: place)
      defer { if attempts[place.cell] === attempt { attempts[place.cell] = nil } }
      do {
        return try await attempt.value
      } catch is CancellationError {
        // Ours, or the search was given up by those who had prepared it: then it is made again.
        try Task.checkCancellation()
      }
    }
  }

  private func attempt(at place: Place) -> SharedTask<PhotoPage> {
    if let attempt = attempts[place.cell], !attempt.isCancelled { return attempt }
    let query = query(for: place, page: 1)
    let attempt = SharedTask { [search] in try await search.photos(for: query) }
    attempts[place.cell] = attempt
    return attempt
  }

  private func query(for place: Place, page: Int) -> PhotoQuery {
    PhotoQuery(
      center: place.center, radius: place.radius, size: settings.size, license: settings.license,
      page: page)
  }
}
