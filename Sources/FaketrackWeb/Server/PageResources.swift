import CPage
import FaketrackCompression

/// The style sheet, scripts, icon and sample paintings of the page, embedded in the executable, by folder
/// and name: `map/pins.mjs`.
///
/// Their address contains a checksum of all of them, so browsers may cache them forever and never mix
/// two versions.
struct PageResources: Sendable {
  struct Resource: Sendable {
    let type: String
    let bytes: [UInt8]
  }

  static let shared = PageResources()

  /// A checksum of all names and contents.
  let version: String
  private let resources: [String: Resource]
  private let imports: [String: [String]]

  private init() {
    var resources: [String: Resource] = [:]
    var checksum: UInt32 = 0
    for number in 0..<page_resource_count() {
      let file = page_resource_at(number)
      let name = String(cString: file.name)
      let bytes = [UInt8](UnsafeRawBufferPointer(start: file.bytes, count: file.count))
      checksum = Gzip.checksum(Array(name.utf8), from: checksum)
      checksum = Gzip.checksum(bytes, from: checksum)
      resources[name] = Resource(type: Self.type(of: name), bytes: bytes)
    }
    self.resources = resources
    imports = Dictionary(
      uniqueKeysWithValues: resources.filter { $0.key.hasSuffix(".mjs") }.map { name, script in
        let text = String(decoding: script.bytes, as: UTF8.self)
        return (name, text.matches(of: Self.anImport).map { Self.name($0.1, from: name) })
      })
    version = String(checksum, radix: 36)
  }

  func address(of name: String) -> String { "/assets/\(version)/\(name)" }

  /// The text of an embedded file, which must exist.
  func text(of name: String) -> String { String(decoding: bytes(of: name), as: UTF8.self) }

  /// The bytes of an embedded file, which must exist.
  func bytes(of name: String) -> [UInt8] {
    guard let resource = resources[name] else { preconditionFailure("\(name) is not embedded") }
    return resource.bytes
  }

  /// The resource at a path; `nil` for any other, such as one of another version.
  func resource(at path: [Substring]) -> Resource? {
    guard path.count == 4, path[0] == "assets", path[1] == version else { return nil }
    return resources["\(path[2])/\(path[3])"]
  }

  /// The text of a script, which imports the others by folder and name.
  func scriptWithNamedImports(_ name: String) -> String {
    text(of: name).replacing(Self.anImport) { "from \"\(Self.name($0.1, from: name))\"" }
  }

  private static var anImport: Regex<(Substring, Substring)> {
    #/from "(\.\.?/[a-z-]+(?:/[a-z-]+)?\.mjs)"/#
  }

  /// The folder and name of a script that another one imports as `./pins.mjs` or `../map/pins.mjs`.
  private static func name(_ address: Substring, from script: String) -> String {
    if address.hasPrefix("../") { return String(address.dropFirst(3)) }
    return "\(script.prefix { $0 != "/" })/\(address.dropFirst(2))"
  }

  /// A script and everything that it imports, each once.
  func modules(from script: String) -> [String] {
    var modules: [String] = []
    var open = [script]
    while let name = open.popLast() {
      guard !modules.contains(name), let imported = imports[name] else { continue }
      modules.append(name)
      open += imported
    }
    return modules
  }

  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "mjs": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "webp": "image/webp"
    default: "application/octet-stream"
    }
  }
}
