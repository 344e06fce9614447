// swift-tools-version: 6.1

import PackageDescription

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioWebSocket = Target.Dependency.product(name: "NIOWebSocket", package: "swift-nio")

// The commit and the Swift version, which script/install passes for --version --verbose.
let buildFacts = ["FAKETRACK_COMMIT", "FAKETRACK_SWIFT"].compactMap { name in
  Context.environment[name].flatMap { $0.isEmpty ? nil : $0 }.map {
    CSetting.define(name, to: "\"\($0)\"")
  }
}

// From the ground up; a target declares every module that it imports.
let package = Package(
  name: "faketrack",
  platforms: [.macOS(.v15), .iOS(.v18), .watchOS(.v11), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .executable(name: "faketrack", targets: ["faketrack"]),
    .library(name: "Geodesy", targets: ["Geodesy"]),
    .library(name: "GPX", targets: ["GPX"]),
    .library(name: "Locations", targets: ["Locations"]),
    .library(name: "Receivers", targets: ["Receivers"]),
    .library(name: "PhotoSearch", targets: ["PhotoSearch"]),
    .library(name: "Cities", targets: ["Cities"]),
    .library(name: "WorldCities", targets: ["WorldCities"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-collections.git", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.11.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
    .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.0.0"),
  ],
  targets: [
    // What the system has, and bytes that are embedded.
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CLibExif", pkgConfig: "libexif",
      providers: [.apt(["libexif-dev"]), .brew(["libexif"])]),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"]), .brew(["jpeg-turbo"])]),
    .target(name: "CBuild", cSettings: buildFacts),
    .target(name: "CCityData", exclude: ["cities.bin"]),
    .target(
      name: "CPage", exclude: ["cities", "home", "map", "photos", "samples", "shared", "walk"]),
    .target(name: "CSampleWalk", exclude: ["faketrack.gpx.gz"]),

    // C for the wide vectors of the processor.
    .target(name: "CCities"),

    // The ground.
    .target(name: "FaketrackSupport"),
    .target(name: "FaketrackCompression", dependencies: ["CZlib"]),
    .target(name: "Geodesy"),

    // The libraries, and what they stand on.
    .target(
      name: "GPX",
      dependencies: ["FaketrackCompression", "FaketrackSupport", "Geodesy", "CLibXML2"]),
    .target(name: "Locations", dependencies: ["FaketrackSupport", "Geodesy"]),
    .target(
      name: "Receivers",
      dependencies: ["FaketrackSupport", "Geodesy", "Locations", nioCore, nioPosix]),
    .target(name: "FaketrackServer", dependencies: [nioCore, nioHTTP1, nioPosix]),
    .target(
      name: "FaketrackServices",
      dependencies: [
        .target(name: "CCurl", condition: .when(platforms: [.linux])), "FaketrackSupport", deque,
        logging,
      ]),
    .target(
      name: "PhotoSearch",
      dependencies: [
        "FaketrackServices", "FaketrackSupport", "Geodesy", "CLibXML2", deque, logging,
      ]),
    .target(
      name: "Cities",
      dependencies: ["CCities", "FaketrackCompression", "FaketrackSupport", "Geodesy"]),
    .target(name: "WorldCities", dependencies: ["Cities", "CCityData"]),
    .target(
      name: "FaketrackPictures",
      dependencies: [
        "CLibExif", "CLibXML2", "CTurboJPEG", "FaketrackCompression", "FaketrackSupport", "Geodesy",
      ]),

    // The application.
    .target(
      name: "FaketrackStore",
      dependencies: ["FaketrackServices", "FaketrackSupport", "PhotoSearch", grdb]),
    .target(
      name: "FaketrackFeatures",
      dependencies: [
        "Cities", "FaketrackCompression", "FaketrackPictures", "FaketrackServices",
        "FaketrackSupport", "GPX", "Geodesy", "Locations", "PhotoSearch", "Receivers",
        "WorldCities", deque,
      ]),
    .target(
      name: "FaketrackFeeds",
      dependencies: [
        "FaketrackServices", "FaketrackSupport", "Geodesy", "Locations", "Receivers", deque,
        nioCore, nioHTTP1, nioPosix, nioWebSocket,
      ]),
    .target(
      name: "FaketrackTerminal",
      dependencies: [
        "CPage", "Cities", "FaketrackFeatures", "FaketrackServices", "FaketrackSupport", "GPX",
        "Geodesy",
        "Locations", "PhotoSearch",
      ]),
    .target(
      name: "FaketrackWeb",
      dependencies: [
        "Cities", "CPage", "FaketrackCompression", "FaketrackFeatures", "FaketrackPictures",
        "FaketrackServer", "FaketrackServices", "FaketrackSupport", "GPX", "Geodesy", "Locations",
        "PhotoSearch",
      ]),
    .executableTarget(
      name: "faketrack",
      dependencies: [
        "CBuild", "CLibXML2", "CSampleWalk", "CZlib", "Cities", "FaketrackFeatures",
        "FaketrackFeeds", "FaketrackPictures", "FaketrackServer", "FaketrackServices",
        "FaketrackStore", "FaketrackSupport", "FaketrackTerminal", "FaketrackWeb", "GPX", "Geodesy",
        "Locations", "PhotoSearch", "Receivers", "WorldCities", argumentParser, logging,
      ]),

    // Tests.
    .target(
      name: "FaketrackTestSupport",
      dependencies: [
        "Cities", "FaketrackFeatures", "FaketrackServer", "FaketrackServices", "FaketrackSupport",
        "Geodesy", "Locations", "PhotoSearch", logging,
      ]),
    .testTarget(
      name: "FaketrackSupportTests",
      dependencies: ["FaketrackSupport", "FaketrackTestSupport", "Locations"]),
    .testTarget(
      name: "FaketrackCompressionTests",
      dependencies: ["FaketrackCompression", "FaketrackTestSupport"]),
    .testTarget(
      name: "GeodesyTests", dependencies: ["Geodesy", "FaketrackSupport", "FaketrackTestSupport"],
      exclude: ["make-fixtures"]),
    .testTarget(
      name: "GPXTests",
      dependencies: [
        "GPX", "Geodesy", "FaketrackCompression", "FaketrackSupport", "FaketrackTestSupport",
      ]),
    .testTarget(
      name: "LocationsTests",
      dependencies: ["Locations", "FaketrackSupport", "Geodesy"]),
    .testTarget(
      name: "ReceiversTests",
      dependencies: ["Receivers", "FaketrackSupport", "Geodesy", "Locations"]),
    .testTarget(
      name: "LibraryTests",
      dependencies: [
        "Cities", "GPX", "Geodesy", "Locations", "PhotoSearch", "WorldCities",
        "FaketrackTestSupport",
      ]),
    .testTarget(
      name: "FaketrackServerTests",
      dependencies: [
        "FaketrackServer", "FaketrackSupport", "FaketrackTestSupport", nioCore, nioEmbedded,
        nioPosix,
      ]),
    .testTarget(
      name: "FaketrackServicesTests",
      dependencies: [
        .target(name: "CCurl", condition: .when(platforms: [.linux])), "FaketrackCompression",
        "FaketrackServices", "FaketrackSupport", "FaketrackTestSupport", "Locations",
      ]),
    .testTarget(
      name: "PhotoSearchTests",
      dependencies: [
        "PhotoSearch", "FaketrackServices", "FaketrackSupport", "FaketrackTestSupport", "Geodesy",
        "Locations",
      ]),
    .testTarget(
      name: "CitiesTests",
      dependencies: [
        "Cities", "CCities", "WorldCities", "FaketrackCompression", "FaketrackSupport",
        "FaketrackTestSupport", "Geodesy",
      ],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "FaketrackPicturesTests",
      dependencies: ["FaketrackPictures", "FaketrackSupport", "FaketrackTestSupport", "Geodesy"]),
    .testTarget(
      name: "FaketrackStoreTests",
      dependencies: [
        "FaketrackStore", "FaketrackServices", "FaketrackSupport", "Geodesy", "PhotoSearch", grdb,
      ]),
    .testTarget(
      name: "FaketrackFeaturesTests",
      dependencies: [
        "FaketrackFeatures", "Cities", "FaketrackServices", "FaketrackSupport",
        "FaketrackTestSupport", "GPX", "Geodesy", "Locations", "PhotoSearch", "Receivers",
        "WorldCities",
      ]),
    .testTarget(
      name: "FaketrackFeedsTests",
      dependencies: [
        "FaketrackFeeds", "FaketrackServices", "FaketrackSupport", "FaketrackTestSupport",
        "Geodesy", "Locations", "Receivers", nioCore, nioPosix,
      ]),
    .testTarget(
      name: "FaketrackTerminalTests",
      dependencies: [
        "FaketrackTerminal", "Cities", "FaketrackFeatures", "FaketrackServices", "FaketrackSupport",
        "FaketrackTestSupport", "GPX", "Geodesy", "Locations", "PhotoSearch", "WorldCities",
      ],
      exclude: ["App/Frames"]),
    .testTarget(
      name: "FaketrackWebTests",
      dependencies: [
        "FaketrackWeb", "Cities", "FaketrackCompression", "FaketrackFeatures", "FaketrackPictures",
        "FaketrackServer", "FaketrackSupport", "FaketrackTestSupport", "GPX", "Geodesy",
        "Locations", "PhotoSearch", "WorldCities",
      ]),
    .testTarget(
      name: "FaketrackTests",
      dependencies: [
        "faketrack", "FaketrackFeatures", "FaketrackFeeds", "FaketrackSupport",
        "FaketrackTerminal", "FaketrackTestSupport", "Geodesy", "Locations", "Receivers",
        argumentParser,
      ]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "faketrack", "FaketrackCompression", "FaketrackFeatures", "FaketrackSupport",
        "FaketrackTestSupport", "FaketrackWeb", "GPX", "Geodesy", "Locations", "PhotoSearch", grdb,
      ],
      exclude: ["Help", "Mistakes.txt", "Upgrade"]),
  ],
  swiftLanguageModes: [.v6]
)

