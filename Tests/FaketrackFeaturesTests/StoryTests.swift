import Cities
import Foundation
import Geodesy
import PhotoSearch
import Testing

@testable import FaketrackFeatures

@Suite struct StoryTests {
  /// A location every kilometer: its town, its time as `day hour:minute`, and whether it has a photo.
  private struct Place {
    var town: String?
    var time: String?
    var hasPhoto = false
  }

  private func state(_ places: [Place], isInOrder: Bool = true) throws -> TrackingState {
    let form = Date.ISO8601FormatStyle()
    var visits: [Visit] = []
    for (number, place) in places.enumerated() {
      let coordinate = try Coordinate(latitude: 52, longitude: 13)
      var fix = Fix(coordinate, distance: Double(number) * 1_000)
      fix.time = try place.time.map { time in
        let parts = time.split(separator: " ")
        return try form.parse("2026-05-0\(parts[0])T\(parts[1]):00Z")
      }
      let city = place.town.map { name in
        NearbyCity(
          city: City(
            id: name.count, name: name, country: "DE", coordinate: coordinate, population: 5_000,
            timezone: "UTC"), distance: 100)
      }
      var visit = Visit(index: number, fix: fix, city: city)
      if place.hasPhoto {
        visit.photo = .plain("\(number)")
      }
      visits.append(visit)
    }
    var state = TrackingState(track: 1, memory: 1_000)
    state.apply(.started(at: 0))
    for visit in isInOrder ? visits : visits.reversed() {
      state.apply(.updated([.location(visit.fix)]))
      state.apply(.visited([visit]))
    }
    state.apply(.finished(nil))
    return state
  }

  private func story(_ places: [Place], isInOrder: Bool = true) throws -> Story {
    let state = try state(places, isInOrder: isInOrder)
    let count = state.photos.count
    return Story(state, count == 0 ? [] : (1...count).compactMap(state.card))
  }

  private func towns(_ names: String) -> [Place] {
    names.map { letter in
      Place(town: letter == "-" ? nil : "\(letter)-town", time: "1 10:00")
    }
  }

  @Test(arguments: [
    ("AAAABBBB", "A-town 0, B-town 4"),
    // A walk may come back.
    ("AAABBBAAA", "A-town 0, B-town 3, A-town 6"),
    // Far from towns, the town before goes on.
    ("--AA-ABB-B", "A-town 0, B-town 6"),
    // A town of less than a twelfth of the way belongs to its neighbors.
    ("AAAAAAAAAAAABAAAAAAAAAAABBBBBBBBB", "A-town 0, B-town 24"),
    ("AAAAAAAAAAAAACBBBBBBBBBBBBBBB", "A-town 0, B-town 14"),
  ])
  func aChapterIsATown(towns names: String, chapters: String) throws {
    let story = try story(towns(names))
    let found = story.chapters.map { "\($0.heading) \(Int($0.range.lowerBound / 1_000))" }
    #expect(found.joined(separator: ", ") == chapters)
    #expect(story.chapters.first?.range.lowerBound == 0)
    for (chapter, next) in zip(story.chapters, story.chapters.dropFirst()) {
      #expect(chapter.range.upperBound == next.range.lowerBound)
    }
  }

  @Test func aTownWithManyPhotosIsAChapterHoweverShort() throws {
    var places = towns(String(repeating: "A", count: 30) + "B" + String(repeating: "C", count: 30))
    #expect(try story(places).chapters.count == 2)
    places[30].hasPhoto = true
    #expect(try story(places).chapters.map(\.heading) == ["A-town", "B-town", "C-town"])
  }

  @Test func severalDaysAreChaptersWhateverTheirTowns() throws {
    let places = [
      Place(town: "A", time: "1 10:00"), Place(town: "B", time: "1 18:00"),
      Place(town: "B", time: "2 09:30"), Place(town: "C", time: "3 08:00"),
    ]
    let story = try story(places)
    #expect(story.chapters.map(\.heading) == ["1 May 2026", "2 May 2026", "3 May 2026"])
    #expect(story.chapters.map(\.details) == [["10:00", "A"], ["09:30", "B"], ["08:00", "C"]])
  }

  @Test func theHoursOfAWalkInOneTownAreChapters() throws {
    let places = ["10:05", "10:30", "11:00", "11:59", "12:00", "12:40"].map {
      Place(town: "A", time: "1 \($0)")
    }
    let story = try story(places)
    #expect(story.chapters.map(\.heading) == ["From 10:00", "From 11:00", "From 12:00"])
    #expect(story.chapters.map(\.details) == [["A"], ["A"], ["A"]])
    #expect(try self.story(Array(places.prefix(2))).chapters.map(\.heading) == ["A"])
  }

  @Test func aWalkWithoutTownsAndTimesIsOneChapterWithItsName() throws {
    #expect(try story([Place(), Place()]).chapters.map(\.heading) == ["Walk"])
    #expect(try story([]).chapters.isEmpty)
  }

  @Test(arguments: [true, false])
  func photosAreInWalkingOrder(isInOrder: Bool) throws {
    var places = towns("AAAABBBB")
    for number in [0, 2, 4, 7] { places[number].hasPhoto = true }
    let story = try story(places, isInOrder: isInOrder)
    let photos = story.chapters.map { $0.photos.compactMap { $0.visit.photo?.id } }
    #expect(photos == [["0", "2"], ["4", "7"]])
  }
}
