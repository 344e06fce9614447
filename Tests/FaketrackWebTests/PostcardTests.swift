import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@testable import FaketrackWeb

@Suite struct PostcardTests {
  @Test func theSameNameGivesTheSamePictureAndOthersOthers() {
    let pictures = (0..<50).map { Postcard(name: "s1x\($0)").svg().markup }
    #expect(Set(pictures).count == 50)
    #expect(Postcard(name: "s1x7").svg().markup == pictures[7])
  }

  @Test(arguments: ["", "s226082x187274", "<script>"])
  func isWellFormedAndLoadsNothing(_ name: String) {
    let markup = Postcard(name: name).svg().markup
    #expect(XMLParser(data: Data(markup.utf8)).parse())
    #expect(!markup.contains("script") && !markup.contains("href"))
    #expect(!markup.contains("nan") && !markup.contains("inf"))
    #expect(markup.utf8.count < 12_000)
  }
}
