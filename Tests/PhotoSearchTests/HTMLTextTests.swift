import FaketrackSupport
import Testing

@testable import PhotoSearch

@Suite struct HTMLTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("<a href=\"x\">Name</a>", "Name"),
    ("<a title='a > b'>Name</a>", "Name"), ("A &amp; B &lt;C&gt;", "A & B <C>"),
    ("&#228;&#xE4;&#XE4;&auml;", "ääää"), ("&unknown; &amp", "&unknown; &amp"),
    ("a&#1114112;&#xD800;b", "ab"), ("a<br>b<br/>c", "a b c"),
    ("<p>one</p><p>two</p>", "one two"), (" many \n\t spaces&nbsp;here ", "many spaces here"),
    ("x<!-- <b>no</b> -->y", "xy"), ("x<!-- never ends", "x"),
    ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
    ("cut <a href=\"", "cut"), ("<style>p { color: red }</style>text", "text"),
    ("<script>if (a < b) { }</script>text", "text"),
    ("<div style=\"display: none;\">hide <div>more</div> this</div>shown", "shown"),
    ("<span style='DISPLAY:NONE'>hide<br></span>shown", "shown"),
    (
      "<bdi><a href=\"//w.example/User:J\" class=\"mw-redirect\">J<span>.</span> D</a></bdi>",
      "J. D"
    ),
    ("&amp;lt;b&amp;gt;", "&lt;b&gt;"), ("<bdi>A</bdi> <b>B</b> <i>C</i>", "A B C"),
    ("<b>one</b>two", "onetwo"), ("<td>1</td><td>2</td>", "1 2"), ("a<ul><li>b</ul>c", "a b c"),
    ("</p>text</div>", "text"), ("open <b>never <i>closed", "open never closed"),
    ("<p>one<p>two", "one two"), ("x</body></html>y", "x y"), ("&euro;5 &hearts;", "€5 ♥"),
    ("Änne Müller 東京 🚶", "Änne Müller 東京 🚶"), ("<!DOCTYPE html><p>x", "x"),
    ("<?php echo 1 ?>x", "x"), ("<span title='display:none'>shown</span>", "shown"),
    ("<i style='color: red'>red</i>", "red"),
  ])
  func isWhatAReaderSees(html: String, text: String) {
    #expect(HTMLText.plain(html) == text)
  }

  @Test(
    arguments: [
      ("plain", ["plain"]), ("", []), (" \n", []), ("<p> </p>", []),
      ("© <a href=\"https://a.example\">A</a>,  <b>B</b>\n", ["© ", "A>https://a.example", ", B"]),
      (
        "<a href='http://a.example'>A</a> <a href='HTTPS://b.example'> B </a>",
        ["A>http://a.example", " ", "B>HTTPS://b.example"]
      ),
      ("<a href='https://a.example'>A <i>a</i></a> ", ["A a>https://a.example"]),
      ("<a href='javascript:x()'>A</a><a href='/x'>B</a><a href='//c'>C</a><a>D</a>", ["ABCD"]),
      ("<script>x</script><a href='https://a.example'><style>y</style></a>z", ["z"]),
    ] as [(String, [String])])
  func runsHaveTheLinksToTheWeb(html: String, runs: [String]) {
    let found = HTMLText.runs(html).map { run in
      run.text + (run.link.map { ">\($0.absoluteString)" } ?? "")
    }
    #expect(found == runs)
  }

  @Test func isLinearInHostileText() {
    for piece in ["<", "<a ", "<!--", "&", "<a href='", "<div style='display:none'>", "&#"] {
      let html = String(repeating: piece, count: 20_000)
      #expect(HTMLText.plain(html).count <= html.count)
    }
  }

  @Test func readsNoMoreThan64Kilobytes() {
    #expect(HTMLText.plain(String(repeating: "x", count: 100_000)).count == 65_536)
    // The limit may cut a character in two; what is left of it must do no harm.
    let text = HTMLText.plain(String(repeating: "é", count: 40_000) + "!")
    #expect(text.hasPrefix("éééé") && text.utf8.count <= 65_540)
    #expect(HTMLText.plain("é" + String(repeating: "é", count: 32_767) + "!").hasSuffix("é"))
  }

  @Test func endsAtAnExcessiveDepth() {
    let html = String(repeating: "<b>x", count: 5_000)
    let text = HTMLText.plain(html)
    #expect(text.hasPrefix("xxx") && text.allSatisfy { $0 == "x" } && text.count <= 5_000)
  }

  /// No input may make it fail or read beyond its end; the sanitizers watch.
  @Test func survivesAnything() {
    let pieces = [
      "<", ">", "</", "<b>", "</b>", "<p ", "style='display:none'", "\"", "'", "&", "&#", "&#x",
      ";",
      "amp", "<!--", "-->", "<script>", "</script>", "<![CDATA[", "]]>", "x", " ", "\u{0}", "é",
      "<?",
    ]
    var random = SplitMix64(seed: 9)
    for _ in 0..<2_000 {
      let html = (0..<random.index(below: 30)).map { _ in pieces[random.index(below: pieces.count)]
      }
      .joined()
      let text = HTMLText.plain(html)
      #expect(!text.hasPrefix(" ") && !text.hasSuffix(" ") && !text.contains("  "))
    }
  }

  @Test func textWithoutMarkupIsWhatTheParserMakesOfIt() {
    let pieces = [
      "Anna", "K.", " ", "  ", "\u{A0}", "\u{3000}", "ü", "東京", "🌇", ">", "\"", "'", ";", "#",
      "\u{200F}",
      "\u{85}", "\u{FEFF}", "e\u{301}", "2019-05-04", "/", "=", "]]", "--", "!", "\u{2028}",
    ]
    var random = SplitMix64(seed: 10)
    let texts = (0..<2_000).map { _ in
      (0..<random.index(below: 12)).map { _ in pieces[random.index(below: pieces.count)] }.joined()
    }
    #expect(texts.filter { HTMLText.plain($0) != HTMLText.plain("<i>\($0)</i>") } == [])
  }
}
