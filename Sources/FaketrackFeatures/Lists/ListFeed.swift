import Foundation

/// A feed of named items, grouped by list.
package struct ListFeed: Hashable, Sendable {
  package struct Item: Hashable, Sendable {
    package var id: Int
    package var name: String
  }

  package struct Group: Hashable, Sendable {
    /// The number of the list.
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

  /// The lists by number.
  package var groups: [Group]
  /// The number of items without a name, which are left out.
  package var blanks: Int

  package init(groups: [Group], blanks: Int) {
    self.groups = groups
    self.blanks = blanks
  }

  /// The number of items.
  package var count: Int { groups.reduce(0) { $0 + $1.items.count } }

  /// The number of items and lists, in a line.
  package var summary: String {
    let missing =
      blanks > 0 ? ", \(Quantity.count(blanks, "item")) without a name left out" : ""
    return Quantity.count(count, "item") + " in " + Quantity.count(groups.count, "list") + missing
  }

  /// The same feed with its names in another order.
  package func sorted(by order: Order) -> ListFeed {
    let isBefore: (Item, Item) -> Bool =
      switch order {
      case .text: { ($0.name, $0.id) < ($1.name, $1.id) }
      case .natural: { (NaturalOrder($0.name), $0.id) < (NaturalOrder($1.name), $1.id) }
      }
    return ListFeed(
      groups: groups.map { Group(id: $0.id, items: $0.items.sorted(by: isBefore)) },
      blanks: blanks)
  }
}

extension ListFeed {
  /// Reads a feed: an array of items, or an object around one.
  ///
  /// Items whose name is null, empty or blank are left out and counted.
  ///
  /// - Throws: ``Failure`` that names the invalid item and field.
  package init(json: Data) throws(Failure) {
    guard !json.isEmpty else { throw .unusableFeed("the feed is empty") }
    let items: [RawItem]
    do {
      items = try JSONDecoder().decode(RawFeed.self, from: json).items
    } catch {
      throw .unusableFeed(Self.problem(error))
    }
    let named = items.filter { !$0.isBlank }
    let groups = Dictionary(grouping: named, by: \.listId.value)
      .map { id, items in
        Group(id: id, items: items.map { Item(id: $0.id.value, name: $0.name ?? "") })
      }
      .sorted { $0.id < $1.id }
    self = ListFeed(groups: groups, blanks: items.count - named.count).sorted(by: .text)
  }

  private static func problem(_ error: any Error) -> String {
    switch error {
    case let shape as RawFeed.WrongShape:
      return shape.description
    case DecodingError.keyNotFound(let key, let context):
      return "\(place(context.codingPath + [key])) is missing"
    case DecodingError.typeMismatch(let type, let context),
      DecodingError.valueNotFound(let type, let context):
      return "\(place(context.codingPath)) is not \(kind(of: type))"
    default:
      return "the feed is not JSON"
    }
  }

  /// The item, counted from 1, and the field.
  private static func place(_ path: [any CodingKey]) -> String {
    let item = path.compactMap(\.intValue).first.map { "item \($0 + 1)" } ?? "the feed"
    let field = path.last.flatMap { $0.intValue == nil ? $0.stringValue : nil }
    return field.map { "\(item): \($0)" } ?? item
  }

  private static func kind(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "text"
    case is Int.Type: "a whole number"
    default: "an object"
    }
  }
}

extension Failure {
  fileprivate static func unusableFeed(_ problem: String) -> Failure {
    Failure(
      message: problem, hint: "A feed is an array of objects with id, listId and name.",
      kind: .unusableInput)
  }
}

private struct RawItem: Decodable {
  let id: WholeNumber
  let listId: WholeNumber
  let name: String?

  var isBlank: Bool { name?.allSatisfy(\.isWhitespace) ?? true }
}

/// A whole number with a coding path in its error, which the decoder omits for 1.5.
private struct WholeNumber: Decodable {
  let value: Int

  init(from decoder: any Decoder) throws {
    do {
      value = try decoder.singleValueContainer().decode(Int.self)
    } catch {
      throw DecodingError.typeMismatch(
        Int.self, .init(codingPath: decoder.codingPath, debugDescription: "\(error)"))
    }
  }
}

/// The items, in an array or in an object around one.
private struct RawFeed: Decodable {
  let items: [RawItem]

  struct WrongShape: Error, CustomStringConvertible {
    let description: String
  }

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
        throw WrongShape(description: "the feed is not an array")
      }
      items = try [RawItem](from: decoder)
      return
    }
    let arrays = object.allKeys.filter { (try? object.nestedUnkeyedContainer(forKey: $0)) != nil }
    guard let key = arrays.first, arrays.count == 1 else {
      throw WrongShape(
        description: "the feed is an object with \(arrays.count) arrays instead of one")
    }
    items = try object.decode([RawItem].self, forKey: key)
  }
}
