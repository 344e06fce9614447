import FaketrackTestSupport
import Foundation
import Testing

/// The snippets of the articles are parts of tests and examples, which are compiled and run.
@Suite struct ArticleTests {
  private static let catalogs: [String] = {
    let modules = try? FileManager.default.contentsOfDirectory(
      atPath: Repository.root.appending(path: "Sources").path)
    return (modules ?? []).sorted().map { "Sources/\($0)/\($0).docc" }.filter {
      FileManager.default.fileExists(atPath: Repository.root.appending(path: $0).path)
    }
  }()

  private static func files(under path: String, _ suffix: String) -> [URL] {
    let folder = Repository.root.appending(path: path)
    let paths = FileManager.default.enumerator(atPath: folder.path)
    return (paths?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(suffix) && !$0.contains(".build/") }
      .map { folder.appending(path: $0) }
  }

  private static func snippets(of article: URL) throws -> [String] {
    try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```swift\n")
      .dropFirst().compactMap { $0.components(separatedBy: "```").first }
  }

  /// The text without white space, since tests and articles are laid out differently.
  private static func squeezed(_ text: some StringProtocol) -> String {
    String(text.filter { !$0.isWhitespace })
  }

  @Test(arguments: [
    "Cities", "GPX", "Geodesy", "Locations", "PhotoSearch", "Receivers", "WorldCities",
  ])
  func everyLibraryHasACatalog(library: String) {
    #expect(Self.catalogs.contains("Sources/\(library)/\(library).docc"))
  }

  @Test(arguments: catalogs + ["docs/guide.docc"])
  func everyLineOfASnippetIsInATestOrAnExample(catalog: String) throws {
    let files =
      Self.files(under: "Examples", ".swift")
      + Self.files(under: "Tests", "DocumentationTests.swift")
    let sources = try files.map { Self.squeezed(try String(contentsOf: $0, encoding: .utf8)) }
    for article in Self.files(under: catalog, ".md") {
      for snippet in try Self.snippets(of: article) {
        let lines = snippet.split(separator: "\n").map(Self.squeezed).filter { !$0.isEmpty }
        #expect(!lines.isEmpty)
        let isRun = sources.contains { source in lines.allSatisfy(source.contains) }
        #expect(isRun, "\(article.lastPathComponent): \(snippet)")
      }
    }
  }

  @Test(arguments: catalogs)
  func everyLibraryHasAnArticleWithTopics(catalog: String) throws {
    let name = URL(fileURLWithPath: catalog).deletingPathExtension().lastPathComponent
    let article = Repository.root.appending(path: "\(catalog)/\(name).md")
    let text = try String(contentsOf: article, encoding: .utf8)
    #expect(text.hasPrefix("# ``\(name)``\n"))
    #expect(text.contains("\n## Topics\n"))
    let articles = Self.files(under: catalog, ".md")
    #expect(try articles.contains { try !Self.snippets(of: $0).isEmpty })
  }

  @Test func everyFileThatTheArchitectureNamesExists() throws {
    let text = try String(
      contentsOf: Repository.root.appending(path: "docs/architecture.md"), encoding: .utf8)
    let paths = text.matches(of: /`(Sources\/[^`]+)`/).map { String($0.1) }
    #expect(paths.count >= 20)
    for path in paths {
      let file = Repository.root.appending(path: path)
      #expect(FileManager.default.fileExists(atPath: file.path), "\(path)")
    }
  }

  @Test(arguments: catalogs)
  func everyPublicTypeIsListed(catalog: String) throws {
    let articles = try Self.files(under: catalog, ".md")
      .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    let folder = String(catalog.prefix(upTo: catalog.lastIndex(of: "/") ?? catalog.endIndex))
    let type = /(?m)^public (?:final )?(?:struct|class|enum|actor|protocol) (\w+)/
    for file in Self.files(under: folder, ".swift") {
      for match in try String(contentsOf: file, encoding: .utf8).matches(of: type) {
        #expect(articles.contains("``\(match.1)``"), "\(match.1)")
      }
    }
  }
}
