import FaketrackSupport
import Foundation

/// A shell script in place of a program that decodes HEIC pictures. It notes its arguments, and writes a
/// JPEG file.
package struct HEICStub {
  package let home: TemporaryHome
  package let name: String

  /// - Parameter script: the script, which has the path of the JPEG file in `$picture` and the
  ///   path of the output in `$output`.
  package init(
    in home: TemporaryHome, name: String = "heif-convert", picture: [UInt8],
    script: String = #"cp "$picture" "$output""#
  ) throws {
    (self.home, self.name) = (home, name)
    try home.file("decoded.jpg", Data(picture))
    let text = """
      #!/bin/sh
      picture='\(home.path("decoded.jpg"))'
      printf '%s\\n' "$@" >'\(home.path("arguments"))'
      output=$4
      \(script)
      """
    try home.file("bin/.keep", "")
    // A file that this process had open for writing might still be open in another program that
    // it has just started.
    _ = try Program.run(
      "/bin/sh", ["-c", #"cat >"$0" && chmod +x "$0""#, home.path("bin/\(name)")],
      input: Data(text.utf8), timeout: .seconds(60))
  }

  package var path: String { home.path("bin/\(name)") }
  /// The environment in which the program is found first.
  package var environment: [String: String] { ["PATH": home.path("bin")] }
  /// The arguments of the last call; none before the first.
  package var arguments: [String] {
    home.text(of: "arguments").split(separator: "\n").map(String.init)
  }
}
