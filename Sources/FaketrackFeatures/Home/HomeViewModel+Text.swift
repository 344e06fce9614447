import FaketrackSupport
import Locations

/// The words of the home screen.
extension TrackShape {
  /// The length, the duration and the ascent where known, and the number of points.
  package func summary(in units: Units = .metric) -> String {
    var words = [Quantity.distance(length, in: units)]
    if let duration, duration > 0 { words.append(Quantity.duration(duration)) }
    if ascent >= 1 { words.append("\(Quantity.height(ascent, in: units)) up") }
    words.append(Quantity.count(count, "point"))
    return words.joined(separator: " · ")
  }
}

extension AuthorizationStatus {
  /// The permission in a word or two.
  package var words: String {
    switch self {
    case .authorizedAlways, .authorizedWhenInUse: "Allowed"
    case .notDetermined: "Not asked yet"
    case .denied: "Denied"
    case .restricted: "Restricted"
    }
  }
}

extension HomeViewModel.State {
  /// The number of cities and the origin of the index.
  package var indexWords: String {
    Quantity.count(cities, "city", plural: "cities")
      + (hasImportedIndex ? ", imported" : ", built in")
  }
}

extension PhotoSourceSummary {
  /// The photo source in a few words.
  package var words: String {
    if isSample { return "Generated samples" }
    guard let title else { return "None" }
    return hasFlickrKey ? title : "\(title); Flickr needs a key"
  }
}
