import FaketrackServices
import FaketrackTestSupport
import Foundation
import Testing

@testable import PhotoSearch

@Suite struct PhotoProviderTests {
  /// The one line that adds a provider.
  private let providers = PhotoProvider.all + [.postcards]
  private let query = PhotoQuery(center: Spot.potsdam, radius: 500)
  private let card = ScriptedFetcher(answers: [.success(.text("1;52.4;13.06;Sanssouci\n"))])

  private func make(
    _ name: String, _ environment: [String: String], _ fetcher: ScriptedFetcher,
    downloads: Bool = false
  ) throws -> PhotoPipeline? {
    let choices = PhotoSourceChoice.all(among: providers)
    let choice = try #require(choices.first { $0.rawValue == name })
    return try PhotoPipeline.make(
      choice, among: providers, variables: environment, downloads: downloads,
      in: .scripted(fetcher))
  }

  @Test func anAddedProviderIsAChoice() {
    let choices = PhotoSourceChoice.all(among: providers)
    #expect(
      choices.map(\.rawValue) == ["auto", "flickr", "commons", "sample", "postcards", "none"])
    #expect(PhotoSourceChoice(rawValue: "postcards") == nil)
  }

  @Test func anAddedProviderIsSearchedWithItsKeyAndItsAddress() async throws {
    let environment = ["POSTCARDS_KEY": " s3cret\n", "POSTCARDS_URL": "http://cache.example/c"]
    let source = try #require(try make("postcards", environment, card))
    let page = try await source.photos(for: query)
    #expect(page.photos.map(\.title) == ["Sanssouci"])
    let request = try #require(card.requests.first)
    #expect(request.endpoint.absoluteString == "http://cache.example/c")
    #expect(request.value(for: "key") == "s3cret")
    #expect(!request.description.contains("s3cret"))
    #expect(request.headers["User-Agent"] == Product.application)
    #expect(source.calls == 1)
    #expect(source.imageHosts == ["https://cards.example"])
    #expect(PhotoPipeline.notice(of: source) == "photos: Postcards; they are old")
  }

  @Test(arguments: [[:], ["POSTCARDS_KEY": ""], ["POSTCARDS_KEY": " \t"], ["FLICKR_API_KEY": "k"]])
  func anAddedProviderNeedsItsKey(environment: [String: String]) {
    #expect {
      try make("postcards", environment, card)
    } throws: { error in
      guard case PhotoSourceError.missingKey(let provider) = error else { return false }
      return provider.name == "postcards" && provider.keyVariable == "POSTCARDS_KEY"
    }
  }

  @Test func anAddedProviderIsChosenAutomaticallyWhenItsKeyIsThere() throws {
    #expect(try make("auto", ["POSTCARDS_KEY": "k"], card)?.provider?.name == "postcards")
    let both = ["POSTCARDS_KEY": "k", "FLICKR_API_KEY": "k"]
    #expect(try make("auto", both, card)?.provider?.name == "flickr", "the first of them")
  }

  @Test func anAddedProviderMayBeDownloaded() throws {
    let source = try make("postcards", ["POSTCARDS_KEY": "k"], card, downloads: true)
    #expect(source?.provider?.name == "postcards")
  }

  @Test func namesAndVariablesAreUnique() {
    #expect(Set(PhotoProvider.all.map(\.name)).count == PhotoProvider.all.count)
    let variables = PhotoProvider.all.flatMap { [$0.keyVariable, $0.endpointVariable] }
      .compactMap(\.self)
    #expect(Set(variables).count == variables.count)
    #expect(!PhotoProvider.all.contains { ["auto", "none"].contains($0.name) })
    #expect(PhotoProvider.all.count(where: \.isMadeUp) == 1)
  }

  /// Word for word, as they are shown on stderr.
  @Test(arguments: [
    (
      "flickr",
      "photos: Flickr; --photos commons or sample for another source. "
        + "This product uses the Flickr API but is not endorsed or certified by SmugMug, Inc."
    ),
    (
      "commons",
      "photos: Wikimedia Commons; set FLICKR_API_KEY for Flickr, --photos none to need no network"
    ),
    (
      "sample",
      "photos: the built-in sample, made up; --photos commons for real ones, "
        + "FLICKR_API_KEY for Flickr"
    ),
  ])
  func tellsTheUser(name: String, notice: String) throws {
    let source = try make(name, keyOfFlickr, card)
    #expect(PhotoPipeline.notice(of: source) == notice)
  }

  @Test func tellsTheUserThatThereAreNone() throws {
    #expect(PhotoPipeline.notice(of: try make("none", [:], card)) == "photos: none")
  }

  @Test(
    arguments: [
      ("flickr", "Flickr", "FLICKR_API_KEY", "FAKETRACK_FLICKR_URL"),
      ("commons", "Wikimedia Commons", nil, "FAKETRACK_COMMONS_URL"),
      ("sample", "the built-in sample", nil, nil),
    ] as [(String, String, String?, String?)])
  func describesItself(name: String, title: String, key: String?, endpoint: String?) throws {
    let provider = try #require(PhotoProvider.all.first { $0.name == name })
    #expect(provider.title == title)
    #expect(provider.keyVariable == key)
    #expect(provider.endpointVariable == endpoint)
    #expect(provider.isMadeUp == (name == "sample"))
    let search = provider.makeSearch(.scripted(card))
    #expect(search.identity.hasPrefix(name))
  }

  @Test func namesTheHostsOfItsImages() {
    #expect(PhotoProvider.flickr.imageHosts == ["https://live.staticflickr.com"])
    #expect(PhotoProvider.commons.imageHosts == ["https://upload.wikimedia.org"])
    #expect(PhotoProvider.sample.imageHosts.isEmpty)
  }

  @Test(arguments: [
    "no url", "ftp://flickr.example", "http://", "/rest", "http:///x", "flickr.example",
  ])
  func anAddressMustBeOneOfAWebService(text: String) {
    #expect {
      try PhotoProvider.flickr.endpoint(in: ["FAKETRACK_FLICKR_URL": text])
    } throws: { error in
      guard case PhotoSourceError.unusableAddress("FAKETRACK_FLICKR_URL") = error else {
        return false
      }
      return true
    }
  }

  @Test(
    arguments: [
      ("http://a.example", "http://a.example"),
      ("HTTPS://a.example/b?c=1", "HTTPS://a.example/b?c=1"),
      ("", nil), (nil, nil),
    ] as [(String?, String?)])
  func anAddressIsTakenFromItsVariable(text: String?, address: String?) throws {
    var environment: [String: String] = [:]
    environment["FAKETRACK_FLICKR_URL"] = text
    #expect(try PhotoProvider.flickr.endpoint(in: environment)?.absoluteString == address)
    #expect(try PhotoProvider.sample.endpoint(in: environment) == nil)
  }

  @Test func aKeyIsShownNowhere() throws {
    let pipeline = try #require(try make("flickr", ["FLICKR_API_KEY": "TOPSECRET"], card))
    var shown = "\(pipeline)" + String(reflecting: pipeline)
    dump(pipeline, to: &shown)
    dump(
      PhotoProvider.Configuration(
        key: Secret("TOPSECRET"), userAgent: "a", environment: ServiceEnvironment()), to: &shown)
    #expect(!shown.contains("TOPSECRET"))
  }
}
