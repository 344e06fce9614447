import FaketrackTestSupport
import Foundation
import PhotoSearch
import Testing

@testable import FaketrackFeatures

@Suite struct CaptionsTests {
  private func captions(_ text: String) throws -> Captions {
    try Captions(Array(text.utf8), path: "captions.csv")
  }

  /// A visit with a photo of the user.
  private func visit(_ id: String, in folder: String = "pictures") throws -> Visit {
    var visit = try Visits.bare()
    var photo = Visits.photo()
    (photo.id, photo.pageURL) = (id, nil)
    photo.imageURL = URL(fileURLWithPath: "\(folder)/\(id)")
    (visit.photo, visit.file) = (photo, "\(folder)/\(id)")
    return visit
  }

  // MARK: Files

  @Test(
    arguments: [
      "a.jpg,Lake", "photo,caption\na.jpg,Lake", "File,Caption\r\na.jpg,Lake\r\n",
      "\u{FEFF}photo,caption\na.jpg,Lake", "PHOTO;CAPTION\na.jpg;Lake",
      "photo\tcaption\na.jpg\tLake", "\"photo\";\"caption\"\n\"a.jpg\";\"Lake\"",
      "\n\nphoto, caption\n\na.jpg, Lake \n,\n , \n", "a.jpg\u{0},\u{7}La\u{1B}ke",
    ])
  func readsATable(text: String) throws {
    #expect(try captions(text).caption(of: visit("a.jpg")) == .text("Lake"))
  }

  @Test(
    arguments: [
      ("a.jpg,\"Lake, \"\"at\"\" last\"", "Lake, \"at\" last"),
      ("photo;caption\na.jpg;Lake, at last", "Lake, at last"),
      ("a.jpg,\" \r\nOne\r\nTwo\rThree\tFour\n\"", "One\nTwo\nThree Four"),
      ("a.jpg,<script>👩‍👩‍👧 & é", "<script>👩‍👩‍👧 & é"),
      ("a.jpg," + String(repeating: "é", count: 2_000), String(repeating: "é", count: 2_000)),
    ])
  func keepsTheText(text: String, caption: String) throws {
    #expect(try captions(text).caption(of: visit("a.jpg")) == .text(caption))
  }

  @Test(arguments: ["", "\u{FEFF}", "\n\n", "photo,caption", ",\n,\n"])
  func aTableCanBeEmpty(text: String) throws {
    let captions = try captions(text)
    #expect(try captions.caption(of: visit("a.jpg")) == nil)
    #expect(captions.unused(photos: [], chapters: []).isEmpty)
  }

  @Test func withoutATableThereAreNoCaptions() throws {
    let captions = Captions()
    #expect(captions.path == nil)
    #expect(try captions.caption(of: visit("a.jpg")) == nil)
    #expect(captions.text(ofChapter: "Potsdam") == nil)
    #expect(try captions.unused(photos: [visit("a.jpg")], chapters: ["Potsdam"]).isEmpty)
  }

  @Test(
    arguments: [
      ("photo;caption\na.jpg,Lake", "2: a row needs two columns, photo and caption"),
      ("a.jpg", "1: a row needs two columns, photo and caption"),
      ("a.jpg,Lake, at last", "1: a row has more than two columns"),
      ("a.jpg,\"Lake", "1: a quote is not closed"),
      ("a.jpg,\"Lake\"!", "1: a row has text after a closing quote"),
      ("a.jpg,b\n,Lake", "2: the caption has no photo"),
      ("a.jpg,b\nc.jpg,d\n\na.jpg,b", "4: \"a.jpg\" is in line 1 too"),
      ("\u{E4}.jpg,b\na\u{308}.jpg,d", "2: \"\u{E4}.jpg\" is in line 1 too"),
      ("1 May 2026,b\n2026-05-01,d", "2: \"2026-05-01\" is in line 1 too"),
      (
        "a.jpg," + String(repeating: "x", count: 2_001),
        "1: the caption has more than 2,000 characters"
      ),
    ])
  func refusesABrokenTable(text: String, message: String) {
    let failure = #expect(throws: Failure.self) { try captions(text) }
    #expect(failure?.message == "captions.csv:" + message)
    #expect(failure?.kind == .unusableInput)
    #expect(failure?.hint?.hasSuffix(".") == true || failure?.hint?.hasSuffix("\"") == true)
  }

  @Test func readsRowsUpToTheirLimit() throws {
    let rows = (1...100_000).map { "\($0),x\n" }.joined()
    #expect(try captions(rows).count == 100_000)
    let failure = #expect(throws: Failure.self) { try captions(rows + "\n100001,x") }
    #expect(failure?.message == "captions.csv:100002: more than 100,000 rows")
    #expect(failure?.kind == .unusableInput)
  }

