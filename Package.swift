// swift-tools-version: 6.3
import Foundation
import PackageDescription

/// True in a package that SwiftPM fetched for another one, whose developers choose flags for themselves.
let isFetched = ["/checkouts/", "/registry/"].contains(where: Context.packageDirectory.contains)

/// Flags of the compiler in one configuration.
func flags(_ flags: [String], _ configuration: BuildConfiguration) -> [SwiftSetting] {
  isFetched ? [] : [.unsafeFlags(flags, .when(configuration: configuration))]
}

/// Flags of the linker in one configuration, for Linux.
func linkerFlags(_ flags: [String], _ configuration: BuildConfiguration) -> [LinkerSetting] {
  isFetched ? [] : [.unsafeFlags(flags, .when(platforms: [.linux], configuration: configuration))]
}

/// A release build does not check at run time that accesses to a property exclude each other: a merge
/// would take a tenth more instructions.
///
/// Debug builds, and so all tests, do. Functions have sections of their own so that the linker can put
/// them in order, see below.
let releaseSettings = flags(
  ["-enforce-exclusivity=unchecked", "-Xfrontend", "-function-sections"],
  .release
)

/// Settings of programs: what a node calls for every edit lies side by side in them.
///
/// Others fill the processor's caches between two edits, and then each page of code counts: a watcher
/// would see an edit a tenth later. `Scripts/order` finds the functions.
let programSettings = linkerFlags(
  [
    "-use-ld=lld", "-Xlinker", "--no-warn-symbol-ordering",
    "-Xlinker", "--symbol-ordering-file=\(Context.packageDirectory)/Scripts/functions.order",
  ],
  .release
)

/// The Swift runtime is linked into the debug build of `hued`, with the faster linker.
///
/// Tests start it thousands of times; a start takes 6 ms of processor time, and would take 9. Not under
/// a sanitizer, which would miss what the C library allocates.
let debugProgramSettings =
  Context.environment["HUED_SANITIZED"] == nil
  ? linkerFlags(["-static-stdlib", "-use-ld=lld"], .debug) : []

/// A debug build compiles a target in a batch of files for each processor.
///
/// Each batch reads the whole target. The compiler's own limit of 25 files a batch makes more of them,
/// and a build then takes 8 % longer.
let debugSettings = flags(["-driver-batch-size-limit", "400"], .debug)

/// Settings of every Swift target: the upcoming features make imports, existentials and isolation
/// explicit, and a warning is an error.
let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
  ] + debugSettings + releaseSettings

/// Settings of the targets in which tests spend most of their time.
///
/// They are optimized in debug builds, too: that takes 60 s of processor time more to build, and 175 s
/// less to test. Whoever steps through one of them with a debugger takes the flag away.
let busySettings = settings + flags(["-O"], .debug)

/// `Scripts/fuzz` builds the targets of the fuzzer with a main function of libFuzzer instead of tests.
let isFuzzing = Context.environment["HUED_FUZZ"] != nil

/// A fleet needs libpq, and nothing else does: who has none builds everything but the fleet.
let hasPostgreSQL = [
  "/usr/include/postgresql/libpq-fe.h", "/usr/include/libpq-fe.h",
  "/usr/local/include/libpq-fe.h", "/opt/homebrew/opt/libpq/include/libpq-fe.h",
].contains(where: FileManager.default.fileExists)

let fuzzDependencies: [Target.Dependency] = [
  "hued", "PaletteClient", "PaletteCommands", "PaletteFormats", "PaletteJSON", "PaletteMerge",
  "PaletteModel", "PaletteNode",
  "PalettePeers", "PalettePlatform", "PaletteProgram", "PaletteStore", "PaletteSync",
  "PaletteTestSupport",
  "WebSocket",
]

