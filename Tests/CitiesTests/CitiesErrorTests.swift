import Cities
import Testing

@Suite struct CitiesErrorTests {
  struct Wording: Sendable {
    let error: CitiesError
    let description: String
    let suggestion: String
    let isUnusableInput: Bool
  }

  @Test(arguments: [
    Wording(
      error: .unreadable(path: "/p", reason: "No such file or directory"),
      description: "cannot read /p: No such file or directory",
      suggestion: "Check that the file exists and may be read.", isUnusableInput: false),
    Wording(
      error: .unwritable(path: "/p", reason: "No space left on device"),
      description: "cannot write /p: No space left on device",
      suggestion: "Check that the directory exists, may be written and has room.",
      isUnusableInput: false),
    Wording(
      error: .notAnIndex(path: "/p"), description: "/p is not a city index",
      suggestion: "Import the cities again, or remove the file to use the built-in index.",
      isUnusableInput: false),
    Wording(
      error: .unsupportedVersion(path: "/p", found: 1, supported: 2),
      description: "the city index /p has format 1, this version reads format 2",
      suggestion: "Import the cities again, or remove the file to use the built-in index.",
      isUnusableInput: false),
    Wording(
      error: .damaged(path: "/p", reason: "its checksum does not match"),
      description: "the city index /p is damaged: its checksum does not match",
      suggestion: "Import the cities again, or remove the file to use the built-in index.",
      isUnusableInput: false),
    Wording(
      error: .damaged(path: "/p", reason: "it is 7 bytes long, not 9"),
      description: "the city index /p is damaged: it is 7 bytes long, not 9",
      suggestion: "Import the cities again, or remove the file to use the built-in index.",
      isUnusableInput: false),
    Wording(
      error: .unsupportedInput(format: "a database"),
      description: "the city data is a database, which cannot be imported",
      suggestion:
        "Give a GeoNames dump (tab-separated text) or a JSON array of cities, plain or gzipped.",
      isUnusableInput: true),
    Wording(
      error: .truncatedInput(rows: 3), description: "the city data breaks off after 3 rows",
      suggestion: "Get the file again; the cities are as they were.", isUnusableInput: true),
    Wording(
      error: .malformedInput(reason: "r"), description: "the city data is malformed: r",
      suggestion: "Get the file again; the cities are as they were.", isUnusableInput: true),
    Wording(
      error: .noUsableRow(rows: 3), description: "none of the 3 rows of the city data is a city",
      suggestion: "Check that this is the right file; the cities are as they were.",
      isUnusableInput: true),
    Wording(
      error: .tooLarge, description: "the city data is too large for an index",
      suggestion: "Leave out the smaller places; the cities are as they were.",
      isUnusableInput: true),
  ])
  func describesTheProblemAndTheRemedy(wording: Wording) {
    #expect(wording.error.description == wording.description)
    #expect(wording.error.recoverySuggestion == wording.suggestion)
    #expect(wording.error.isUnusableInput == wording.isUnusableInput)
  }
}
