import FaketrackFeatures
import FaketrackTestSupport
import Foundation
import Testing

/// The JSON Schema of locations says what `RecordField` says; Tests/Peers/schemas.py validates output.
@Suite struct RecordSchemaTests {
  private struct Schema: Decodable {
    /// One type or several.
    struct Types: Decodable {
      var names: [String]

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        names = try (try? [container.decode(String.self)]) ?? container.decode([String].self)
      }
    }

    var type: Types?
    var description: String?
    var properties: [String: Schema]?

    /// The leaves with their paths, each as its types and its description.
    func leaves(_ path: String = "") -> [String: [String]] {
      guard let properties else { return [path: (type?.names ?? []) + [description ?? ""]] }
      return properties.reduce(into: [:]) { all, property in
        all.merge(property.value.leaves(path.isEmpty ? property.key : "\(path).\(property.key)")) {
          $1
        }
      }
    }
  }

  private struct File: Decodable {
    var definitions: [String: Schema]

    enum CodingKeys: String, CodingKey { case definitions = "$defs" }
  }

  @Test func itHasTheFieldsOfALocation() throws {
    let file = Repository.root.appending(path: "docs/schemas/replay.json")
    let schemas = try JSONDecoder().decode(File.self, from: Data(contentsOf: file))
    var leaves = try #require(schemas.definitions["location"]).leaves()
    leaves["track"] = nil
    for field in RecordField.all {
      let words = field.type.components(separatedBy: ", ")
      let unit = words.dropFirst().joined(separator: ", ")
      // The names of the rules are below the fields in the help, and an enumeration in the schema.
      let notes = [unit == "see below" ? "" : unit, field.null.map { "null: \($0)" } ?? ""]
      let expected =
        [words[0]] + (field.null == nil ? [] : ["null"])
        + [notes.filter { !$0.isEmpty }.joined(separator: "; ")]
      #expect(leaves[field.path] == expected, "\(field.path)")
    }
    #expect(leaves.count == RecordField.all.count)
  }
}
