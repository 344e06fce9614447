import FaketrackServices
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Testing

@testable import PhotoSearch

@Suite struct PipelineProvidersTests {
  private let query = PhotoQuery(center: Spot.potsdam, radius: 500)

  private func make(
    _ name: String, _ environment: [String: String] = [:], _ fetcher: ScriptedFetcher,
    providers: [PhotoProvider] = PhotoProvider.all, store: (any PhotoSearchStoring)? = nil,
    downloads: Bool = false,
    onFallback: (@Sendable (PhotoSearchError) -> Void)? = nil
  ) throws -> PhotoPipeline? {
    let choice = try #require(PhotoSourceChoice(rawValue: name))
    return try PhotoPipeline.make(
      choice, among: providers, variables: environment, store: store, downloads: downloads,
      // The source that was asked for has all the time to answer.
      in: .scripted(fetcher, RecordingClock(endless: PhotoPipeline.Fallback.timeout)),
      onFallback: onFallback)
  }

  /// Answers as Flickr or as Commons, whichever is asked.
  private func service() -> ScriptedFetcher {
    ScriptedFetcher { request, _ in
      .text(request.value(for: "api_key") == nil ? CommonsFixtures.mixed : FlickrFixtures.linked)
    }
  }

  @Test(
    arguments: [
      ("auto", "k", "flickr"), ("auto", nil, "commons"), ("auto", " ", "commons"),
      ("flickr", "k", "flickr"), ("commons", "k", "commons"), ("sample", "k", "sample"),
    ] as [(String, String?, String)])
  func isWhatWasAskedFor(choice: String, key: String?, name: String) async throws {
    var environment: [String: String] = [:]
    environment["FLICKR_API_KEY"] = key
    let source = try #require(try make(choice, environment, service()) { _ in })
    #expect(source.provider?.name == name)
    let page = try await source.photos(for: query)
    let first = try #require(page.photos.first)
    switch name {
    case "flickr": #expect(first.id == "50")
    case "commons": #expect(first.id == "304")
    default: #expect(first.imageURL.host == "photos.faketrack.example")
    }
    #expect(page.photos.allSatisfy { $0.source == name })
    #expect(source.calls == (name == "sample" ? 0 : 1))
    let mayFallBack = choice == "auto" && name == "commons"
    #expect(source.fallbackProvider?.name == (mayFallBack ? "sample" : nil))
  }

  @Test func noneIsNone() throws {
    #expect(try make("none", ScriptedFetcher(answers: [])) == nil)
  }

  private func make(_ name: String, _ fetcher: ScriptedFetcher) throws -> PhotoPipeline? {
    try make(name, [:], fetcher)
  }

  @Test func choicesAreTheNamesOfTheProvidersWithAutoAndNone() {
    #expect(
      PhotoSourceChoice.allCases.map(\.rawValue) == ["auto", "flickr", "commons", "sample", "none"])
    for choice in PhotoSourceChoice.allCases {
      #expect(PhotoSourceChoice(rawValue: choice.rawValue)?.rawValue == choice.rawValue)
    }
    #expect(PhotoSourceChoice(rawValue: "bing") == nil)
    #expect(PhotoSourceChoice(rawValue: "") == nil)
    #expect(PhotoSourceChoice(rawValue: "Flickr") == nil)
  }

  @Test(arguments: [[:], ["FLICKR_API_KEY": ""], ["FLICKR_API_KEY": "  \n"]])
  func flickrNeedsAKey(environment: [String: String]) {
    #expect {
      try make("flickr", environment, ScriptedFetcher(answers: []))
    } throws: { error in
      guard case PhotoSourceError.missingKey(let provider) = error else { return false }
      return provider.name == "flickr"
    }
  }

  @Test(arguments: ["auto", "sample", "none"])
  func everyAddressIsChecked(choice: String) {
    #expect {
      try make(
        choice, ["FAKETRACK_COMMONS_URL": "commons"], ScriptedFetcher(answers: []))
    } throws: { error in
      guard case PhotoSourceError.unusableAddress("FAKETRACK_COMMONS_URL") = error else {
        return false
      }
      return true
    }
  }

  @Test(
    arguments: [
      ("auto", [:], "commons"), ("auto", keyOfFlickr, "flickr"), ("commons", [:], "commons"),
      ("sample", [:], nil), ("none", [:], nil),
    ] as [(String, [String: String], String?)])
  func whatIsDownloadedMustExist(
    choice: String, environment: [String: String], name: String?
  ) throws {
    do {
      let source = try make(choice, environment, service(), downloads: true)
      #expect(source?.provider?.name == name)
    } catch PhotoSourceError.notDownloadable(let provider) {
      #expect(name == nil)
      #expect(provider?.name == (choice == "sample" ? "sample" : nil))
    }
  }

  @Test func autoWithoutNetworkIsTheSampleWhereAFallbackIsWanted() async throws {
    let reasons = Locked<[PhotoSearchError]>([])
    let fetcher = ScriptedFetcher(answers: [.failure(.unreachable("the host name is not known"))])
    let source = try #require(
      try make("auto", [:], fetcher) { reason in reasons.withLock { $0.append(reason) } })
    for page in 1...3 {
      let query = PhotoQuery(center: Spot.potsdam, radius: 1500, page: page)
      #expect(try await source.photos(for: query).photos.first?.source == "sample")
    }
    #expect(fetcher.requests.count == 4)
    #expect(reasons.withLock { $0.map(\.isUnreachable) } == [true])
    #expect(source.imageHosts == ["https://upload.wikimedia.org"])
  }

  @Test func autoNeverChoosesMadeUpPhotos() throws {
    #expect(try make("auto", [:], service(), providers: [.flickr, .sample]) == nil)
  }

  @Test(arguments: ["commons", "flickr", "auto"])
  func aSourceIsNotSwappedUnlessThatIsWanted(choice: String) async throws {
    let fetcher = ScriptedFetcher(answers: [.failure(.unreachable("no network"))])
    let source = try #require(try make(choice, choice == "flickr" ? keyOfFlickr : [:], fetcher))
    #expect(source.fallbackProvider == nil)
    for _ in 0..<2 {
      await #expect(throws: PhotoSearchError.self) {
        try await source.photos(for: query)
      }
    }
    #expect(fetcher.requests.count == 8)
  }

  private actor Store: PhotoSearchStoring {
    private(set) var keys: [String] = []

    func page(for key: PhotoSearchKey) -> PhotoPage? { nil }
    func store(_ page: PhotoPage, for key: PhotoSearchKey) { keys.append(key.identity) }
  }

  @Test(arguments: [("flickr", ["flickr"]), ("commons", ["commons"]), ("sample", [])])
  func whatComesFromAServiceIsStored(choice: String, identities: [String]) async throws {
    let store = Store()
    let source = try #require(try make(choice, keyOfFlickr, service(), store: store))
    _ = try await source.photos(for: query)
    #expect(await store.keys == identities)
  }

  @Test func madeUpImagesStartWithTheBase() async throws {
    let base = URL(literal: "https://page.example/photos")
    let source = try PhotoPipeline.make(
      .provider(.sample), imageBase: base, in: .scripted(service()))
    let page = try await source?.photos(for: query)
    #expect(
      page?.photos.first?.imageURL.absoluteString.hasPrefix("https://page.example/photos/s") == true
    )
  }
}
