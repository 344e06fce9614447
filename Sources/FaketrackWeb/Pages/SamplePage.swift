import FaketrackFeatures

/// The page of a sample photo.
enum SamplePage {
  static func html(name: String) -> HTML {
    PageFrame("Sample photo", route: nil).html {
      tag("h1", text: "Sample photo")
      tag("figure", .class("card photo large")) {
        emptyTag(
          "img", .local("src", "\(SamplePhotos.base.path)/\(name)_z.jpg"),
          .attribute("alt", "A made-up landscape"), .attribute("width", "640"),
          .attribute("height", "480"))
        tag("figcaption") {
          tag(
            "p",
            text:
              "Drawn from the place alone; nothing in it is really there. Real photos come with "
              + "--photos commons, or with a key for Flickr.")
        }
      }
    }
  }
}
