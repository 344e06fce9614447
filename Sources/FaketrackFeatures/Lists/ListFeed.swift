import Foundation

/// A feed of named items, grouped by list.
package struct ListFeed: Hashable, Sendable {
  package struct Item: Hashable, Sendable {
    package var id: Int
    package var name: String
  }

  package struct Group: Hashable, Sendable {
    package var id: Int
    package var items: [Item]
  }

  /// The order of names within a group; equal names are ordered by id.
  package enum Order: String, Hashable, Sendable, CaseIterable {
    /// By character: Item 276 before Item 28.
    case text
    /// Numbers within names by value: Item 28 before Item 276.
    case natural
  }

  package var groups: [Group]
  /// The number of items without a name, which are left out.
  package var blanks: Int

  package var count: Int { groups.reduce(0) { $0 + $1.items.count } }

  package var summary: String {
    let missing =
      blanks > 0 ? ", \(Quantity.count(blanks, "item")) without a name left out" : ""
    return Quantity.count(count, "item") + " in " + Quantity.count(groups.count, "list") + missing
  }

  /// A section for each list with an item that matches.
  package func sections(where matches: (String) -> Bool = { _ in true }) -> [Document.Section] {
    groups.enumerated().compactMap { number, group in
      let names = group.items.lazy.map(\.name).filter(matches)
      return names.isEmpty
        ? nil
        : Document.Section(
          "list-\(group.id)", title: "List \(group.id)", count: names.count, color: number,
          [.items(Array(names))])
    }
  }

  package func sorted(by order: Order) -> ListFeed {
    func sorted(_ items: [Item]) -> [Item] {
      switch order {
      case .text: items.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
      case .natural:
        items.map { (order: NaturalOrder($0.name), item: $0) }
          .sorted { ($0.order, $0.item.id) < ($1.order, $1.item.id) }.map(\.item)
      }
    }
    return ListFeed(
      groups: groups.map { Group(id: $0.id, items: sorted($0.items)) }, blanks: blanks)
  }
}

extension ListFeed {
  /// Reads a feed: an array of items, or an object around one.
  ///
  /// Items whose name is null, empty or blank are left out and counted.
  ///
  /// - Throws: ``Failure`` that names the invalid item and field.
  package init(json: Data) throws(Failure) {
    guard !json.isEmpty else { throw Self.unusable("the feed is empty") }
    let items: [RawItem]
    do {
      items = try JSONDecoder().decode(RawFeed.self, from: json).items
    } catch {
      throw error as? Failure ?? Self.unusable("the feed is not JSON")
    }
    let named = items.filter { !$0.isBlank }
    let groups = Dictionary(grouping: named, by: \.listId)
      .map { id, items in
        Group(id: id, items: items.map { Item(id: $0.id, name: $0.name ?? "") })
      }
      .sorted { $0.id < $1.id }
    self = ListFeed(groups: groups, blanks: items.count - named.count).sorted(by: .text)
  }

  fileprivate static func unusable(_ problem: String) -> Failure {
    Failure(
      message: problem, hint: "A feed is an array of objects with id, listId and name.",
      kind: .unusableInput)
  }
}

private struct RawItem: Decodable {
  let id: Int
  let listId: Int
  let name: String?

  var isBlank: Bool { name?.allSatisfy(\.isWhitespace) ?? true }

  private enum Key: String, CodingKey {
    case id, listId, name
  }

  /// - Throws: ``Failure``, since the decoder omits the place of some errors.
  init(from decoder: any Decoder) throws {
    let item = "item \((decoder.codingPath.last?.intValue ?? 0) + 1)"
    guard let fields = try? decoder.container(keyedBy: Key.self) else {
      throw ListFeed.unusable("\(item) is not an object")
    }
    func field<Value: Decodable>(_ key: Key, _ kind: String) throws -> Value {
      guard fields.contains(key) else {
        throw ListFeed.unusable("\(item): \(key.rawValue) is missing")
      }
      do {
        return try fields.decode(Value.self, forKey: key)
      } catch {
        throw ListFeed.unusable("\(item): \(key.rawValue) is not \(kind)")
      }
    }
    id = try field(.id, "a whole number")
    listId = try field(.listId, "a whole number")
    name = fields.contains(.name) ? try field(.name, "text") : nil
  }
}

/// The items, in an array or in an object around one.
private struct RawFeed: Decodable {
  let items: [RawItem]

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
      self.stringValue = stringValue
    }

    init?(intValue: Int) {
      nil
    }
  }

  init(from decoder: any Decoder) throws {
    guard let object = try? decoder.container(keyedBy: Key.self) else {
      guard (try? decoder.unkeyedContainer()) != nil else {
        throw ListFeed.unusable("the feed is not an array")
      }
      items = try [RawItem](from: decoder)
      return
    }
    let arrays = object.allKeys.filter { (try? object.nestedUnkeyedContainer(forKey: $0)) != nil }
    guard let key = arrays.first, arrays.count == 1 else {
      throw ListFeed.unusable(
        "the feed is an object with \(arrays.count) arrays instead of one")
    }
    items = try object.decode([RawItem].self, forKey: key)
  }
}

/// A text in natural order: runs of digits compare by value, everything else by code point.
struct NaturalOrder: Comparable {
  private let text: String
  /// The code points, with a zero and the number of digits before the digits of a number.
  private var key: [UInt32] = []

  init(_ text: String) {
    self.text = text
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      let number = digits.drop { $0 == "0" }
      key += digits.isEmpty ? [first.value] : [0x30, UInt32(number.count)] + number.map(\.value)
      rest = rest.dropFirst(max(1, digits.count))
    }
  }

  static func < (left: NaturalOrder, right: NaturalOrder) -> Bool {
    left.key == right.key
      ? left.text < right.text : left.key.lexicographicallyPrecedes(right.key)
  }
}

extension ListFeed {
  /// One object per line.
  package var ndjson: String { objects.map { $0.serialized + "\n" }.joined() }

  /// A header, and a row for each item.
  package var csv: String {
    let columns = ["listId", "id", "name"]
    return JSONValue.csvHeader(columns) + objects.map { $0.csvRow(columns) }.joined()
  }

  private var objects: [JSONValue] {
    groups.flatMap { group in
      group.items.map { item in
        ["listId": .integer(group.id), "id": .integer(item.id), "name": .string(item.name)]
      }
    }
  }
}
