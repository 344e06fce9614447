import FaketrackFeatures
import Foundation
import Testing

@testable import FaketrackWeb

@Suite struct HTMLTests {
  @Test(arguments: [
    ("Potsdam", "Potsdam"),
    ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ("a & b", "a &amp; b"),
    ("\"quoted\" 'too'", "&quot;quoted&quot; &#39;too&#39;"),
    ("&lt;", "&amp;lt;"),
    ("nul\0 bell\u{7} escape\u{1B}[31m", "nul bell escape[31m"),
    ("right\u{202E}left\u{2066}", "rightleft"),
    ("two\nlines", "two\nlines"),
    ("Zürich 東京 🙂", "Zürich 東京 🙂"),
  ])
  func escapesText(_ text: String, _ expected: String) {
    #expect(HTML(text).markup == expected)
    #expect(tag("p", text: text).markup == "<p>\(expected)</p>")
    #expect(tag("p") { text }.markup == "<p>\(expected)</p>")
    #expect(
      emptyTag("img", .attribute("alt", text)).markup == "<img alt=\"\(expected)\">")
  }

  @Test func nestsElementsWithoutEscapingThemAgain() {
    let html = tag("p", .class("note")) {
      "1 < 2 "
      tag("b", text: "&")
      if true { "yes" }
      for number in 1...2 { tag("i", text: "\(number)") }
    }
    #expect(
      html.markup == "<p class=\"note\">1 &lt; 2 <b>&amp;</b>yes<i>1</i><i>2</i></p>")
  }

  @Test(arguments: [
    "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc",
    "https:", "//elsewhere.example/x", "relative", "mailto:a@b.example",
  ])
  func leavesOutAddressesThatLeadNowhereGood(_ address: String) {
    #expect(tag("a", .href(URL(string: address)), text: "x").markup == "<a>x</a>")
    #expect(emptyTag("img", .src(URL(string: address))).markup == "<img>")
  }

  @Test func keepsAddressesOfTheWebAndOfThePage() {
    let web = URL(string: "https://a.example/p?x=1&y=\"")
    #expect(
      tag("a", .href(web), text: "x").markup.hasPrefix(
        "<a href=\"https://a.example/p?x=1&amp;y="))
    #expect(
      emptyTag("img", .src(URL(string: "/photos/sample/s_z.jpg"))).markup
        == "<img src=\"/photos/sample/s_z.jpg\">")
    #expect(tag("a", .href(Route.lists), text: "x").markup == "<a href=\"/lists\">x</a>")
    #expect(tag("a", .local("href", "//x.example"), text: "x").markup == "<a>x</a>")
  }

  @Test func flagsAndEmptyAttributes() {
    #expect(emptyTag("input", .flag("required")).markup == "<input required>")
    #expect(emptyTag("input", .flag("required", false)).markup == "<input>")
    #expect(emptyTag("input", .attribute("name", nil)).markup == "<input>")
    #expect(emptyTag("img", .attribute("alt", "")).markup == "<img alt=\"\">")
  }

  @Test func aDocumentBeginsWithItsType() {
    #expect(HTML.document(tag("html", text: "x")).markup == "<!DOCTYPE html>\n<html>x</html>")
  }

  @Test func everythingThatABuilderTakes() {
    func html(_ flag: Bool, _ optional: HTML?) -> String {
      tag("p") {
        if flag { "yes" } else { "no" }
        if flag { tag("b", text: "b") }
        optional
        for number in 0..<2 { "\(number)" }
      }.markup
    }
    #expect(html(true, nil) == "<p>yes<b>b</b>01</p>")
    #expect(html(false, HTML("<")) == "<p>no&lt;01</p>")
    #expect(tag("p") {}.markup == "<p></p>")
  }

  @Test(arguments: [
    ("/about", "<a href=\"/about\">x</a>"), ("//evil.example", "<a>x</a>"),
    ("evil", "<a>x</a>"), ("https://evil.example", "<a>x</a>"), ("", "<a>x</a>"),
    ("/a\"b", "<a href=\"/a&quot;b\">x</a>"),
  ])
  func localAddressesStayOnThePage(_ path: String, markup: String) {
    #expect(tag("a", .local("href", path), text: "x").markup == markup)
  }

  @Test func dataAndHiddenFields() {
    #expect(
      emptyTag("i", .data("name", "a<b"), .id("x"), .class("c"), .label("l")).markup
        == "<i data-name=\"a&lt;b\" id=\"x\" class=\"c\" aria-label=\"l\">")
    #expect(
      hiddenField("from", "/a?b&c").markup
        == "<input type=\"hidden\" name=\"from\" value=\"/a?b&amp;c\">")
  }

  @Test func noCharacterBreaksOutOfAnAttribute() {
    for value in UInt32(0)...0x2FF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let markup = emptyTag("img", .attribute("alt", "a\(scalar)b")).markup
      let inside = markup.dropFirst("<img alt=\"".count).dropLast("\">".count)
      #expect(markup.hasPrefix("<img alt=\"a") && markup.hasSuffix("b\">"))
      #expect(!inside.contains("\"") && !inside.contains("<") && !inside.contains(">"))
    }
  }
}
