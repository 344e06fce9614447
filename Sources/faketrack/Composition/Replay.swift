import Cities
import Dispatch
import FaketrackFeatures
import FaketrackFeeds
import FaketrackPictures
import FaketrackServices
import FaketrackSupport
import FaketrackTerminal
import FaketrackWeb
import Foundation
import GPX
import Geodesy
import Locations
import PhotoSearch

extension CompositionRoot {
  /// Replays tracks to their ends.
  ///
  /// - Parameter file: the file of `-o`, which has the place of stdout.
  /// - Throws: the failure that ends the process with a code other than 0.
  func replay(_ command: ReplayCommand, into file: OutputFile?) async throws {
    let finished = try command.reading.resume.map {
      try FinishedTracks(contentsOf: $0, output: file) { [console] in
        console.note($0.safeForTerminal)
      }
    }
    let tracks = try await command.input.makeTracks(in: self, without: finished, output: file)
    guard command.feed.feeds.isEmpty || tracks.single != nil else {
      throw Failure(
        message: "--feed walks one track", hint: "Name a single file.", kind: .wrongUsage)
    }
    guard !command.output.isKeepsake || tracks.single != nil else {
      throw Failure(
        message: "--format html shows one track", hint: "Name a single file.", kind: .wrongUsage)
    }
    let isCut = command.output.isKeepsake && command.part.isChanged
    var plan = try WalkPlan(
      isCut ? command.ofWholeTrack() : command, self,
      pageFolder: file == nil ? command.output.folder : nil)
    try plan.check(file)
    let run = batch(tracks, jobs: command.input.jobs, format: plan.format)
    var track = tracks.single
    if !command.feed.feeds.isEmpty || command.output.isKeepsake, let input = try track?.input.get()
    {
      let whole = try await input.repeatable()
      track?.input = .success(isCut ? try await plan.cut(whole, command) : whole)
    }
    try await feeding(command.feed) { [plan] hub in
      let single: Walk? =
        if let track { try await plan.walk(track, isSingle: true, feeding: hub) } else { nil }
      try await perform(run, tracks, plan, single, command, file) {
        try file?.begin()
        try finished?.removeOthers()
      }
    }
  }

  private func perform(
    _ run: BatchRun, _ tracks: BatchTracks, _ plan: WalkPlan, _ single: Walk?,
    _ command: ReplayCommand, _ file: OutputFile?, prepare: @escaping @MainActor () throws -> Void
  ) async throws {
    try await perform(
      run, showing: single, into: file, prepare: prepare,
      summarize: {
        if let fixes = single?.fixes {
          console.noteUnshown(fixes.issues, in: fixes.input.nameInNotes)
        }
        let times = single?.provider?.unusableTimes ?? run.tally.unusableTimes
        console.note(on: times, walkingSpeed: command.part.times.walkingSpeed)
        if plan.format.name == OutputFormat.gpx.name, !run.tally.omissions.isEmpty {
          let titles = run.tally.omissions.titles.joined(separator: ", ")
          console.note("note: the output leaves out what the input has: \(titles)")
        }
        plan.unplaced.note(on: console)
        if plan.printsNothing, run.tally.totals.locations > 0 {
          console.note("note: without photos, text has nothing to print; try --format list")
        }
        let totals =
          single.map { TrackTotals($0.store.state, skipped: $0.skipped) } ?? run.tally.totals
        let failures = single?.unreportedFailures ?? run.tally.failures
        if let note = ReplayText.note(on: failures, of: totals) {
          console.note("note: \(note.safeForTerminal)")
        }
        let isMadeUp = plan.photos?.provider?.isMadeUp == true
        console.note(
          single.map {
            ReplayText.summary(
              of: $0.store.state, skipped: $0.skipped, hasOwnPhotos: plan.hasOwnPhotos,
              isMadeUp: isMadeUp)
          }
            ?? ReplayText.summary(
              of: run.tally, leftOut: tracks.leftOut, brokenOff: run.recordsInProgress,
              calls: plan.photos?.calls, remoteSearches: plan.photos?.remoteSearches ?? 0,
              hasOwnPhotos: plan.hasOwnPhotos, isMadeUp: isMadeUp))
      },
      work: { [console] track, output in
        if let single {
          let outcome = try await single.run(output, hasKeys: true)
          if let page = try await plan.keepsake(of: single) { try await output.write(page) }
          return outcome
        }
        if case .failure(let failure) = track.input { return TrackOutcome(failure: failure) }
        let walk: Walk
        do {
          walk = try await plan.walk(track)
        } catch let error where !(error is CancellationError) {
          return TrackOutcome(failure: Failure(error).naming(track.id))
        }
        var outcome = try await walk.run(output)
        if let fixes = walk.fixes {
          console.noteUnshown(fixes.issues, in: fixes.input.nameInNotes)
        }
        outcome.failure = outcome.failure?.naming(track.id)
        return outcome
      })
  }
}

