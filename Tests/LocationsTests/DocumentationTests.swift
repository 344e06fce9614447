import Foundation
import Testing

/// The snippets of the documentation are parts of the examples, which are built and tested.
@Suite struct DocumentationTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

  private static func files(under path: String, _ suffix: String) -> [URL] {
    let paths = FileManager.default.enumerator(atPath: root.appending(path: path).path)
    return (paths?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(suffix) && !$0.contains(".build/") }
      .map { root.appending(path: path).appending(path: $0) }
  }

  /// The lines of a text that say something, without their indentation.
  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  private static func snippets(of article: URL) throws -> [String] {
    try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```swift\n")
      .dropFirst().compactMap { $0.components(separatedBy: "```").first }
  }

  @Test(arguments: ["Sources/Locations/Locations.docc", "Sources/GPX/GPX.docc"])
  func everySnippetIsPartOfAnExample(catalog: String) throws {
    let sources = try Self.files(under: "Examples", ".swift").map {
      Self.lines(of: try String(contentsOf: $0, encoding: .utf8))
    }
    let articles = Self.files(under: catalog, ".md")
    #expect(articles.count >= 2)
    for article in articles {
      for snippet in try Self.snippets(of: article) {
        let lines = Self.lines(of: snippet)
        #expect(sources.contains { $0.contains(lines) }, "\(article.lastPathComponent): \(snippet)")
      }
    }
  }
}
