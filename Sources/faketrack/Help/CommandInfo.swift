import ArgumentParser
import Foundation

/// The arguments of a command, as the argument parser describes them for tools.
struct CommandInfo: Decodable {
  struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String

      /// The name as it is typed.
      var text: String { (kind == "long" ? "--" : "-") + name }
    }

    let kind: String
    let shouldDisplay: Bool
    let sectionTitle: String?
    let isOptional: Bool
    let isRepeating: Bool
    let names: [Name]?
    let valueName: String?
    let defaultValue: String?
    let allValues: [String]?
    let abstract: String?
    let discussion: String?
  }

  let arguments: [Argument]

  init(_ command: any ParsableCommand.Type) {
    struct Tool: Decodable { let command: CommandInfo }
    // The description is made by this process, of this type.
    let tool = try? JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8))
    arguments =
      tool?.command.arguments.filter { argument in
        // Every command has these two.
        argument.shouldDisplay
          && argument.names?.contains { ["help", "version"].contains($0.name) } != true
      } ?? []
  }

  private enum CodingKeys: CodingKey { case arguments }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    arguments = try values.decodeIfPresent([Argument].self, forKey: .arguments) ?? []
  }
}

extension CommandInfo.Argument {
  var isPositional: Bool { kind == "positional" }

  /// `-f, --format <format>`, the short name before the long one.
  var label: String {
    if isPositional { return synopsis }
    let names = names ?? []
    let short = names.first { $0.kind != "long" }?.text
    let long = names.first { $0.kind == "long" }?.text
    let value = kind == "option" ? " <\(valueName ?? "value")>" : ""
    return (short ?? "  ") + (long.map { (short == nil ? "  " : ", ") + $0 } ?? "") + value
  }

  /// A positional argument in the usage.
  var synopsis: String {
    let name = "<\(valueName ?? "value")>" + (isRepeating ? "…" : "")
    return isOptional ? "[\(name)]" : name
  }

  /// All sentences, the values and the default.
  var text: String {
    var facts: [String] = []
    let text = [abstract, discussion].compactMap(\.self).joined(separator: " ")
    let isListed =
      valueName?.contains("|") == true || allValues?.prefix(3).allSatisfy(text.contains) == true
    if let allValues, !isListed {
      facts.append(allValues.joined(separator: ", "))
    }
    if let defaultValue, !text.contains("(default:") { facts.append("default: \(defaultValue)") }
    return facts.isEmpty ? text : text + " (\(facts.joined(separator: "; ")))"
  }
}
