import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Serves the stub's answers over HTTP on 127.0.0.1, with a thread for each connection.
final class LoopbackServer: Sendable {
  let url: URL
  private let flickr: StubFlickr

  init(_ flickr: StubFlickr) throws {
    self.flickr = flickr
    #if canImport(Darwin)
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isOpen, let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/")
    else { throw CocoaError(.fileNoSuchFile) }
    self.url = url
    Thread.detachNewThread { [self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { continue }
        Thread.detachNewThread { [self] in serve(connection) }
      }
    }
  }

  /// Answers the requests of a connection until it is closed.
  private func serve(_ connection: Int32) {
    defer { close(connection) }
    var received = Data()
    var buffer = [UInt8](repeating: 0, count: 8_192)
    let end = Data("\r\n\r\n".utf8)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      received.append(contentsOf: buffer[..<count])
      while let head = received.range(of: end) {
        let request = String(decoding: received[..<head.lowerBound], as: UTF8.self)
        received = Data(received[head.upperBound...])
        guard let answer = answer(to: request) else { return }
        let header = """
          HTTP/1.1 200 OK\r
          Content-Type: application/json\r
          Content-Length: \(answer.count)\r
          \r

          """
        guard send(Data(header.utf8) + answer, to: connection) else { return }
      }
    }
  }

  private func answer(to request: String) -> Data? {
    let target = request.split(separator: " ", maxSplits: 2).dropFirst().first ?? ""
    let items = URLComponents(string: String(target))?.queryItems ?? []
    func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
    guard let latitude = value("lat"), let longitude = value("lon") else { return nil }
    return try? flickr.answer(latitude: latitude, longitude: longitude)
  }

  private func send(_ data: Data, to connection: Int32) -> Bool {
    data.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
        #if canImport(Darwin)
          let count = Darwin.send(connection, rest.baseAddress, rest.count, 0)
        #else
          let count = Glibc.send(connection, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        #endif
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }
}
