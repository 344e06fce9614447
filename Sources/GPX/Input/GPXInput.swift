/// Where the bytes of a GPX file come from; plain or gzipped, which is found out by looking.
public enum GPXInput: Sendable {
  /// A file at a path.
  case file(String)
  /// An open descriptor, such as 0 for standard input, with its name for messages; it is read from
  /// where it stands and stays open.
  case descriptor(Int32, name: String)
  /// Bytes in memory, with a name for messages if they have one.
  case bytes([UInt8], name: String? = nil)

  /// What messages call the input.
  public var name: String? {
    switch self {
    case .file(let path): path
    case .descriptor(_, let name): name
    case .bytes(_, let name): name
    }
  }

  func open() throws(GPXError) -> any ByteSource {
    switch self {
    case .file(let path): try DescriptorSource(path: path)
    case .descriptor(let descriptor, _): DescriptorSource(borrowing: descriptor)
    case .bytes(let bytes, _): MemorySource(bytes)
    }
  }
}
