// swift-tools-version: 6.1

import PackageDescription

let geodesy = Target.Dependency.product(name: "Geodesy", package: "faketrack")
let gpx = Target.Dependency.product(name: "GPX", package: "faketrack")
let locations = Target.Dependency.product(name: "Locations", package: "faketrack")

let package = Package(
  name: "HeadlessWalk",
  platforms: [.macOS(.v15)],
  dependencies: [
    // An app writes .package(url: …, from: …) here.
    .package(name: "faketrack", path: "../..")
  ],
  targets: [
    .target(name: "HeadlessWalk", dependencies: [geodesy, locations]),
    .testTarget(
      name: "HeadlessWalkTests", dependencies: ["HeadlessWalk", geodesy, gpx, locations]),
  ],
  swiftLanguageModes: [.v6]
)