/// The options of `replay`, ready to walk along each track.
struct WalkPlan: Sendable {
  let format: OutputFormat
  let photos: PhotoPipeline?
  private var own: OwnPhotos?
  let unplaced = UnplacedPhotos()
  private let command: ReplayCommand
  private let homeFiles: [String]
  /// The folder of the page; `nil` for a page in one file.
  private let pageFolder: String?
  private let authorization: [AuthorizationChange]
  private let cities: CityNames?
  /// Downloads photos, if there is a folder for them.
  private let client: ServiceClient?
  private let console: Console
  private let captions: Captions
  /// Decodes HEIC pictures for the page.
  private let heic: HEICProgram?

  /// - Parameter pageFolder: the folder of `-o`.
  @MainActor
  init(_ command: ReplayCommand, _ root: CompositionRoot, pageFolder: String?) throws {
    self.command = command
    self.pageFolder = pageFolder
    homeFiles = [root.settings.storeFile.path, root.settings.cityIndexFile.path]
    console = root.console
    format = command.outputFormat(command.output.clocks.style(of: root.console))
    let sampleBase = command.output.isKeepsake ? SamplePhotos.base : nil
    let texts = command.output.keepsake.captions
    captions =
      command.output.isKeepsake ? try root.captions(texts, command.photos) : Captions()
    photos =
      format.showsPhotos ? try root.photoSource(command.photos, sampleBase: sampleBase) : nil
    own = format.showsPhotos ? try root.ownPhotos(command.photos, command.own) : nil
    authorization = try command.device.permission()
    command.photos.seed.note(on: console)
    cities = try command.cities.names(root)
    client = command.photos.download.map { _ in root.imageClient }
    heic = command.output.isKeepsake ? root.settings.heic : nil
  }

  /// Cuts a track to the part that a page shows, and leaves out own photos of the rest.
  ///
  /// - Parameter command: the command with the part.
  /// - Returns: the part as a track.
  mutating func cut(_ input: GPXInput, _ command: ReplayCommand) async throws -> GPXInput {
    let areas = command.output.privateAreas
    func fixes() -> GPXFixes { command.points.fixes(of: input, without: areas) }
    let options = command.part.replayOptions(.off, try await command.part.range(reading: fixes))
    let part = try await TrackPart(
      of: input, fixes(), options, choice: command.points.track,
      creator: Product.userAgent(library: "GPX"))
    if let own, let range = part.range {
      let album = PhotoAlbum(
        own, on: input, source: command.points.source, choice: command.points.track,
        without: areas, radius: command.photoChoice.radius)
      let shown = try album.photos(within: range)
      let left = own.pictures.count - shown.pictures.count
      if left > 0 { console.note("photos: \(Quantity.count(left, "picture")) outside of the part") }
      self.own = shown
    }
    return part.input
  }

  var hasOwnPhotos: Bool { own != nil }

  /// Whether the output is empty however long the walk is.
  var printsNothing: Bool {
    format.name == OutputFormat.text.name && photos == nil && own == nil
      && command.feed.feeds.isEmpty
  }

