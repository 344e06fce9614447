import FaketrackSupport

/// A little landscape that is drawn from a photo's name alone: what sample photos show.
///
/// The same name always gives the same picture.
struct Postcard {
  private static let width = 640.0
  private static let height = 480.0

  private struct Palette {
    let sky: (top: String, bottom: String)
    let light: String
    /// From far to near.
    let hills: [String]
    let water: String
    let detail: String
  }

  private static let palettes = [
    Palette(
      sky: ("#7DB8DC", "#EAF3EE"), light: "#FFF6D6",
      hills: ["#A9C3B6", "#7DA58F", "#4F8265", "#2F5F47"], water: "#8FBFD0", detail: "#234836"),
    Palette(
      sky: ("#F2A65A", "#FBE3C0"), light: "#FFF3D9",
      hills: ["#D9A78B", "#B57F6B", "#87594F", "#57393A"], water: "#E8B48A", detail: "#3F2A2E"),
    Palette(
      sky: ("#31456A", "#C98F8B"), light: "#FBE9C6",
      hills: ["#7D7391", "#5A5878", "#3D425F", "#262D45"], water: "#6B6A8E", detail: "#1B2136"),
    Palette(
      sky: ("#9CC7C4", "#F4F1DE"), light: "#FFFBEA",
      hills: ["#C8CFA6", "#A3B27A", "#758B52", "#4C6438"], water: "#A9D0CB", detail: "#384A2A"),
    Palette(
      sky: ("#B9C9DB", "#F3F4F2"), light: "#FFFFFF",
      hills: ["#C3CBD2", "#98A6B1", "#6C7F8D", "#465A69"], water: "#B4C6D2", detail: "#334450"),
    Palette(
      sky: ("#5AA9C8", "#FDE8B8"), light: "#FFE9A8",
      hills: ["#94B8A0", "#C59F4D", "#A9792F", "#6E5324"], water: "#6FB0C4", detail: "#4B3A1C"),
  ]

  private let palette: Palette
  private var random: SplitMix64

  init(name: String) {
    random = SplitMix64(seed: UInt64(Gzip.checksum(Array(name.utf8))))
    palette = Self.palettes[Int(random.next() % UInt64(Self.palettes.count))]
  }

  /// The picture.
  func svg() -> HTML {
    var artist = self
    return artist.draw()
  }

  private mutating func draw() -> HTML {
    let hasWater = chance(0.45)
    let shore = between(330, 380)
    return tag(
      "svg", .attribute("xmlns", "http://www.w3.org/2000/svg"),
      .attribute("viewBox", "0 0 640 480"), .attribute("width", "640"),
      .attribute("height", "480")
    ) {
      gradient()
      rectangle(y: 0, height: Self.height, fill: "url(#sky)")
      sun()
      if chance(0.6) { clouds() }
      hill(0, base: between(210, 250), swing: 46)
      hill(1, base: between(260, 290), swing: 34)
      if hasWater {
        rectangle(y: shore - 40, height: 180, fill: palette.water)
        ripples(below: shore - 40)
      } else {
        hill(2, base: between(310, 340), swing: 26)
      }
      if chance(0.4) { village(on: hasWater ? shore - 38 : 345) }
      trees(on: hasWater ? shore : 385)
      hill(3, base: hasWater ? shore + 40 : between(385, 415), swing: 14)
      if chance(0.55) { path() }
      if chance(0.5) { birds() }
    }
  }

  private func gradient() -> HTML {
    tag("defs") {
      tag(
        "linearGradient", .id("sky"), .attribute("x1", "0"), .attribute("y1", "0"),
        .attribute("x2", "0"), .attribute("y2", "1")
      ) {
        tag("stop", .attribute("offset", "0"), .attribute("stop-color", palette.sky.top))
        tag("stop", .attribute("offset", "0.75"), .attribute("stop-color", palette.sky.bottom))
      }
    }
  }

  private mutating func sun() -> HTML {
    let (x, y, radius) = (between(90, 550), between(60, 190), between(22, 40))
    return tag("g", .attribute("fill", palette.light)) {
      circle(x, y, radius * 1.9, opacity: 0.25)
      circle(x, y, radius, opacity: 1)
    }
  }

  private mutating func clouds() -> HTML {
    let places = (0..<3).map { _ in (between(0, 560), between(40, 150), between(0.6, 1.3)) }
    return tag("g", .attribute("fill", "#FFFFFF"), .attribute("opacity", "0.7")) {
      for (x, y, scale) in places {
        ellipse(x, y, 46 * scale, 11 * scale)
        ellipse(x + 30 * scale, y - 9 * scale, 30 * scale, 13 * scale)
        ellipse(x + 66 * scale, y + 2 * scale, 40 * scale, 9 * scale)
      }
    }
  }

