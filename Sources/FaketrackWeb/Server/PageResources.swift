import CPageResources

/// The style sheet, scripts and icon, which travel inside the executable.
///
/// Their address is made from the content of all of them, so that a browser may cache them forever and
/// never mixes two versions.
struct PageResources: Sendable {
  struct Resource: Sendable {
    let type: String
    let bytes: [UInt8]
  }

  static let shared = PageResources()

  /// Changes with the content of any of them.
  let version: String
  private let resources: [String: Resource]
  /// What each script imports itself.
  private let imports: [String: [String]]

  private init() {
    var resources: [String: Resource] = [:]
    var hash = FNV1a()
    for number in 0..<page_resource_count() {
      let resource = page_resource_at(number)
      let name = String(cString: resource.name)
      let bytes = [UInt8](UnsafeRawBufferPointer(start: resource.bytes, count: resource.count))
      hash.add(Array(name.utf8))
      hash.add(bytes)
      resources[name] = Resource(type: Self.type(of: name), bytes: bytes)
    }
    self.resources = resources
    imports = resources.filter { $0.key.hasSuffix(".mjs") }.mapValues { script in
      String(decoding: script.bytes, as: UTF8.self).matches(of: #/from "\.\/([a-z-]+\.mjs)"/#)
        .map { String($0.1) }
    }
    version = hash.text
  }

  /// The address of a resource.
  func address(of name: String) -> String { "/assets/\(version)/\(name)" }

  /// The resource of an address; `nil` for any other, such as one of another version.
  func resource(at path: [Substring]) -> Resource? {
    guard path.count == 3, path[0] == "assets", path[1] == version else { return nil }
    return resources[String(path[2])]
  }

  /// A script and all that it imports, each once.
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

/// A hash that is fast and the same everywhere, to name content by; no protection against forgery.
///
/// Source: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, "The FNV Non-Cryptographic Hash Algorithm".
struct FNV1a {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  var text: String { String(value, radix: 36) }
}
