// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "faketrack", path: "..")
  ],
  targets: [
    .executableTarget(
      name: "GeodesyBench",
      dependencies: [.product(name: "Geodesy", package: "faketrack")]),
    .executableTarget(
      name: "GPXBench",
      dependencies: [
        .product(name: "GPX", package: "faketrack"),
        .product(name: "Geodesy", package: "faketrack"),
      ]),
    .executableTarget(
      name: "CitiesBench",
      dependencies: [
        .product(name: "Cities", package: "faketrack"),
        .product(name: "Geodesy", package: "faketrack"),
        .product(name: "WorldCities", package: "faketrack"),
      ]),
    .executableTarget(
      name: "ReplayBench",
      dependencies: [
        .product(name: "Geodesy", package: "faketrack"),
        .product(name: "Locations", package: "faketrack"),
      ]),
    .executableTarget(
      name: "SearchBench",
      dependencies: [
        .product(name: "Geodesy", package: "faketrack"),
        .product(name: "PhotoSearch", package: "faketrack"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