  @Test func readsAFileUpToItsLimit() throws {
    let home = try TemporaryHome()
    let row = Data("a.jpg,Lake\n".utf8)
    try home.file("small.csv", row + Data(repeating: 0x0A, count: 10_000_000 - row.count))
    let captions = try Captions(contentsOf: home.path("small.csv"))
    #expect(captions.path == home.path("small.csv"))
    #expect(try captions.caption(of: visit("a.jpg")) == .text("Lake"))
    try home.file("large.csv", Data(repeating: 0x0A, count: 10_000_001))
    let large = #expect(throws: Failure.self) {
      try Captions(contentsOf: home.path("large.csv"))
    }
    #expect(large?.message == home.path("large.csv") + ": it is too large")
    #expect(large?.kind == .unusableInput)
    try home.file("latin.csv", Data([0x61, 0x2C, 0x62, 0x0A, 0x63, 0x2C, 0xE4]))
    let latin = #expect(throws: Failure.self) {
      try Captions(contentsOf: home.path("latin.csv"))
    }
    #expect(latin?.message == home.path("latin.csv") + ":2: a row is not UTF-8")
    #expect(latin?.hint == "Save the table as CSV in UTF-8.")
    for (name, reason) in [("none.csv", "No such file or directory"), ("home", "Is a directory")] {
      let failure = #expect(throws: Failure.self) {
        try Captions(contentsOf: home.path(name))
      }
      #expect(failure?.message == home.path(name) + ": cannot be read: " + reason)
      #expect(failure?.kind == .failed && failure?.hint != nil)
    }
  }

  // MARK: Photos

  @Test(
    arguments: [
      "day 1/IMG_3.jpg", "IMG_3.jpg", "trip/day 1/IMG_3.jpg", "img_3.JPG", "Day 1/img_3.jpg",
    ])
  func aPictureIsNamedByAnyEndOfItsPath(name: String) throws {
    let captions = try captions("\(name),Lake")
    #expect(try captions.caption(of: visit("day 1/IMG_3.jpg", in: "trip")) == .text("Lake"))
    #expect(try captions.caption(of: visit("day 1/IMG_33.jpg", in: "trip")) == nil)
    #expect(try captions.caption(of: visit("day 1/3.jpg", in: "trip")) == nil)
  }

  @Test(
    arguments: [
      "0007-17.jpg", "photos/0007-17.jpg", "17", "https://page.example/17",
      "https://image.example/17.jpg",
    ])
  func aFoundPhotoIsNamedByItsFileIdOrAddress(name: String) throws {
    var visit = try Visits.full(7)
    visit.file = "photos/0007-17.jpg"
    #expect(try captions("\(name),Bridge").caption(of: visit) == .text("Bridge"))
    #expect(try captions("7-17.jpg,Bridge").caption(of: visit) == nil)
  }

  @Test func theLongestEndOfAPathCounts() throws {
    let captions = try captions("a.jpg,Any\nx/a.jpg,Of x\ntrip/x/a.jpg,Of the trip")
    #expect(try captions.caption(of: visit("a.jpg")) == .text("Any"))
    #expect(try captions.caption(of: visit("y/a.jpg")) == .text("Any"))
    #expect(try captions.caption(of: visit("x/a.jpg")) == .text("Of x"))
    #expect(try captions.caption(of: visit("x/a.jpg", in: "trip")) == .text("Of the trip"))
  }

  @Test func theSameCaseComesFirst() throws {
    let captions = try captions("A.JPG,Upper\na.jpg,Lower")
    #expect(try captions.caption(of: visit("a.jpg")) == .text("Lower"))
    #expect(try captions.caption(of: visit("A.JPG")) == .text("Upper"))
    #expect(try captions.caption(of: visit("a.JPG")) == .text("Upper"))
  }

  @Test func anEmptyCaptionIsNoMissingOne() throws {
    let captions = try captions("a.jpg,\nb.jpg,\" \n\"")
    #expect(try captions.caption(of: visit("a.jpg")) == .empty)
    #expect(try captions.caption(of: visit("b.jpg")) == .empty)
    #expect(try captions.caption(of: visit("c.jpg")) == nil)
    #expect(try captions.caption(of: Visits.bare()) == nil)
  }

  // MARK: Chapters

  @Test(
    arguments: [
      ("Potsdam", "Potsdam"), ("potsdam", "Potsdam"), ("1 May 2026", "1 May 2026"),
      ("2026-05-01", "1 May 2026"), ("from 10:00", "From 10:00"), ("\"Cölln, alt\"", "Cölln, alt"),
    ])
  func aChapterIsNamedByItsHeading(name: String, heading: String) throws {
    let captions = try captions("\(name),We began here.")
    #expect(captions.text(ofChapter: heading) == "We began here.")
    #expect(captions.text(ofChapter: "Werder") == nil)
    #expect(captions.unused(photos: [], chapters: [heading]).isEmpty)
  }

  @Test(arguments: ["2026-02-30", "2026-13-01", "2026-5-1"])
  func aDayThatIsNoneIsAName(name: String) throws {
    #expect(try captions("\(name),x").text(ofChapter: name) == "x")
  }

  @Test func anEmptyTextOfAChapterIsNone() throws {
    #expect(try captions("Potsdam,").text(ofChapter: "Potsdam") == nil)
  }

  // MARK: Rows without use

  @Test func tellsTheRowsThatNameNothing() throws {
    let captions = try captions(
      "photo,caption\nIMG_1.JPG,a\nx/img_1.jpg,b\nIMG_2.jpg,c\nPotsdam,d\nWerder,\n17,e\n2026-05-02,f"
    )
    let unused = try captions.unused(
      photos: [visit("x/IMG_1.jpg"), Visits.full(), Visits.bare()], chapters: ["potsdam"])
    #expect(unused.map(\.line) == [4, 6, 8])
    #expect(unused.map(\.name) == ["IMG_2.jpg", "Werder", "2026-05-02"])
  }
}
