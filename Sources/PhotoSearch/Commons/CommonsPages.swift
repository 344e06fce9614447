/// The files of a page of hits, put together from the parts of the answer.
struct CommonsPages {
  private var files: [Int: CommonsFile] = [:]
  private var order: [Int] = []

  mutating func merge(_ answer: CommonsAnswer) {
    for file in answer.files {
      if files[file.pageid] == nil { order.append(file.pageid) }
      files[file.pageid] = files[file.pageid]?.merged(with: file) ?? file
    }
  }

  /// The photos in the service's order.
  func page(for query: PhotoQuery, isLast: Bool) -> PhotoPage {
    let photos = order.compactMap { files[$0] }
      .sorted { ($0.index ?? .max) < ($1.index ?? .max) }
      .compactMap(\.photo)
      .filter { query.license == .any || query.license.accepts($0.license?.terms ?? .unknown) }
    return PhotoPage(photos: photos, isLast: isLast)
  }
}
