import FaketrackFeatures

/// The table of whom the kept photos are owed to.
package enum PhotoCredits {
  package static let header = CSVText.row([
    "file", "place", "latitude", "longitude", "title", "author", "license", "license_url", "page",
  ])

  /// The line of a visit's photo; the place is the city that the visit was near.
  package static func line(for visit: Visit, file: String) -> String {
    let photo = visit.photo
    let position = photo?.coordinate ?? visit.fix.coordinate
    return CSVText.row([
      file, visit.city?.city.name ?? "", "\(position.latitude)", "\(position.longitude)",
      photo?.title ?? "", photo?.owner ?? "", photo?.license?.name ?? "",
      photo?.license?.url?.absoluteString ?? "", photo?.page?.absoluteString ?? "",
    ])
  }
}
