import Cities
import Geodesy
import Locations
import Observation
import PhotoSearch

/// The tracking screen: a photo every 100 m, the nearest city, and a notice when something is wrong.
@MainActor @Observable
public final class TrackingModel {
  /// A place of the walk, and its photo once there is one.
  public struct Stop: Identifiable, Hashable, Sendable {
    /// The number of the stop, from 0.
    public let id: Int
    /// The location.
    public let fix: Fix
    /// The photo; `nil` until one is found.
    public fileprivate(set) var photo: Photo?
  }

  /// The text above the list.
  public enum Notice: Hashable, Sendable {
    case asking
    case denied
    case noSignal
    case approximate
  }

  /// The stops in the order of the walk.
  public private(set) var stops: [Stop] = []
  /// The nearest city.
  public private(set) var city: City?
  /// The current notice; `nil` if all is well.
  public private(set) var notice: Notice?
  /// The reason if the last search for a photo failed.
  public private(set) var searchFailure: String?
  /// The meters from stop to stop.
  public private(set) var distance = 0.0

  private let locations: any LocationProviding
  private let picker: PhotoPicker
  private var nearest: NearestCityCursor
  private var filter = DistanceFilter(minimumDistance: 100)

  /// Creates the screen with the services of the app.
  public init(_ services: AppServices) {
    locations = services.locations
    picker = PhotoPicker(services.photos)
    nearest = NearestCityCursor(services.cities)
  }

  /// Follows the device until it ends or the task is canceled. A view calls it in `.task`; when it
  /// appears again, the walk goes on, and stops without a photo are searched again.
  public func run() async throws {
    let (waiting, continuation) = AsyncStream.makeStream(of: Stop.self)
    for stop in stops where stop.photo == nil { continuation.yield(stop) }
    // A slow search does not hold up the locations.
    async let photos: Void = showPhotos(of: waiting)
    for try await update in locations.updates() {
      receive(update)
      guard let fix = update.location, filter.admit(fix.coordinate) else { continue }
      continuation.yield(stop(at: fix))
    }
    continuation.finish()
    await photos
  }

  private func receive(_ update: LocationUpdate) {
    if let status = update.authorization, !status.isAuthorized {
      notice = status == .notDetermined ? .asking : .denied
    } else if update.locationUnavailable {
      notice = .noSignal
    } else if update.accuracyLimited {
      notice = .approximate
    } else if update.authorization != nil || update.location != nil {
      notice = nil
    }
  }

  private func stop(at fix: Fix) -> Stop {
    distance += stops.last?.fix.coordinate.distance(to: fix.coordinate) ?? 0
    city = nearest.nearest(to: fix.coordinate)?.city
    let stop = Stop(id: stops.count, fix: fix)
    stops.append(stop)
    return stop
  }

  private func showPhotos(of waiting: AsyncStream<Stop>) async {
    for await stop in waiting {
      do {
        let picked = try await picker.photo(for: stop.fix.coordinate)
        stops[stop.id].photo = picked?.photo
        searchFailure = nil
      } catch let error as PhotoSearchError {
        searchFailure = error.errorDescription
      } catch {
        // The task was canceled.
        return
      }
    }
  }
}