  /// Checks that `-o` replaces neither an input nor a file that faketrack did not write.
  ///
  /// - Parameter file: the file of `-o`.
  /// - Throws: `FileError` or `Failure`.
  func check(_ file: OutputFile?) throws {
    var inputs = command.inputs + homeFiles + [captions.path].compactMap(\.self)
    if let own { inputs += own.pictures.map(\.path) + own.unreadable.map(\.path) }
    for input in inputs {
      let isAppended = input == command.reading.resume
      if !isAppended, let failure = OutputFile.refusal(ofStandardOutput: input) { throw failure }
      if let failure = file?.refusal(of: input) { throw failure }
    }
    try file?.check()
    guard let pageFolder else { return }
    if let download = command.photos.download {
      if OutputFolder(pageFolder).isAt(download) {
        throw Failure(
          message: "--download and -o name the same folder",
          hint: "Name another folder with --download.", kind: .wrongUsage)
      }
      inputs.append(download)
    }
    try Keepsake.check(pageFolder, inputs: inputs)
  }

  /// A walk along a track, ready to begin.
  ///
  /// - Parameters:
  ///   - isSingle: whether it is the only track, whose progress is shown.
  ///   - hub: sends the walk to targets.
  /// - Throws: the reason why the track has no input, or no such part.
  func walk(
    _ track: BatchTrack, isSingle: Bool = false, feeding hub: FeedHub? = nil
  ) async throws -> Walk {
    if let receiver = command.input.receiver {
      if own != nil { throw PhotoAlbum.unrepeatable("a receiver") }
      return walk(with: receiver, feeding: hub)
    }
    var input = try track.input.get()
    if command.part.needsTrack { input = try await input.repeatable() }
    let areas = command.output.privateAreas
    func quietFixes() -> GPXFixes { command.points.fixes(of: input, without: areas) }
    let options = command.replayOptions(try await command.part.range(reading: quietFixes))
    // The length of a part of a track is not known.
    let isWhole = options.start == nil && options.end == .end
    let fixes = GPXFixes(
      input, source: command.points.source, track: command.points.track,
      isStrict: command.reading.strict,
      isRepeated: options.laps > 1, isMeasured: isSingle && isWhole && console.showsProgress,
      isOneOfMany: !isSingle, makeFilter: areas.makeFilter, notes: console)
    var signal = command.device.signal(seed: command.photos.seed)
    signal.repeatsLoss = format.repeatsLoss
    let provider = ReplayLocationProvider(
      batches: fixes, distanceFilter: command.distanceFilter, speed: command.speed,
      clock: ContinuousClock(), authorization: authorization, options: options,
      signal: signal)
    var tracker = Tracker(
      locations: provider, pace: provider, photos: picker,
      folder: folder(of: isSingle ? nil : track.id), cities: cities,
      concurrency: command.photos.concurrency,
      endsWhenDenied: command.device.permissionScript == nil)
    tracker.companion = hub?.companion(of: provider, quietFixes())
    tracker.album = own.map { own in
      PhotoAlbum(
        own, on: input, source: command.points.source, choice: command.points.track, without: areas,
        radius: command.photoChoice.radius, options: options,
        rehearsal: ReplayLocationProvider(
          batches: quietFixes(), distanceFilter: command.distanceFilter, speed: .max,
          clock: ContinuousClock(), authorization: authorization, options: options, signal: signal)
      ) { [console, unplaced] report in
        if isSingle { console.note(report) } else { unplaced.add(report) }
      }
    }
    var state = TrackingState(
      speed: command.speed, searchesPhotos: photos != nil || own != nil,
      clocks: command.output.clocks.clocks, memory: command.output.isKeepsake ? .max : 0)
    if isSingle { state.apply(.started(at: 0)) }
    if options.start != nil { state.origin = nil }
    return Walk(
      fixes: fixes, provider: provider, tracker: tracker, store: StateStore(state),
      end: options.end, laps: options.laps, hasEvents: hasEvents,
      photos: photos?.provider, console: console, permissionScript: command.device.permissionScript)
  }

