import Foundation
import Geodesy
import PhotoSearch

// Measures the CPU time of photo searches with made-up answers of 250 photos.
//
//     SearchBench                          the library, without a network
//     SearchBench replay <faketrack>       the executable, with a server on the loopback interface
//     SearchBench write <file>             writes one answer, for peers to parse
//
// Prints a name and a number of milliseconds per line. `search.sh` compares it with others.

let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.dropFirst().first, arguments.dropFirst(2).first) {
case ("write", let file?, nil):
  try sampleAnswer().write(to: URL(fileURLWithPath: file))
case ("replay", let executable?, nil):
  try measureReplay(of: URL(fileURLWithPath: executable))
case ("fetch", let address?, let count?):
  try await fetch(from: address, count: Int(count) ?? 0)
default:
  try await measureLibrary()
}

func report(_ name: String, _ milliseconds: Double) {
  print(name, String(format: "%.4f", milliseconds))
}

func sampleAnswer() throws -> Data {
  try StubFlickr().answer(latitude: "52.400900", longitude: "13.059100")
}

func measureLibrary() async throws {
  let answer = try sampleAnswer()
  report(
    "json_serialization",
    try await measure(count: 20) {
      for _ in 0..<20 { _ = try JSONSerialization.jsonObject(with: answer) }
    })

  let search = FlickrPhotoSearch(apiKey: "k", userAgent: "bench/1 (none)", fetcher: StubFlickr())
  let places = line(40)
  let queries = places.map { PhotoQuery(center: $0, radius: 900) }
  report(
    "answer_decoded",
    try await measure(count: queries.count) {
      for query in queries { _ = try await search.photos(for: query) }
    })
  let store = MemoryStore()
  report(
    "answer_chosen_packed",
    await measure(count: places.count) {
      await pick(for: places, from: PhotoPipeline(search, store: store, refreshes: true))
    })

  report(
    "packed_read_chosen",
    await measure(count: places.count) {
      await pick(for: places, from: PhotoPipeline(search, store: store))
    })
  // Eight locations at each place.
  let walk = places.flatMap { place in
    (0..<8).map { place.destination(distance: Double($0) * 20, bearing: 45) }
  }
  report(
    "location_packed",
    await measure(count: walk.count) {
      await pick(for: walk, from: PhotoPipeline(search, store: store))
    })
  let cache = PhotoPipeline(search, capacity: 1_000_000)
  report(
    "location_in_memory",
    await measure(count: walk.count) { await pick(for: walk, from: cache) })
}

/// Places 2.5 km apart to the east, so that each is in another cell.
func line(_ count: Int) -> [Coordinate] {
  guard let start = try? Coordinate(latitude: 52.4009, longitude: 13.0591) else { return [] }
  return (0..<count).map { start.destination(distance: Double($0) * 2_500, bearing: 90) }
}

/// Chooses a photo for each location with a new picker.
func pick(for locations: [Coordinate], from pipeline: PhotoPipeline) async {
  let picker = PhotoPicker(pipeline, settings: PhotoPickerSettings(seed: 7))
  for (index, location) in locations.enumerated() {
    guard case .found = await picker.pick(for: location, index: index) else {
      fatalError("there is no photo for location \(index)")
    }
  }
}
