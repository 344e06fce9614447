/// The drawings on buttons; 24 units square, in the colour of the text.
enum Icon: String {
  case play = "M8 5.5v13l11-6.5z"
  case pause = "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z"
  case stop = "M6.5 6.5h11v11h-11z"
  case star =
    "M12 3.6l2.6 5.3 5.8.8-4.2 4.1 1 5.8-5.2-2.7-5.2 2.7 1-5.8L3.6 9.7l5.8-.8z"
  case place =
    "M12 2.5a6.5 6.5 0 0 0-6.5 6.5c0 4.8 6.5 12.5 6.5 12.5S18.5 13.8 18.5 9A6.5 6.5 0 0 0 12 2.5zm0 9a2.5 2.5 0 1 1 0-5 2.5 2.5 0 0 1 0 5z"
  case upload = "M12 3.5l5.5 5.5-1.4 1.4-3.1-3V16h-2V7.4l-3.1 3L6.5 9zM5 18h14v2H5z"
  case search =
    "M10.5 4a6.5 6.5 0 0 1 5.2 10.4l4.6 4.5-1.4 1.4-4.5-4.6A6.5 6.5 0 1 1 10.5 4zm0 2a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z"
  case camera =
    "M9 4.5h6l1.4 2.5H20a1 1 0 0 1 1 1v10.5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h3.6zM12 9a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0 2a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"

  var html: HTML {
    tag(
      "svg", .class("icon"), .attribute("viewBox", "0 0 24 24"), .hiddenFromReaders
    ) {
      tag("path", .attribute("d", rawValue))
    }
  }
}
