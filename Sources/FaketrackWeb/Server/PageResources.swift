import CPageResources
import FaketrackSupport

/// The style sheet, scripts, icon and picture template of the page, embedded in the executable.
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
    imports = resources.filter { $0.key.hasSuffix(".mjs") }.mapValues { script in
      String(decoding: script.bytes, as: UTF8.self).matches(of: #/from "\.\/([a-z-]+\.mjs)"/#)
        .map { String($0.1) }
    }
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

  /// The resource at a path; `nil` for any other, such as one of another version or the template.
  func resource(at path: [Substring]) -> Resource? {
    guard path.count == 3, path[0] == "assets", path[1] == version, path[2] != "postcard.svg"
    else { return nil }
    return resources[String(path[2])]
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
    default: "application/octet-stream"
    }
  }
}
