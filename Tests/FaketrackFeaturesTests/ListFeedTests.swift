import Foundation
import Testing

@testable import FaketrackFeatures

@Suite struct ListFeedTests {
  private func feed(_ json: String) throws(Failure) -> ListFeed {
    try ListFeed(json: Data(json.utf8))
  }

  @Test(arguments: [SampleFeed.bare, SampleFeed.wrapped, "\u{FEFF}\(SampleFeed.bare)"])
  func leavesOutBlankNamesAndGroupsTheRest(json: String) throws {
    let feed = try feed(json)
    #expect(feed.groups.map(\.id) == [1, 2, 3, 4])
    #expect(feed.groups.map(\.items.count) == SampleFeed.sizes)
    #expect(feed.blanks == SampleFeed.blanks)
    #expect(feed.count == 320)
    for group in feed.groups {
      let expected = SampleFeed.items.filter { item in
        item.listId == group.id && item.name.hasPrefix("\"Item")
      }
      #expect(Set(group.items.map(\.id)) == Set(expected.map(\.id)))
    }
  }

  @Test func saysInALineWhatItHolds() throws {
    let items = #"{"id":1,"listId":1,"name":"a"},{"id":2,"listId":1,"name":"b"}"#
    #expect(try feed("[]").summary == "0 items in 0 lists")
    #expect(try feed("[\(items)]").summary == "2 items in 1 list")
    #expect(
      try feed(#"[\#(items),{"id":3,"listId":2,"name":" "}]"#).summary
        == "2 items in 1 list, 1 item without a name left out")
    let blanks = Array(repeating: #"{"id":1,"listId":1}"#, count: 1_500).joined(separator: ",")
    #expect(
      try feed("[\(blanks)]").summary == "0 items in 0 lists, 1,500 items without a name left out")
  }

  @Test func ordersNamesAsTextOrByNumber() throws {
    let feed = try feed(SampleFeed.bare)
    for group in feed.groups {
      #expect(group.items.map(\.name) == group.items.map(\.name).sorted())
    }
    let natural = feed.sorted(by: .natural)
    for group in natural.groups {
      // The names are "Item" and the id.
      #expect(group.items.map(\.id) == group.items.map(\.id).sorted())
    }
    #expect(natural != feed)
    #expect(natural.sorted(by: .text) == feed)
  }

  @Test func item276ComesBefore28OnlyAsText() throws {
    let feed = try feed(
      #"[{"id":28,"listId":1,"name":"Item 28"},{"id":276,"listId":1,"name":"Item 276"}]"#)
    #expect(feed.groups.first?.items.map(\.id) == [276, 28])
    #expect(feed.sorted(by: .natural).groups.first?.items.map(\.id) == [28, 276])
  }

  @Test func equalNamesAreOrderedByID() throws {
    let feed = try feed(
      #"[{"id":3,"listId":1,"name":"a"},{"id":1,"listId":1,"name":"a"},{"id":2,"listId":1,"name":"a"}]"#
    )
    for order in ListFeed.Order.allCases {
      #expect(feed.sorted(by: order).groups.first?.items.map(\.id) == [1, 2, 3])
    }
  }

  @Test func listsAreOrderedByNumberAndOnlyBlankOnesAreGone() throws {
    let feed = try feed(
      #"""
      [{"id":1,"listId":10,"name":"a"},{"id":2,"listId":-1,"name":" b "},{"id":3,"listId":2,"name":"c",
        "extra":[1]},{"id":4,"listId":3},{"id":5,"listId":3,"name":"  "}]
      """#)
    #expect(feed.groups.map(\.id) == [-1, 2, 10])
    #expect(feed.groups.first?.items.first?.name == " b ")
    #expect(feed.blanks == 2)
  }

  @Test(arguments: ["[]", #"{"items":[]}"#])
  func anEmptyFeedIsNoError(json: String) throws {
    #expect(try feed(json) == ListFeed(groups: [], blanks: 0))
  }

  @Test(arguments: [
    ("", "the feed is empty"),
    (" ", "the feed is not JSON"),
    ("<html></html>", "the feed is not JSON"),
    (#"[{"id":1,"listId":1,"name":"a"}"#, "the feed is not JSON"),
    ("7", "the feed is not an array"),
    ("null", "the feed is not an array"),
    (#""text""#, "the feed is not an array"),
    (#"{"error":"gone"}"#, "the feed is an object with 0 arrays instead of one"),
    (#"{"a":[],"b":[]}"#, "the feed is an object with 2 arrays instead of one"),
    ("[7]", "item 1 is not an object"),
    (#"[{"id":1,"listId":1},null]"#, "item 2 is not an object"),
    (#"[{"id":1,"listId":1},[]]"#, "item 2 is not an object"),
    (#"[{"listId":1}]"#, "item 1: id is missing"),
    (#"[{"id":1,"listId":1},{"id":2,"name":"b"}]"#, "item 2: listId is missing"),
    (#"[{"id":"1","listId":1}]"#, "item 1: id is not a whole number"),
    (#"[{"id":1,"listId":null}]"#, "item 1: listId is not a whole number"),
    (#"[{"id":1.5,"listId":1}]"#, "item 1: id is not a whole number"),
    (#"[{"id":99999999999999999999,"listId":1}]"#, "item 1: id is not a whole number"),
    (#"[{"id":1,"listId":1,"name":5}]"#, "item 1: name is not text"),
    (
      #"{"hiring":[{"id":1,"listId":1},{"id":2,"listId":1,"name":{}}]}"#,
      "item 2: name is not text"
    ),
  ])
  func aWrongShapeNamesTheItemAndTheField(json: String, message: String) throws {
    let failure = #expect(throws: Failure.self) { try feed(json) }
    #expect(failure?.message == message)
    #expect(failure?.hint == "A feed is an array of objects with id, listId and name.")
    #expect(failure?.kind == .unusableInput)
  }

  @Test func bytesThatAreNotUTF8AreNoFeed() {
    let failure = #expect(throws: Failure.self) {
      try ListFeed(json: Data([0x5B, 0x22, 0xFF, 0xC0, 0x22, 0x5D]))
    }
    #expect(failure?.kind == .unusableInput)
  }
}
