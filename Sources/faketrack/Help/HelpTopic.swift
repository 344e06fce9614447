import FaketrackFeatures
import FaketrackFeeds
import FaketrackTerminal

/// A page of the help that belongs to several commands: `faketrack help feeds`.
enum HelpTopic: String, CaseIterable {
  case feeds, control, formats, environment
  case exitCodes = "exit-codes"
  case keys

  var text: String {
    switch self {
    case .feeds: Self.feedText
    case .control: Self.controlText
    case .formats: FormatReference.text(of: OutputFormat.all()) + "\n"
    case .environment: Self.environmentText
    case .exitCodes: Self.exitCodeText
    case .keys: Self.keyText
    }
  }

  private static let feedText = """
    Targets of --feed: a walk as the position of an app under test, live.

    replay, serve and app accept it, more than once. replay then walks as
    recorded, or at --speed, and sends a position each second. --wait waits for
    a tab, a reader or a device, --hold keeps the last position, --drain sends
    what a slow server did not take. At the end, stderr has a line for each
    target: confirmed are positions that an app can see, as the target says.
    The exit code is 69 if a target accepted no position.

    A track goes to all targets. Of as many tracks as targets, each target gets
    one, in the order in which they are named, at the same time:
    replay a.gpx b.gpx --feed adb:FIRST --feed adb:SECOND, or one file with
    --track 1 --feed adb:FIRST --track 2 --feed adb:SECOND.

    \(FeedTarget.all.map { target in
      "  \(target.form)\n      " + target.summary.replacing("\n", with: "\n      ")
    }.joined(separator: "\n"))

    A live receiver is a track, up to --to or Ctrl-C: gpsd://host[:port], and NMEA
    at nmea://host:port or nmea:///dev/ttyUSB0.

    """

  private static let controlText = """
    Commands of --control and --script, for tests that need a location.

    replay and serve take commands over HTTP, at an address of this machine:

      faketrack replay walk.gpx --feed chrome:127.0.0.1:9222 --step \\
        --control 127.0.0.1:4000
      curl -d '{"command": "walk to 1km"}' http://127.0.0.1:4000/commands

    The answer comes when the walk is there and the targets have it. Like
    GET /state, it has the distance, the track time, the permission, and how
    many positions each target took and refused. With --step, no time passes
    between commands and no position is left out: a test needs no sleep.

    \(WalkCommand.forms.map { "  \($0.isForScripts ? "*" : " ") \($0.form)\n        \($0.summary)" }
      .joined(separator: "\n"))

    A script is a file of lines, each with a position and a command marked *:

      1km denied
      1.2km authorized
      2km outage 30s
      3km speed 2x
      4km teleport 52.5,13.4

    A teleport along the track keeps the permission, and its script goes on from
    there. On the page of serve, a denied walk waits until it is allowed.

    Status 400: no such command. 409: the command cannot be done, for example
    walking back. 503: a target did not take the walk within about 10 s.

    Any user of this machine can reach a port; unix:walk.sock is yours alone.

    """

  private static let environmentText = """
    Environment variables

      FLICKR_API_KEY           Flickr key; with it, --photos auto uses Flickr.
      FAKETRACK_PHOTOS         Default photo source; --photos overrides it.
      FAKETRACK_HOME           Folder of favorites, caches and imported cities.
                               (default: $XDG_DATA_HOME/faketrack, or
                               ~/.local/share/faketrack)
      FAKETRACK_FLICKR_URL     In place of https://api.flickr.com/services/rest/
      FAKETRACK_COMMONS_URL    In place of
                               https://commons.wikimedia.org/w/api.php
      FAKETRACK_WIKIPEDIA_URL  In place of https://en.wikipedia.org
      https_proxy, no_proxy    Proxy for services; http_proxy for http addresses.
      LC_MEASUREMENT           Units that people read: en_US.UTF-8 for miles.
                               --units overrides it.
      NO_COLOR                 Any value turns colors off.
      TERM                     dumb turns off colors, progress and the app.

    faketrack keeps its files in the folder that faketrack doctor names, and
    nothing elsewhere: to remove them, delete that folder.

    """

  private static let exitCodeText = """
    Exit codes

        0  Done. A closed pipe ends a run with 0, too.
        1  Failure, such as a file that can't be read; or check found that an
           expectation is not met.
        2  check cannot read a file.
       64  Wrong usage.
       65  Unusable input: not GPX, no points, or a bad point with --strict.
       69  Service unavailable, key rejected, or a target of --feed that
           accepted nothing.
       77  Location permission denied or restricted.
      130  Interrupted by Ctrl-C; 143 by SIGTERM.

    """

  private static let keyText = """
    Keys

    replay, on a terminal that shows progress
      Space     Pause and resume
      < >       Change the speed
      q         Quit

    app
    \(KeyHint.reference.map { "  " + $0.key.padded(toColumns: 15) + $0.meaning }.joined(separator: "\n"))

    """
}
