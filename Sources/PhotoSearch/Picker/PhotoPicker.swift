import FaketrackSupport
import Geodesy

/// Chooses a photo for each location of a walk.
///
/// Searches may be prepared ahead and run concurrently. Photos are chosen one location at a time:
/// the choice depends on the seed and the answers alone, never on the order in which they arrive.
public actor PhotoPicker {
  /// The largest number of pages that are searched in a cell.
  static let maximumPages = 16

  private let pipeline: PhotoPipeline
  private let settings: PhotoPickerSettings
  private nonisolated let grid: CellGrid
  private var seen = SeenPhotos()
  /// The searches for first pages that no location has taken yet. A failed one stays as well and
  /// counts as the next location's own try, so that the number of tries in a cell does not depend
  /// on what was prepared.
  private var attempts: [SearchCell: Task<PhotoPage, any Error>] = [:]
  private var failuresInARow = 0
  /// Whether no search has failed since the last success.
  private var searchesAhead = true
  /// The failure that ended all searches.
  private var end: PhotoSearchError?
  private var progress = PhotoCounts()

  /// Creates a picker.
  ///
  /// - Parameters:
  ///   - search: the source of photos: a ``PhotoPipeline``, which several pickers may share, or any
  ///     other source, for which the picker makes a pipeline.
  ///   - settings: the photos to choose from.
  public init(
    _ search: any PhotoSearching, settings: PhotoPickerSettings = PhotoPickerSettings()
  ) {
    pipeline = search as? PhotoPipeline ?? PhotoPipeline(search)
    self.settings = settings
    grid = CellGrid(radius: settings.radius, maximumRadius: search.maximumRadius)
  }

  /// The counts so far; calls are counted for the whole pipeline.
  public var counts: PhotoCounts {
    var counts = progress
    counts.calls = pipeline.calls
    counts.remoteSearches = pipeline.remoteSearches
    return counts
  }

  /// The cell of a location: locations in the same cell share a search.
  package nonisolated func cell(of location: Coordinate) -> SearchCell {
    grid.cell(of: location)
  }

  /// Searches the cell of a location ahead of its ``photo(for:)``; returns when there is an
  /// answer.
  ///
  /// After a failure, nothing is searched ahead until a location gets an answer.
  public func prepare(for location: Coordinate) async {
    guard searchesAhead else { return }
    do {
      _ = try await attempt(in: cell(of: location)).join().get()
    } catch {
      if !(error is CancellationError) { searchesAhead = false }
    }
  }

  /// Chooses the photo for the next location.
  ///
  /// Photos that were not shown yet come first: those within the distance filter, at least 100 m,
  /// then those within the radius, then those on the next pages of the cell. Only when there are
  /// none left is a photo repeated.
  ///
  /// - Parameter location: the position of the location. Call this in the order of the walk, one
  ///   location after another.
  /// - Returns: `nil` if there is no photo near the location.
  /// - Throws: ``PhotoSearchError`` if the search has failed, `CancellationError` when the task is
  ///   canceled.
  public func photo(for location: Coordinate) async throws -> PickedPhoto? {
    switch await pick(for: location, index: progress.locations) {
    case .found(let photo, let distance): return PickedPhoto(photo: photo, distance: distance)
    case .nothing: return nil
    case .failed(let error): throw error
    case .cancelled: throw CancellationError()
    }
  }

  /// Chooses the photo for a location, like ``photo(for:)``.
  ///
  /// - Parameters:
  ///   - location: the position of the location.
  ///   - index: its number. Call this in ascending order, one at a time.
  package func pick(for location: Coordinate, index: Int) async -> PhotoOutcome {
    let outcome: PhotoOutcome
    do {
      outcome = try await choose(for: location, index: index)
    } catch {
      if Task.isCancelled { return .cancelled }
      outcome = fail(PhotoSearchError(error, from: pipeline.identity))
    }
    progress.locations += 1
    return outcome
  }

  private func choose(for location: Coordinate, index: Int) async throws -> PhotoOutcome {
    if let end {
      progress.failed += 1
      return .failed(end)
    }
    let cell = cell(of: location)
    var generator = SplitMix64(
      seed: SplitMix64.mix(settings.seed) ^ SplitMix64.mix(~UInt64(bitPattern: Int64(index))))
    var candidates = PhotoCandidates(location: location, settings: settings)
    for pageNumber in 1...Self.maximumPages {
      progress.searches += 1
      let page =
        pageNumber == 1
        ? try await firstPage(of: cell)
        : try await pipeline.photos(for: query(for: cell, page: pageNumber))
      let hasNew = candidates.add(page.photos)
      if let choice = candidates.draw(using: &generator, where: { !seen.contains($0) }) {
        return succeed(with: choice)
      }
      guard hasNew, !page.isLast else { break }
    }
    let repeated = candidates.draw(using: &generator, where: { _ in true })
    if repeated != nil { progress.repeated += 1 }
    return succeed(with: repeated)
  }

  private func succeed(with choice: (photo: Photo, distance: Double?)?) -> PhotoOutcome {
    failuresInARow = 0
    searchesAhead = true
    guard let choice else { return .nothing }
    progress.found += 1
    seen.insert(choice.photo.id)
    return .found(choice.photo, distance: choice.distance)
  }

  private func fail(_ error: PhotoSearchError) -> PhotoOutcome {
    progress.failed += 1
    failuresInARow += 1
    searchesAhead = false
    progress.isKeyRejected = error.isKeyRejected
    progress.hasGivenUp = failuresInARow >= settings.failuresBeforeGivingUp
    if progress.isKeyRejected || progress.hasGivenUp { end = error }
    return .failed(error)
  }

  /// Takes the prepared first page of a cell, or searches for it.
  private func firstPage(of cell: SearchCell) async throws -> PhotoPage {
    while true {
      let attempt = attempt(in: cell)
      defer { if attempts[cell] == attempt { attempts[cell] = nil } }
      do {
        return try await attempt.join().get()
      } catch is CancellationError where attempt.isCancelled {
        // Either this task was canceled, or one that prepared the search: then it is repeated.
        try Task.checkCancellation()
      }
    }
  }

  private func attempt(in cell: SearchCell) -> Task<PhotoPage, any Error> {
    if let attempt = attempts[cell], !attempt.isCancelled { return attempt }
    let query = query(for: cell, page: 1)
    let attempt = Task { [pipeline] in try await pipeline.photos(for: query) }
    attempts[cell] = attempt
    return attempt
  }

  private func query(for cell: SearchCell, page: Int) -> PhotoQuery {
    PhotoQuery(
      center: cell.center, radius: cell.radius, size: settings.size, license: settings.license,
      page: page)
  }
}

