import Cities
import FaketrackFeatures
import FaketrackSupport

/// A city on a line of its own.
enum CityLine {
  static func draw(_ row: CityRow, in frame: inout Frame, at area: CellArea) {
    let city = row.city
    var end = area.columns
    func putAtEnd(_ text: String, _ style: CellStyle) {
      end -= text.columns
      if end > 0 {
        frame.put(text, style, column: area.column + end, row: area.row, in: area)
      }
      end -= 1
    }
    putAtEnd(row.isFavorite ? "★" : " ", CellStyle(.highlight))
    if let distance = row.distance {
      putAtEnd(Quantity.distance(distance).padded(toColumns: 9, onLeft: true), .muted)
    } else if area.columns >= 50 {
      let population = city.shownPopulation ?? ""
      putAtEnd(population.padded(toColumns: 11, onLeft: true), .muted)
    }
    let names = area.split(afterColumns: max(0, end)).left
    let start = frame.put(
      row.shownName.safeForTerminal, .plain, column: area.column + 1, row: area.row, in: names)
    frame.put(
      city.shownPlace.safeForTerminal, .muted, column: start + 2, row: area.row, in: names)
  }
}
