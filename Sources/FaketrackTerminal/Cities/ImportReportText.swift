import Cities
import FaketrackFeatures

/// What became of the rows of an import, in words.
package enum ImportReportText {
  package static func lines(_ report: CityImportReport) -> [String] {
    var lines = [
      "imported \(Quantity.count(report.cities, "city", plural: "cities")) of "
        + Quantity.count(report.rows, "row")
    ]
    if report.otherFeatures > 0 {
      lines.append("left out \(Quantity.count(report.otherFeatures, "place")) that are no cities")
    }
    for fault in CityImportReport.Fault.allCases {
      guard let occurrences = report.faults[fault] else { continue }
      let rows = occurrences.first.map(String.init).joined(separator: ", ")
      let more = occurrences.count > occurrences.first.count ? ", …" : ""
      lines.append(
        "left out \(Quantity.count(occurrences.count, "row")) \(words(for: fault)): \(rows)\(more)")
    }
    return lines
  }

  private static func words(for fault: CityImportReport.Fault) -> String {
    switch fault {
    case .malformed: "of another form"
    case .noIdentifier: "without an id"
    case .noName: "without a name"
    case .noPosition: "without a position"
    case .offTheGlobe: "with a position off the globe"
    case .repeatedIdentifier: "with the id of an earlier one"
    }
  }
}
