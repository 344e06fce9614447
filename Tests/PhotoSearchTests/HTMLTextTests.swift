import Testing

@testable import PhotoSearch

@Suite struct HTMLTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("<a href=\"x\">Name</a>", "Name"),
    ("<a title='a > b'>Name</a>", "Name"), ("A &amp; B &lt;C&gt;", "A & B <C>"),
    ("&#228;&#xE4;&#XE4;&auml;", "ääää"), ("&unknown; &amp", "&unknown; &amp"),
    ("&#1114112;&#xD800;", "&#1114112;&#xD800;"), ("a<br>b<br/>c", "a b c"),
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
    ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
  ])
  func isWhatAReaderSees(html: String, text: String) {
    #expect(HTMLText.plain(html) == text)
  }

  @Test func isLinearInHostileText() {
    for piece in ["<", "<a ", "<!--", "&", "<a href='", "<div style='display:none'>", "&#"] {
      let html = String(repeating: piece, count: 20_000)
      #expect(HTMLText.plain(html).count <= html.count)
    }
  }
}
