import Foundation
import Testing

@testable import PhotoSearch

@Suite struct FlickrLinksTests {
  @Test(arguments: PhotoSize.allCases)
  func anImagesAddressEndsWithTheLetterOfItsSize(size: PhotoSize) {
    let url = FlickrLinks.image(server: "4843", id: "1", secret: "5e", size: size)
    #expect(
      url?.absoluteString == "https://live.staticflickr.com/4843/1_5e_\(size.rawValue).jpg")
  }

  @Test(arguments: [("", "1", "s"), ("1", "../2", "s"), ("1", "2", "s?x"), ("1", "2/3", "s")])
  func nothingElseGetsIntoAnAddress(server: String, id: String, secret: String) {
    #expect(FlickrLinks.image(server: server, id: id, secret: secret, size: .pixels640) == nil)
  }

  @Test func aPageIsNamedAfterOwnerAndPhoto() {
    #expect(
      FlickrLinks.page(owner: "26083317@N06", id: "14")?.absoluteString
        == "https://www.flickr.com/photos/26083317@N06/14")
    #expect(FlickrLinks.page(owner: "a/b", id: "14") == nil)
    #expect(FlickrLinks.page(owner: "a", id: "") == nil)
  }

  @Test(arguments: PhotoSize.allCases)
  func asksForTheExactSizeOnce(size: PhotoSize) {
    let extras = FlickrLinks.extras(for: size).split(separator: ",").map(String.init)
    #expect(extras.count { $0 == FlickrLinks.extra(for: size) } == 1)
    #expect(Set(extras).count == extras.count)
    #expect(Set(["geo", "license", "owner_name", "date_taken"]).isSubset(of: extras))
  }

  @Test(
    arguments: [
      (.pixels1024, ["url_z", "url_m", "url_s"]), (.pixels640, ["url_m", "url_s"]),
      (.pixels400, ["url_s"]), (.pixels240, []), (.square75, []),
    ] as [(PhotoSize, [String])])
  func smallerSizesComeLargestFirst(size: PhotoSize, fields: [String]) {
    #expect(FlickrLinks.smaller(than: size) == fields)
  }

  @Test(arguments: [
    ("0", "All Rights Reserved", PhotoLicense.Terms.allRightsReserved),
    ("4", "CC BY 2.0", .creativeCommons),
    ("1", "CC BY-NC-SA 2.0", .creativeCommonsNonCommercial),
    ("7", "No known copyright restrictions", .publicDomain), ("9", "CC0 1.0", .creativeCommonsZero),
    ("16", "CC BY-NC-ND 4.0", .creativeCommonsNonCommercial), ("17", "Flickr license 17", .unknown),
    ("-1", "Flickr license -1", .unknown),
  ])
  func knowsLicensesByTheirNumbers(id: String, name: String, terms: PhotoLicense.Terms) {
    let license = FlickrLicense.license(id: id)
    #expect(license?.name == name)
    #expect(license?.terms == terms)
  }

  @Test func aLicenseIsANumber() {
    #expect(FlickrLicense.license(id: "") == nil)
    #expect(FlickrLicense.license(id: "CC BY") == nil)
    #expect(FlickrLicense.ids(for: .any) == nil)
  }
}