  /// A walk with a receiver, until it is stopped.
  private func walk(with receiver: GPSDAddress, feeding hub: FeedHub?) -> Walk {
    var tracker = Tracker(
      locations: receiver.provider(distanceFilter: command.distanceFilter),
      photos: picker, folder: folder(of: nil), cities: cities,
      concurrency: command.photos.concurrency)
    if let hub {
      tracker.companion = { _ in
        await hub.follow(receiver.provider(distanceFilter: 0).updates())
      }
    }
    var state = TrackingState(speed: .realTime, searchesPhotos: photos != nil)
    state.apply(.started(at: 0))
    return Walk(
      fixes: nil, provider: nil, tracker: tracker, store: StateStore(state), end: .end, laps: 1,
      hasEvents: hasEvents, photos: photos?.provider,
      console: console)
  }

  /// The page of a walk that has ended, or the path of the page in its folder; `nil` for another
  /// format, and for a walk without locations.
  func keepsake(of walk: Walk) async throws -> String? {
    guard command.output.isKeepsake, let input = walk.fixes?.input, walk.store.state.locations > 0
    else { return nil }
    return try await DispatchQueue(label: "faketrack.keepsake").blocking {
      guard let keepsake = Keepsake(try state(ofPage: walk, input), captions: captions, heic: heic)
      else { return nil }
      console.noteUnused(captions, photos: keepsake.photos, chapters: keepsake.chapters)
      guard let folder = pageFolder else {
        let limit = Int((command.output.keepsake.sizeLimit ?? 20) * 1e6)
        return try keepsake.page(limit: limit) { console.note($0) }
      }
      return try keepsake.write(to: folder) { console.note($0.safeForTerminal) } + "\n"
    }
  }

  /// The state of a walk that has ended, with its track.
  private func state(ofPage walk: Walk, _ input: GPXInput) throws -> TrackingState {
    let shape = try TrackShape(
      reading: input, source: command.points.source, choice: command.points.track,
      without: command.output.privateAreas, walkingSpeed: command.part.times.walkingSpeed)
    let name = input.name.map { URL(fileURLWithPath: $0).lastPathComponent } ?? "Walk"
    var state = walk.store.state
    state.entry = TrackCatalog.Entry(id: 1, name: name, shape: .loaded(shape))
    state.minPopulation = command.cities.areOmitted ? nil : command.cities.size.minPopulation
    if let end = shape.end { state.apply(.moved(to: end)) }
    return state
  }

  private var picker: PhotoPicker? { photos.map { PhotoPicker($0, settings: command.photoChoice) } }

  private var hasEvents: Bool { command.output.events || format.repeatsLoss }

  private func folder(of track: String?) -> PhotoFolder? {
    guard let client, let download = command.photos.download else { return nil }
    return PhotoFolder(download, track: track, fetching: client) { [console] in
      console.note($0.safeForTerminal)
    }
  }
}

/// A walk along a track.
struct Walk: Sendable {
  /// The track and its replay; `nil` for a receiver.
  let fixes: GPXFixes?
  let provider: ReplayLocationProvider<ContinuousClock>?
  let tracker: Tracker
  let store: StateStore<TrackingState>
  /// The end of the part of the track.
  let end: ReplayPosition
  let laps: Int
  let hasEvents: Bool
  let photos: PhotoProvider?
  let console: Console
  /// The file that changes the permission.
  var permissionScript: String?

