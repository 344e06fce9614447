import Foundation

/// A feed of 1,000 items with as many blank names and as long lists as the public one.
enum SampleFeed {
  /// The named items of the lists 1 to 4.
  static let sizes = [81, 71, 86, 82]
  static let blanks = 328 + 352

  struct Item {
    var id: Int
    var listId: Int
    /// The name as JSON.
    var name: String
  }

  /// The items in an order that is neither by list nor by name.
  static let items: [Item] = {
    let spaces = ["\"\"", "\" \"", "\"\\t\"", "\"\\n \\u00a0\"", "\"\\u3000\""]
    var names: [(list: Int, name: (Int) -> String)] = []
    for (list, size) in sizes.enumerated() {
      for _ in 0..<size { names.append((list + 1, { "\"Item \($0)\"" })) }
    }
    for number in 0..<328 { names.append((number % 4 + 1, { _ in "null" })) }
    for number in 0..<352 { names.append((number % 4 + 1, { _ in spaces[number % spaces.count] })) }
    // 387 and 1,000 are coprime, so each index is used once.
    return (0..<1_000).map { id in
      let (list, name) = names[id * 387 % 1_000]
      return Item(id: id, listId: list, name: name(id))
    }
  }()

  static let bare =
    "["
    + items.map { "{\"id\":\($0.id),\"listId\":\($0.listId),\"name\":\($0.name)}" }
    .joined(separator: ",") + "]"

  static let wrapped = "{\"page\":1,\"hiring\":\(bare)}"
}
