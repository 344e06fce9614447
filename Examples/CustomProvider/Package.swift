// swift-tools-version: 6.1

import PackageDescription

let geodesy = Target.Dependency.product(name: "Geodesy", package: "faketrack")
let locations = Target.Dependency.product(name: "Locations", package: "faketrack")

let package = Package(
  name: "CustomProvider",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    // An app writes .package(url: …, from: …) here.
    .package(name: "faketrack", path: "../..")
  ],
  targets: [
    .target(name: "CustomProvider", dependencies: [geodesy, locations]),
    .testTarget(
      name: "CustomProviderTests", dependencies: ["CustomProvider", geodesy, locations]),
  ],
  swiftLanguageModes: [.v6]
)