  /// Walks to the end, or until a key stops it.
  ///
  /// - Parameter hasKeys: whether keys control the walk, on a terminal that shows progress.
  /// - Throws: `CancellationError` if the task is canceled, or the failure of the output.
  func run(_ output: TrackOutput, hasKeys: Bool = false) async throws -> TrackOutcome {
    var tracker = tracker
    if hasEvents { tracker.report = output.write }
    let task = Task { [tracker] in
      try await tracker.run(updating: store) { try await output.write($0) }
    }
    let keyboard = hasKeys ? keyboard(stop: task.cancel) : nil
    defer { keyboard?.close() }
    let result = await task.join()
    let state = store.state
    var failure: Failure?
    switch result {
    case .success:
      failure = self.failure(state)
    case .failure(let error):
      // A canceled task stops at any place, with any error.
      try Task.checkCancellation()
      if error is OutputError { throw error }
      // A walk that was stopped has not failed.
      failure = error is CancellationError ? nil : Failure(error)
    }
    var outcome = TrackOutcome(
      TrackTotals(state, skipped: skipped), failure: failure,
      searches: state.searches?.searches ?? 0,
      unusableTimes: provider?.unusableTimes ?? UnusableTimes())
    outcome.failures = unreportedFailures
    if let fixes { outcome.omissions = fixes.omissions }
    return outcome
  }

  /// The failures of photos, unless the failure of the walk reports them.
  var unreportedFailures: PhotoFailures {
    let state = store.state
    let isReported = state.phase == .finished && failure(state)?.kind == .serviceUnavailable
    return isReported ? PhotoFailures() : PhotoFailures(state)
  }

  /// The points of the track that could not be used.
  var skipped: Int { fixes?.issues.skipped ?? 0 }

  /// Listens to the keys of a terminal that shows progress: space pauses and resumes the walk, <
  /// and >, or - and +, change its speed, q ends it.
  private func keyboard(stop: @escaping @Sendable () -> Void) -> Keyboard? {
    guard console.showsProgress else { return nil }
    return Keyboard { event in
      guard case .bytes(let bytes) = event else { return }
      for byte in bytes {
        switch store.state.action(of: Character(UnicodeScalar(byte))) {
        case .stop: stop()
        case _ where provider == nil: break
        case .pause:
          provider?.pause()
          store.update { $0.apply(.paused) }
        case .resume:
          provider?.resume()
          store.update { $0.apply(.resumed) }
        case .setSpeed(let speed):
          console.note("speed: \(speed.label)")
          provider?.setSpeed(speed)
          store.update { $0.apply(.speedChanged(speed)) }
        default: break
        }
      }
    }
  }

  /// The line of progress.
  ///
  /// - Parameter elapsed: seconds since the run began.
  func progress(elapsed: Double, waiting: String?) -> String {
    let state = store.state
    let share = fixes?.share(at: state.deliveredDistance, laps: laps)
    return ReplayText.progress(
      state, share: share, elapsed: elapsed, waiting: waiting, style: console.noteStyle)
  }

  /// The reason why a walk that came to its end did not yield what it should.
  private func failure(_ state: TrackingState) -> Failure? {
    if let status = state.authorization, status == .denied || status == .restricted {
      return Failure(
        message: "location permission \(status.rawValue)",
        hint: permissionScript.map { "Change the step in \($0)." }
          ?? "Allow it with --authorization authorized.", kind: .permissionDenied)
    }
    if let fixes, state.locations == 0, state.isAvailable, state.authorization?.isAuthorized == true
    {
      return .nothingToReplay(in: fixes, partFrom: provider?.emptyPartStart, to: end)
    }
    guard let counts = state.searches, let photos else { return nil }
    if counts.isKeyRejected {
      let variable = photos.keyVariable ?? "the environment"
      return Failure(
        message: "\(photos.title) rejected the key in \(variable)",
        hint: "Set \(variable) to a valid key, or use --photos commons, which needs none.",
        kind: .serviceUnavailable)
    }
    let reason = state.failure ?? "unknown"
    if state.failures > 0, counts.failed == state.searched {
      return Failure(
        message: "every photo search failed: \(reason)",
        hint: "Use --photos none for locations and cities, or --photos sample for made-up photos.",
        kind: .serviceUnavailable)
    }
    if state.found > 0, state.failedDownloads == state.found {
      return Failure(
        message: "no photo could be downloaded: \(reason)",
        hint: "Try again later: the searches are remembered.", kind: .serviceUnavailable)
    }
    return nil
  }
}
