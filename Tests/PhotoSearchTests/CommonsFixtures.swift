/// Answers in the shapes that Commons' recorded ones have.
enum CommonsFixtures {
  /// Files in the order of page numbers, authors as HTML, sound and a document among them, and
  /// metadata missing here and there.
  static let mixed = #"""
    {"batchcomplete":true,"query":{"pages":[
    {"pageid":301,"ns":6,"title":"File:Sanssouci von Süden.jpg","index":2,
     "coordinates":[{"lat":52.4042,"lon":13.0385,"primary":false,"globe":"earth"},
      {"lat":52.40421,"lon":13.03851,"primary":true,"globe":"earth"}],
     "imagerepository":"local","imageinfo":[{"user":"Uploader1","size":5242880,"width":4000,
      "height":3000,"mime":"image/jpeg",
      "thumburl":"https://upload.wikimedia.org/thumb/a/aa/S.jpg/960px-S.jpg","thumbwidth":960,
      "url":"https://upload.wikimedia.org/a/aa/S.jpg",
      "descriptionurl":"https://commons.wikimedia.org/wiki/File:Sanssouci_von_S%C3%BCden.jpg",
      "extmetadata":{
       "Artist":{"value":"<a href=\"//commons.wikimedia.org/wiki/User:M%C3%BCller\" title=\"User:Müller\">Änne&nbsp;M&uuml;ller</a> &amp; <b>Söhne</b>","source":"commons-desc-page"},
       "LicenseShortName":{"value":"CC BY-SA 4.0","source":"commons-desc-page","hidden":""},
       "LicenseUrl":{"value":"https://creativecommons.org/licenses/by-sa/4.0","hidden":""},
       "License":{"value":"cc-by-sa-4.0"},
       "DateTimeOriginal":{"value":"2015-06-07 12:34:56"}}}]},
    {"pageid":302,"ns":6,"title":"File:Bells.ogg","index":1,
     "coordinates":[{"lat":52.4,"lon":13.0}],
     "imageinfo":[{"user":"U","mime":"application/ogg","url":"https://upload.wikimedia.org/b.ogg"}]},
    {"pageid":303,"ns":6,"title":"File:Plan.pdf","index":3,
     "imageinfo":[{"user":"U","mime":"application/pdf",
      "thumburl":"https://upload.wikimedia.org/thumb/p.jpg"}]},
    {"pageid":304,"ns":6,"title":"File:Old.view.1890.png","index":0,
     "coordinates":[{"lat":"52.41","lon":"13.04","primary":true}],
     "imageinfo":[{"user":"Archive bot","mime":"image/png",
      "thumburl":"https://upload.wikimedia.org/thumb/o.png","descriptionurl":"",
      "extmetadata":{"LicenseShortName":{"value":"Public domain"},"License":{"value":"pd"},
       "Artist":{"value":"<span style=\"display: none;\">author QS:P170</span>"},
       "DateTimeOriginal":{"value":"<time class=\"dtstart\" datetime=\"1890\">1890</time>"}}}]},
    {"pageid":305,"ns":6,"title":"File:No metadata.jpg","index":4,
     "imageinfo":[{"user":"Someone","mime":"image/jpeg",
      "thumburl":"https://upload.wikimedia.org/thumb/n.jpg","extmetadata":[]}]},
    {"pageid":306,"ns":6,"title":"File:No thumbnail.tif","index":5,
     "imageinfo":[{"user":"U","mime":"image/tiff","url":"https://upload.wikimedia.org/big.tif"}]}
    ]}}
    """#

  /// The first part of an answer in two: one file has its position, the other its image.
  static let firstPart = #"""
    {"continue":{"iistart":20150101000000,"cocontinue":"402|7","continue":"||"},
     "warnings":{"main":{"warnings":"Unrecognized parameter."}},
     "query":{"pages":[
    {"pageid":401,"ns":6,"title":"File:One.jpg","index":-1,
     "coordinates":[{"lat":1,"lon":2,"primary":true}]},
    {"pageid":402,"ns":6,"title":"File:Two.jpg","index":0,
     "imageinfo":[{"user":"Two","mime":"image/jpeg","thumburl":"https://t.example/2.jpg",
      "extmetadata":{"License":{"value":"cc0"},"LicenseShortName":{"value":"CC0"},
      "LicenseUrl":{"value":"//creativecommons.org/publicdomain/zero/1.0/deed.en"}}}]}
    ]}}
    """#

  /// The second part: what the first one left out.
  static let secondPart = #"""
    {"batchcomplete":true,"query":{"pages":[
    {"pageid":401,"ns":6,"title":"File:One.jpg","index":-1,
     "imageinfo":[{"user":"One","mime":"image/jpeg","thumburl":"https://t.example/1.jpg"}]},
    {"pageid":402,"ns":6,"title":"File:Two.jpg","index":0,
     "coordinates":[{"lat":3,"lon":4,"primary":true}]}
    ]}}
    """#

  static let empty = #"{"batchcomplete":true}"#

  static func failure(_ code: String) -> String {
    #"{"error":{"code":"\#(code)","info":"Something about it.","docref":"x"},"servedby":"mw1"}"#
  }

  /// A page of one file, after which other files follow or not.
  static func page(
    id: Int, next: String?, at position: (latitude: Double, longitude: Double)? = nil
  ) -> String {
    let place = position.map {
      #""coordinates":[{"lat":\#($0.latitude),"lon":\#($0.longitude),"primary":true}],"#
    }
    let following = next.map { #""continue":{"ggscontinue":"\#($0)","continue":"ggscontinue||"},"# }
    return #"""
      {\#(following ?? "")"batchcomplete":true,"query":{"pages":[{"pageid":\#(id),"ns":6,
      "title":"File:\#(id).jpg","index":0,\#(place ?? "")
      "imageinfo":[{"user":"U","mime":"image/jpeg",
      "thumburl":"https://t.example/\#(id).jpg"}]}]}}
      """#
  }
}
