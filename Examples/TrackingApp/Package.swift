// swift-tools-version: 6.1

import PackageDescription

let libraries = ["Cities", "GPX", "Geodesy", "Locations", "PhotoSearch", "WorldCities"].map {
  Target.Dependency.product(name: $0, package: "faketrack")
}

let package = Package(
  name: "TrackingApp",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    // An app writes .package(url: …, from: …) here.
    .package(name: "faketrack", path: "../..")
  ],
  targets: [
    .target(name: "Tracking", dependencies: libraries, resources: [.copy("Resources/park.gpx")]),
    .executableTarget(name: "TrackingApp", dependencies: ["Tracking"] + libraries),
    .testTarget(name: "TrackingTests", dependencies: ["Tracking"] + libraries),
  ],
  swiftLanguageModes: [.v6]
)
