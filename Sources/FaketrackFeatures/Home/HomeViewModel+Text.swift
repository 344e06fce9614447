import FaketrackSupport
import Locations

/// What the home screen says, worded the same everywhere.
extension TrackShape {
  /// The length, the duration and the ascent where they are known, and the number of points.
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
  /// How many cities there are, and where from.
  package var indexWords: String {
    Quantity.count(cities, "city", plural: "cities")
      + (hasImportedIndex ? ", imported" : ", built in")
  }
}

extension PhotoSourceSummary {
  /// Where photos come from, in a few words.
  package var words: String {
    if isSample { return "Drawn samples" }
    guard let title else { return "None" }
    return hasFlickrKey ? title : "\(title); Flickr needs a key"
  }
}
