/// Answers in the shapes that Flickr's recorded ones have: their types differ between hits.
enum FlickrFixtures {
  /// Numbers as strings, both kinds of granularity, a hit that is not geotagged, a title with an
  /// escape sequence, a license from the future, and a hit without what an image needs.
  static let wandering = #"""
    {"photos":{"page":1,"pages":1091,"perpage":15,"total":"16364","photo":[
    {"id":"14602336094","owner":"26083317@N06","secret":"c9d2f1a7be","server":"4843","farm":5,
     "title":"Neues Palais \u001b[31m & more","ispublic":1,"isfriend":0,"isfamily":0,"license":"4",
     "ownername":"Änne Müller","datetaken":"2014-07-12 18:03:22","datetakengranularity":"0",
     "datetakenunknown":0,"latitude":"52.401250","longitude":"13.015833","accuracy":"16",
     "context":0,"place_id":"x","woeid":"685783","geo_is_public":1},
    {"id":14602336095,"owner":"99@N00","secret":"aa11","server":65535,"farm":66,
     "title":"No place","license":0,"ownername":"","datetaken":"1998-01-01 00:00:00",
     "datetakengranularity":6,"datetakenunknown":"0","latitude":0,"longitude":0,"accuracy":0},
    {"id":"3","owner":"7@N07","secret":"5e","server":"1","title":{"_content":"odd"},"license":"16",
     "datetaken":"2001-05-01 00:00:00","datetakengranularity":"4",
     "latitude":52.5,"longitude":"13.25","accuracy":11},
    {"id":"14602336094","owner":"26083317@N06","secret":"c9d2f1a7be","server":"4843",
     "title":"The first one again"},
    {"id":"4","owner":"7@N07","title":"no secret, no server"},
    {"id":"5","owner":"7@N07","secret":"../..","server":"1","title":"a path in the secret"},
    "not a hit", null,
    {"id":"6","owner":"8@N08","secret":"ab","server":"2","title":"","license":"77",
     "latitude":"91.0","longitude":"0.5","datetakenunknown":"1","datetaken":"2020-02-02 02:02:02"}
    ]},"stat":"ok"}
    """#

  /// Links to images whose widths are strings or integers, one photo that has no larger size
  /// than 500 pixels, no total, a last page.
  static let linked = #"""
    {"photos":{"page":3,"pages":"3","perpage":"250","photo":[
    {"id":"50","owner":"1@N01","secret":"s1","server":"65535","title":"large","license":"9",
     "ownername":"One","latitude":"-33.856784","longitude":"151.215297","accuracy":"15",
     "datetaken":"2022-11-30 07:08:09","datetakengranularity":0,
     "url_s":"https://live.staticflickr.com/65535/50_s1_m.jpg","height_s":"160","width_s":240,
     "url_m":"https://live.staticflickr.com/65535/50_s1.jpg","height_m":333,"width_m":"500",
     "url_z":"https://live.staticflickr.com/65535/50_s1_z.jpg","height_z":427,"width_z":640,
     "url_l":"https://live.staticflickr.com/65535/50_s2_b.jpg","height_l":"683","width_l":"1024"},
    {"id":"51","owner":"2@N02","secret":"s3","server":"65535","title":"small","license":"10",
     "ownername":"Two","latitude":"-33.9","longitude":"151.2","accuracy":16,
     "url_s":"https://live.staticflickr.com/65535/51_s3_m.jpg","height_s":240,"width_s":"180",
     "url_m":"https://live.staticflickr.com/65535/51_s3.jpg","height_m":"500","width_m":375},
    {"id":"52","owner":"3@N03","secret":"s4","server":"65535","title":"odd link","license":"7",
     "ownername":"Three","latitude":"-33.9","longitude":"151.2",
     "url_z":"javascript:alert(1)"}
    ]},"stat":"ok"}
    """#

  static let empty = #"""
    {"photos":{"page":1,"pages":0,"perpage":250,"total":0,"photo":[]},"stat":"ok"}
    """#

  static func failure(code: Int, _ message: String) -> String {
    #"{"stat":"fail","code":\#(code),"message":"\#(message)"}"#
  }
}