  /// A line of hills from edge to edge, filled to the bottom.
  private mutating func hill(_ number: Int, base: Double, swing: Double) -> HTML {
    let steps = 5
    var line = "M0 480 L0 \(text(base + between(-swing, swing)))"
    for step in 0..<steps {
      let (start, end) = (Double(step) / Double(steps), Double(step + 1) / Double(steps))
      let middle = Self.width * (start + end) / 2
      line += " Q\(text(middle)) \(text(base + between(-swing, swing) * 1.6))"
      line += " \(text(Self.width * end)) \(text(base + between(-swing, swing) * 0.6))"
    }
    return shape(line + " L640 480 Z", fill: palette.hills[number])
  }

  private mutating func ripples(below y: Double) -> HTML {
    let lines = (0..<9).map { number in
      let (x, width) = (between(0, 520), between(40, 150))
      return "M\(text(x)) \(text(y + 14 + Double(number) * 11)) h\(text(width))"
    }
    return tag(
      "path", .attribute("d", lines.joined(separator: " ")), .attribute("stroke", palette.light),
      .attribute("stroke-width", "2.5"), .attribute("stroke-linecap", "round"),
      .attribute("opacity", "0.5"))
  }

  private mutating func village(on ground: Double) -> HTML {
    let start = between(80, 420)
    let houses = (0..<Int(between(3, 7))).map { number in
      (start + Double(number) * 30 + between(-4, 4), between(18, 30), between(22, 30))
    }
    let tower = chance(0.6) ? start + 40 : nil
    return tag("g", .attribute("fill", palette.detail)) {
      for (x, height, width) in houses {
        let top = ground - height
        shape(
          "M\(text(x)) \(text(ground + 30)) V\(text(top)) l\(text(width / 2)) \(text(-width * 0.6)) "
            + "l\(text(width / 2)) \(text(width * 0.6)) V\(text(ground + 30)) Z")
      }
      if let tower {
        shape("M\(text(tower)) \(text(ground)) v-62 l9 -30 l9 30 v62 Z")
      }
    }
  }

  private mutating func trees(on ground: Double) -> HTML {
    let isFir = chance(0.5)
    let places = (0..<Int(between(5, 14))).map { _ in
      (between(-10, 650), ground + between(8, 44), between(34, 86))
    }
    return tag("g", .attribute("fill", palette.detail)) {
      for (x, y, size) in places.sorted(by: { $0.1 < $1.1 }) {
        if isFir {
          shape(
            "M\(text(x)) \(text(y - size)) L\(text(x + size * 0.26)) \(text(y)) "
              + "H\(text(x - size * 0.26)) Z")
        } else {
          shape("M\(text(x - 2)) \(text(y)) v\(text(-size * 0.6)) h4 v\(text(size * 0.6)) Z")
          ellipse(x, y - size * 0.66, size * 0.27, size * 0.36)
        }
      }
    }
  }

  private mutating func path() -> HTML {
    let (start, bend, end) = (between(180, 460), between(150, 500), between(240, 420))
    return tag(
      "path",
      .attribute(
        "d",
        "M\(text(start - 34)) 480 Q\(text(bend)) 440 \(text(end)) 404 "
          + "Q\(text(bend + 46)) 444 \(text(start + 40)) 480 Z"),
      .attribute("fill", palette.light), .attribute("opacity", "0.75"))
  }

  private mutating func birds() -> HTML {
    let marks = (0..<Int(between(2, 6))).map { _ in
      "M\(text(between(120, 520))) \(text(between(70, 180))) q6 -8 11 0 q6 -8 11 0"
    }
    return tag(
      "path", .attribute("d", marks.joined(separator: " ")), .attribute("fill", "none"),
      .attribute("stroke", palette.detail), .attribute("stroke-width", "2.5"),
      .attribute("stroke-linecap", "round"))
  }
}

extension Postcard {
  private mutating func between(_ low: Double, _ high: Double) -> Double {
    .random(in: low...high, using: &random)
  }

  private mutating func chance(_ probability: Double) -> Bool { between(0, 1) < probability }

  private func text(_ number: Double) -> String { "\(number.rounded(places: 1))" }

  private func shape(_ line: String, fill: String? = nil) -> HTML {
    tag("path", .attribute("d", line), .attribute("fill", fill))
  }

  private func rectangle(y: Double, height: Double, fill: String) -> HTML {
    tag(
      "rect", .attribute("y", text(y)), .attribute("width", "640"),
      .attribute("height", text(height)), .attribute("fill", fill))
  }

  private func circle(_ x: Double, _ y: Double, _ radius: Double, opacity: Double) -> HTML {
    tag(
      "circle", .attribute("cx", text(x)), .attribute("cy", text(y)),
      .attribute("r", text(radius)), .attribute("opacity", "\(opacity)"))
  }

  private func ellipse(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> HTML {
    tag(
      "ellipse", .attribute("cx", text(x)), .attribute("cy", text(y)),
      .attribute("rx", text(width)), .attribute("ry", text(height)))
  }
}
