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

  /// How the names of a group are ordered; equal names by id.
  package enum Order: String, Hashable, Sendable, CaseIterable {
    /// By character: Item 276 before Item 28.
    case text
    /// Numbers within names by value: Item 28 before Item 276.
    case natural
  }

  /// The lists by number.
  package var groups: [Group]
  /// How many items were left out for want of a name.
  package var blanks: Int

  package init(groups: [Group], blanks: Int) {
    self.groups = groups
    self.blanks = blanks
  }

  /// How many items there are.
  package var count: Int { groups.reduce(0) { $0 + $1.items.count } }

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
