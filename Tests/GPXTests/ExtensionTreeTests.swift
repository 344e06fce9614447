import FaketrackSupport
import Foundation
import GPX
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Random trees of extensions: what a reader hands out must mean the same in another document.
@Suite struct ExtensionTreeTests {
  private static let gpxNamespace = "http://www.topografix.com/GPX/1/1"

  /// Elements with their namespaces, attributes and texts, in one line.
  private struct Tree {
    private(set) var text = ""
    private(set) var meaning = ""
    private var generator: SplitMix64
    private let namespaces = ["urn:a", "urn:b", "urn:c?x=1&y=2", ""]

    init(seed: UInt64) {
      generator = SplitMix64(seed: seed)
      for _ in 0..<1 + generator.index(below: 3) {
        addElement(depth: 0, scope: ["": gpxNamespace, "r": "urn:root"])
      }
    }

    /// Adds an element whose parents have declared the prefixes in `scope`.
    private mutating func addElement(depth: Int, scope: [String: String]) {
      var scope = scope
      var declarations = ""
      for prefix in ["", "p", "q"] where generator.index(below: 3) == 0 {
        // XML cannot take a prefix back, only the default namespace.
        let namespace = namespaces[generator.index(below: prefix.isEmpty ? 4 : 3)]
        scope[prefix] = namespace
        declarations += " xmlns\(prefix.isEmpty ? "" : ":\(prefix)")='\(escaped(namespace))'"
      }
      let prefixes = scope.keys.sorted()
      let prefix = prefixes[generator.index(below: prefixes.count)]
      let name = ["alpha", "beta", "name", "ele"][generator.index(below: 4)]
      var attributes: [String: String] = [:]
      var written = ""
      for key in ["k", "l"] where generator.index(below: 3) == 0 {
        let prefix = prefixes[generator.index(below: prefixes.count)]
        let value = ["1", "<&>", "\"'", "é\n\t"][generator.index(below: 4)]
        attributes["\(prefix.isEmpty ? "" : scope[prefix] ?? "")|\(key)"] = value
        written += " \(prefix.isEmpty ? "" : prefix + ":")\(key)=\"\(escaped(value))\""
      }
      let label = prefix.isEmpty ? name : "\(prefix):\(name)"
      text +=
        "<\(label)\(generator.index(below: 2) == 0 ? declarations + written : written + declarations)>"
      meaning += Self.startMeaning(scope[prefix] ?? "", name, attributes)
      if depth < 4, generator.index(below: 2) == 0 {
        for _ in 0..<1 + generator.index(below: 3) {
          if generator.index(below: 3) == 0 { text += "\n  <!-- <x/> -->" }
          addElement(depth: depth + 1, scope: scope)
        }
      } else {
        let value = ["", "v", "<&>", "a b", "é€🚶", " "][generator.index(below: 6)]
        text += generator.index(below: 4) == 0 ? "<![CDATA[\(value)]]>" : escaped(value)
        meaning += value
      }
      text += "</\(label)>"
      meaning += ")"
    }

    static func startMeaning(
      _ namespace: String, _ name: String, _ attributes: [String: String]
    ) -> String {
      let list = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return "({\(namespace)}\(name)[\(list.joined(separator: ";"))]"
    }

    private func escaped(_ text: String) -> String {
      text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        .replacingOccurrences(of: "\"", with: "&quot;").replacingOccurrences(of: "'", with: "&#39;")
        .replacingOccurrences(of: "\n", with: "&#10;").replacingOccurrences(of: "\t", with: "&#9;")
    }
  }

  /// Finds out the meaning of XML with Foundation's parser.
  private final class Interpreter: NSObject, XMLParserDelegate {
    private(set) var meaning = ""
    private var scopes: [[String: String]] = [[:]]

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      var scope = scopes[scopes.count - 1]
      for (key, value) in attributes {
        if key == "xmlns" { scope[""] = value }
        if key.hasPrefix("xmlns:") { scope[String(key.dropFirst(6))] = value }
      }
      scopes.append(scope)
      func resolve(_ name: String, isElement: Bool) -> (String, String) {
        let parts = name.split(separator: ":").map(String.init)
        if parts.count == 2 { return (scope[parts[0]] ?? "undeclared", parts[1]) }
        return (isElement ? scope[""] ?? "" : "", name)
      }
      var list: [String: String] = [:]
      for (key, value) in attributes where !key.hasPrefix("xmlns") {
        let (namespace, name) = resolve(key, isElement: false)
        list["\(namespace)|\(name)"] = value
      }
      let (namespace, local) = resolve(name, isElement: true)
      meaning += Tree.startMeaning(namespace, local, list)
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
      meaning += string
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      scopes.removeLast()
      meaning += ")"
    }

    static func meaning(of xml: String) -> String {
      let interpreter = Interpreter()
      let parser = XMLParser(data: Data("<o xmlns='\(gpxNamespace)'>\(xml)</o>".utf8))
      parser.shouldReportNamespacePrefixes = false
      parser.shouldProcessNamespaces = false
      parser.delegate = interpreter
      guard parser.parse() else { return "not well-formed: \(xml)" }
      // Without the element around it.
      return String(interpreter.meaning.dropFirst("({\(gpxNamespace)}o[]".count).dropLast())
    }
  }

  @Test(arguments: (0..<6).map { UInt64($0) * 50..<UInt64($0 + 1) * 50 })
  func meanTheSameOutsideTheirDocument(seeds: Range<UInt64>) throws {
    for seed in seeds {
      let tree = Tree(seed: seed)
      let text = """
        <gpx xmlns="\(Self.gpxNamespace)" xmlns:r="urn:root"><wpt lat="1" lon="2">
        <extensions>\(tree.text)</extensions></wpt></gpx>
        """
      let document = try GPXDocument(data: Data(text.utf8))
      let xml = document.waypoints.first?.details.extensions ?? ""
      guard Interpreter.meaning(of: xml) == tree.meaning else {
        Issue.record(
          "seed \(seed)\n\(tree.text)\n\(xml)\n\(tree.meaning)\n\(Interpreter.meaning(of: xml))")
        return
      }
      // And so they do in the document that is written, again and again.
      let again = try GPXDocument(data: document.data(creator: "test"))
      #expect(again.waypoints == document.waypoints)
    }
  }

  @Test func areTheSameWhereverTheyStand() throws {
    for seed in 900..<940 as Range<UInt64> {
      let xml = "<extensions>\(Tree(seed: seed).text)</extensions>"
      let text = """
        <gpx xmlns="\(Self.gpxNamespace)" xmlns:r="urn:root"><metadata>\(xml)</metadata>
        <wpt lat="1" lon="2">\(xml)</wpt><rte>\(xml)<rtept lat="1" lon="2">\(xml)</rtept></rte>
        <trk>\(xml)<trkseg><trkpt lat="1" lon="2">\(xml)</trkpt>\(xml)</trkseg></trk>\(xml)</gpx>
        """
      let document = try GPXDocument(data: Data(text.utf8))
      let all = [
        document.metadata.details.extensions, document.waypoints.first?.details.extensions,
        document.routes.first?.details.extensions,
        document.routes.first?.points.first?.details.extensions,
        document.tracks.first?.details.extensions,
        document.tracks.first?.segments.first?.extensions,
        document.tracks.first?.segments.first?.points.first?.details.extensions,
        document.extensions,
      ]
      #expect(Set(all).count == 1)
      #expect(all.first??.isEmpty == false)
    }
  }
}