// A release build optimizes the code under test, not the tests: that would take longer than running them.
for target in package.targets where target.type == .test {
  target.swiftSettings = [.unsafeFlags(["-Onone"], .when(configuration: .release))]
}

// Needs libFuzzer, which only `script/test fuzz` links.
if Context.environment["FAKETRACK_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "Cities", "FaketrackFeatures", "FaketrackPictures", "FaketrackServer", "FaketrackSupport",
        "FaketrackTerminal", "FaketrackWeb", "GPX", "Geodesy", "Locations", "PhotoSearch", nioCore,
        nioEmbedded,
      ],
      path: "Fuzz", exclude: ["corpus"]))
}

// What `script/bench` and `script/cost` measure beside the product.
if Context.environment["FAKETRACK_BENCHMARKS"] != nil {
  let modules: KeyValuePairs<String, [Target.Dependency]> = [
    "CitiesBench": ["Cities", "Geodesy", "WorldCities"],
    "CostWorkloads": [
      "CExecutorHooks", "Cities", "FaketrackFeatures", "FaketrackSupport", "FaketrackTerminal",
      "FaketrackWeb", "GPX", "Geodesy", "Locations", "PhotoSearch", "WorldCities",
    ],
    "GPXBench": ["GPX", "Geodesy"],
    "GeodesyBench": ["Geodesy"],
    "ReplayBench": ["Geodesy", "Locations"],
    "SearchBench": ["FaketrackSupport", "Geodesy", "PhotoSearch"],
  ]
  package.targets += modules.map { name, dependencies in
    .executableTarget(
      name: name, dependencies: dependencies, path: "Benchmarks/Sources/\(name)")
  }
  package.targets.append(
    .target(name: "CExecutorHooks", path: "Benchmarks/Sources/CExecutorHooks"))
}