let package = Package(
  name: "hued",
  products: [
    .library(name: "PaletteModel", targets: ["PaletteModel"]),
    .library(name: "PaletteMerge", targets: ["PaletteMerge"]),
    .library(name: "PaletteStore", targets: ["PaletteStore"]),
    .library(name: "PaletteSync", targets: ["PaletteSync"]),
    .library(name: "PaletteFormats", targets: ["PaletteFormats"]),
    .library(
      name: "PaletteNode",
      targets: ["PaletteClient", "PaletteCommands", "PaletteNode", "PaletteWebPage"]
    ),
    // For apps: palettes on one machine, without a network.
    .library(
      name: "Palettes",
      targets: ["PaletteFormats", "PaletteMerge", "PaletteModel", "PaletteStore"]
    ),
    // For apps: the same with a node that syncs, without the web page.
    .library(
      name: "PaletteSyncing",
      targets: [
        "PaletteCommands", "PaletteFormats", "PaletteMerge", "PaletteModel", "PaletteNode",
        "PaletteStore",
      ]
    ),
    .executable(name: "hued", targets: ["HuedMain"]),
  ],
  targets: [
    .target(name: "PalettePlatform", swiftSettings: settings),
    .target(name: "PaletteModel", dependencies: ["PalettePlatform"], swiftSettings: busySettings),
    .target(
      name: "PaletteMerge",
      dependencies: ["PaletteModel", "PalettePlatform"],
      swiftSettings: busySettings
    ),
    .target(name: "PaletteJSON", swiftSettings: busySettings),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "PaletteStore",
      dependencies: ["PaletteMerge", "PaletteModel", "PalettePlatform", "CSQLite"],
      swiftSettings: settings
    ),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(
      name: "PaletteSync",
      dependencies: ["PaletteMerge", "PaletteModel", "CZlib"],
      swiftSettings: settings
    ),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .target(
      name: "PaletteFormats",
      dependencies: ["PaletteJSON", "PaletteModel", "CExpat", "CZlib"],
      swiftSettings: busySettings
    ),
    .systemLibrary(
      name: "CWebSockets",
      pkgConfig: "libwebsockets",
      providers: [.apt(["libwebsockets-dev"])]
    ),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "WebSocket",
      dependencies: ["PalettePlatform", "COpenSSL", "CWebSockets"],
      swiftSettings: settings
    ),
    .target(
      name: "CWebPage",
      exclude: ["files"],
      cSettings: [.disableWarning("c23-extensions")]
    ),
    .target(
      name: "PalettePeers",
      dependencies: ["PaletteMerge", "PaletteModel", "PaletteStore", "PaletteSync"],
      swiftSettings: settings
    ),
    .target(
      name: "PaletteFileLinks",
      dependencies: ["PaletteFormats", "PaletteMerge", "PaletteModel", "PaletteStore"],
      swiftSettings: settings
    ),
    .systemLibrary(
      name: "CQRCode",
      pkgConfig: "libqrencode",
      providers: [.apt(["libqrencode-dev"])]
    ),
    .systemLibrary(
      name: "CTurboJPEG",
      pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"])]
    ),
    .target(
      name: "PaletteCommands",
      dependencies: [
        "PaletteFormats", "PaletteJSON", "PaletteMerge", "PaletteModel", "PalettePlatform",
        "PaletteStore", "PaletteSync", "CQRCode", "CTurboJPEG", "CZlib",
      ],
      swiftSettings: settings
    ),
    .target(
      name: "PaletteNode",
      dependencies: [
        "PaletteCommands", "PaletteFormats", "PaletteJSON", "PaletteFileLinks", "PaletteMerge",
        "PaletteModel", "PalettePeers", "PalettePlatform", "PaletteStore", "PaletteSync",
        "WebSocket", "CZlib",
      ],
      swiftSettings: settings
    ),
    .target(
      name: "PaletteWebPage",
      dependencies: ["PaletteNode", "CWebPage"],
      swiftSettings: settings
    ),
    .target(
      name: "PaletteClient",
      dependencies: [
        "PaletteCommands", "PaletteFormats", "PaletteJSON", "PaletteMerge", "PaletteModel",
        "PaletteNode", "PalettePlatform", "PaletteStore", "WebSocket",
      ],
      swiftSettings: settings
    ),
    .target(
      name: "PaletteProgram",
      dependencies: [
        "PaletteCommands", "PaletteJSON", "PaletteModel", "PaletteNode", "PalettePlatform",
      ],
      swiftSettings: settings
    ),
    .target(
      name: "hued",
      dependencies: [
        "PaletteClient", "PaletteCommands", "PaletteFormats", "PaletteJSON", "PaletteMerge",
        "PaletteModel", "PaletteNode", "PalettePlatform", "PaletteProgram", "PaletteWebPage",
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "HuedMain",
      dependencies: ["hued"],
      swiftSettings: settings,
      linkerSettings: programSettings + debugProgramSettings
    ),
    .systemLibrary(name: "CProcessors"),
    // Measures the library for Scripts/bench; no product, since no user needs it.
    .executableTarget(
      name: "hued-bench",
      dependencies: [
        "PaletteClient", "PaletteCommands", "PaletteFormats", "PaletteJSON", "PaletteMerge",
        "PaletteModel", "PaletteNode", "PalettePeers", "PalettePlatform", "PaletteStore",
        "PaletteSync", "PaletteTestSupport", "WebSocket", "COpenSSL", "CProcessors",
      ],
      path: "Tests/Bench/Program",
      swiftSettings: settings,
      linkerSettings: programSettings
    ),
    .target(
      name: "PaletteTestSupport",
      dependencies: ["PaletteMerge", "PaletteModel", "PalettePlatform", "PaletteStore"],
      path: "Tests/Support",
      swiftSettings: settings
    ),
    .target(
      name: "PaletteSimulation",
      dependencies: [
        "PaletteCommands", "PaletteFormats", "PaletteFileLinks", "PaletteMerge", "PaletteModel",
        "PalettePeers", "PalettePlatform", "PaletteStore", "PaletteSync", "PaletteTestSupport",
        "CSQLite",
      ],
      path: "Tests/Simulation/Engine",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "hued-simulate",
      dependencies: ["PalettePlatform", "PaletteSimulation"],
      path: "Tests/Simulation/Program",
      swiftSettings: settings
    ),
    .testTarget(
      name: "PaletteSimulationTests",
      dependencies: ["PaletteModel", "PaletteSimulation", "PaletteSync", "PaletteTestSupport"],
      path: "Tests/Simulation/Tests",
      exclude: ["Unreached.txt", "coverage.py"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PaletteModelTests",
      dependencies: ["PaletteMerge", "PaletteModel", "PaletteTestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PaletteMergeTests",
      dependencies: ["PaletteMerge", "PaletteModel", "PaletteTestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PaletteJSONTests",
      dependencies: ["PaletteJSON", "PaletteTestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PaletteStoreTests",
      dependencies: [
        "PaletteMerge", "PaletteModel", "PalettePlatform", "PaletteStore", "PaletteTestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PaletteSyncTests",
      dependencies: [
        "PaletteMerge", "PaletteModel", "PaletteStore", "PaletteSync", "PaletteTestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PaletteFormatsTests",
      dependencies: [
        "PaletteFormats", "PaletteJSON", "PaletteMerge", "PaletteModel", "PaletteTestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PalettePeersTests",
      dependencies: [
        "PaletteMerge", "PaletteModel", "PalettePeers", "PaletteStore", "PaletteSync",
        "PaletteTestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PaletteFileLinksTests",
      dependencies: [
        "PaletteFormats", "PaletteFileLinks", "PaletteMerge", "PaletteModel", "PaletteStore",
        "PaletteTestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PaletteCommandsTests",
      dependencies: [
        "PaletteCommands", "PaletteFormats", "PaletteJSON", "PaletteMerge", "PaletteModel",
        "PaletteStore", "PaletteSync", "PaletteTestSupport",
      ],
      exclude: ["Fixtures"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PaletteNodeTests",
      dependencies: [
        "PaletteClient", "PaletteCommands", "PaletteFormats", "PaletteJSON", "PaletteMerge",
        "PaletteModel", "PaletteNode", "PalettePeers", "PalettePlatform", "PaletteStore",
        "PaletteSync", "PaletteTestSupport", "PaletteWebPage", "WebSocket", "CZlib",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PaletteClientTests",
      dependencies: [
        "PaletteClient", "PaletteCommands", "PaletteFormats", "PaletteJSON", "PaletteMerge",
        "PaletteModel", "PaletteTestSupport", "WebSocket",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "huedTests",
      dependencies: [
        "hued", "PaletteClient", "PaletteCommands", "PaletteFormats", "PaletteJSON", "PaletteMerge",
        "PaletteModel", "PaletteNode", "PalettePlatform", "PaletteProgram", "PaletteTestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "WebSocketTests",
      dependencies: ["PalettePlatform", "PaletteTestSupport", "WebSocket", "COpenSSL"],
      swiftSettings: settings
    ),
    // Reads the sources: the folders of a target use each other in one direction.
    .testTarget(name: "HouseTests", swiftSettings: settings),
    .testTarget(
      name: "FuzzTests",
      dependencies: fuzzDependencies,
      path: "Tests/Fuzz",
      exclude: ["Corpus", "Crashes", "Driver", "run.py"],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)

if hasPostgreSQL {
  package.products.append(.executable(name: "hued-fleet", targets: ["hued-fleet"]))
  package.targets += [
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "PaletteFleet",
      dependencies: [
        "PaletteCommands", "PaletteJSON", "PaletteMerge", "PaletteModel", "PaletteNode",
        "PalettePeers", "PalettePlatform", "PaletteStore", "PaletteSync", "WebSocket",
        "CPostgreSQL",
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "hued-fleet",
      dependencies: [
        "PaletteCommands", "PaletteFleet", "PaletteJSON", "PaletteMerge", "PaletteModel",
        "PaletteNode", "PalettePlatform", "PaletteProgram", "PaletteWebPage",
      ],
      swiftSettings: settings,
      linkerSettings: programSettings
    ),
    .testTarget(
      name: "HuedFleetTests",
      dependencies: ["hued-fleet", "PaletteCommands"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PaletteFleetTests",
      dependencies: [
        "PaletteClient", "PaletteCommands", "PaletteFleet", "PaletteJSON", "PaletteMerge",
        "PaletteModel", "PaletteNode", "PalettePeers", "PalettePlatform", "PaletteStore",
        "PaletteTestSupport", "CPostgreSQL",
      ],
      swiftSettings: settings
    ),
  ]
}

if isFuzzing {
  package.products = []
  package.targets.removeAll(where: \.isTest)
  package.targets += [
    .executableTarget(
      name: "fuzz",
      dependencies: fuzzDependencies,
      path: "Tests/Fuzz",
      exclude: ["Corpus", "CorpusTests.swift", "Crashes", "run.py"],
      swiftSettings: settings
    )
  ]
}
