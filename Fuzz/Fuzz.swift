import Foundation

/// A fuzz target: on arbitrary bytes, it neither traps nor hangs, and its results are consistent.
struct FuzzTarget: Sendable {
  let name: String
  let run: @Sendable (_ bytes: [UInt8]) -> Void

  static let all = [
    gpx, numbers, times, flickr, commons, wikipedia, feed, storedSearch, html, index, cityImport,
    routes, multipart, requests, options, formats, exif, captions,
  ]

  /// The target named in the environment.
  static let chosen: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FAKETRACK_FUZZ_TARGET"] ?? ""
    guard let target = all.first(where: { $0.name == name }) else {
      let names = all.map(\.name).joined(separator: " ")
      FileHandle.standardError.write(Data("FAKETRACK_FUZZ_TARGET is one of: \(names)\n".utf8))
      exit(64)
    }
    return target
  }()
}

/// Ends the process, which libFuzzer reports, if a condition does not hold.
func check(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}

@_cdecl("LLVMFuzzerInitialize")
func initializeFuzzer(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?)
  -> CInt
{
  _ = FuzzTarget.chosen
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
func runFuzzer(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTarget.chosen.run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