/// The settings of a ``PhotoPicker``.
public struct PhotoPickerSettings: Sendable {
  /// The largest distance of a photo from its location, in meters.
  public var radius: Double
  /// The distance in meters within which photos are preferred.
  public var nearby: Double
  /// The size of the images.
  public var size: PhotoSize
  /// The licenses to accept.
  public var license: LicenseFilter
  /// Determines the choice among photos: the same seed makes the same one.
  public var seed: UInt64
  /// The number of failed locations in a row after which there are no further searches.
  public var failuresBeforeGivingUp: Int

  /// Creates settings.
  ///
  /// - Parameters:
  ///   - radius: the largest distance of a photo from its location, in meters.
  ///   - distanceFilter: the distance between locations in meters; photos nearer than this, or
  ///     nearer than 100 m if that is more, are preferred.
  ///   - size: the size of the images.
  ///   - license: the licenses to accept.
  ///   - seed: determines the choice among photos.
  ///   - failuresBeforeGivingUp: the number of failed locations in a row that ends the searches.
  public init(
    radius: Double = 500, distanceFilter: Double = 100, size: PhotoSize = .pixels640,
    license: LicenseFilter = .any, seed: UInt64 = 0, failuresBeforeGivingUp: Int = 8
  ) {
    self.radius = radius
    self.nearby = max(distanceFilter, 100)
    self.size = size
    self.license = license
    self.seed = seed
    self.failuresBeforeGivingUp = failuresBeforeGivingUp
  }
}

/// The photo of a location.
public struct PickedPhoto: Hashable, Sendable {
  /// The photo.
  public let photo: Photo
  /// The distance in meters between the photo and the location; `nil` if the photo's position is not
  /// known.
  public let distance: Double?
}

/// The result of picking a photo for a location.
package enum PhotoOutcome: Hashable, Sendable {
  /// A photo, and its distance from the location in meters if its position is known.
  case found(Photo, distance: Double?)
  /// There is no photo near the location.
  case nothing
  /// The search failed.
  case failed(PhotoSearchError)
  /// The task was canceled before there was an answer.
  case cancelled
}

/// The counts of a ``PhotoPicker`` so far.
public struct PhotoCounts: Hashable, Sendable {
  /// Locations with an outcome.
  public internal(set) var locations = 0
  /// Searches that these locations needed: one each, and one for every further page.
  public internal(set) var searches = 0
  /// Calls to the service, including retries, further parts of an answer and failed ones.
  public internal(set) var calls = 0
  /// Searches that reached the service.
  var remoteSearches = 0
  /// Locations that got a photo.
  public internal(set) var found = 0
  /// Locations that got a photo which had been shown before.
  public internal(set) var repeated = 0
  /// Locations whose search failed.
  public internal(set) var failed = 0
  /// Whether the service rejected the key, so that there are no further searches.
  public internal(set) var isKeyRejected = false
  /// Whether too many searches in a row failed, so that there are no further ones.
  public internal(set) var hasGivenUp = false

  /// Creates counts of zero.
  public init() {}

  /// Searches that needed no call.
  public var saved: Int { max(0, searches - remoteSearches) }
}
