import CSampleWalk
import FaketrackFeatures

/// The walk that comes with faketrack.
enum SampleWalk {
  /// The gzipped GPX file.
  static var bytes: [UInt8] {
    Array(UnsafeRawBufferPointer(start: sample_walk_bytes(), count: sample_walk_count()))
  }

  static var track: Track {
    Track(.bytes(bytes, name: "faketrack.gpx"), name: "faketrack.gpx")
  }
}
