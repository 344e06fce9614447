import FaketrackFeatures
import Locations
import Testing

@testable import FaketrackWeb

@MainActor
@Suite struct WalkSessionTests {
  @Test func walksToTheEndWithAPhotoForEvery100Metres() async throws {
    let session = WalkSession.make(WalkWorkshop())
    await session.start(try #require(session.track))
    await session.wait { !$0.isUnderWay }
    #expect(session.view.state.phase == .finished)
    #expect(session.photos.count == 21)
    #expect(session.view.city?.city.country == "DE")
    #expect(session.view.distance > 1_900)
  }

  @Test func nothingOfAWalkThatWasStoppedLivesOn() async throws {
    let workshop = WalkWorkshop(isHeld: true)
    let session = WalkSession.make(workshop, speed: .multiple(1))
    await session.start(try #require(session.track))
    await session.wait { $0.photos.count == 1 }
    #expect(workshop.living == 1)
    await session.stop()
    #expect(!session.isUnderWay)
    #expect(workshop.living == 0)
    #expect(session.view.state.phase == .stopped)
    #expect(session.photos.count == 1, "what was shown stays")
  }

  @Test func nothingOfAWalkThatEndedLivesOn() async throws {
    let workshop = WalkWorkshop()
    let session = WalkSession.make(workshop)
    await session.start(try #require(session.track))
    await session.wait { !$0.isUnderWay }
    await session.stop()
    #expect(workshop.living == 0)
  }

  @Test func aSessionThatIsLetGoEndsItsWalkWithoutHelp() async throws {
    weak var lost: WalkSession?
    let workshop = WalkWorkshop()
    do {
      let session = WalkSession.make(workshop)
      lost = session
      await session.start(try #require(session.track))
      await session.wait { !$0.isUnderWay }
    }
    #expect(lost == nil)
  }

  @Test func aNewWalkBeginsWithAnEmptyStream() async throws {
    let session = WalkSession.make(WalkWorkshop())
    let track = try #require(session.track)
    await session.start(track)
    await session.wait { !$0.isUnderWay }
    let first = session.view.walk
    await session.start(track)
    #expect(session.view.walk != first)
    await session.wait { !$0.isUnderWay }
    #expect(session.photos.count == 21)
  }

  @Test func movingKeepsThePhotosAndGoesOnFromThere() async throws {
    let workshop = WalkWorkshop()
    let session = WalkSession.make(workshop)
    await session.start(try #require(session.track))
    await session.wait { !$0.isUnderWay }
    let walk = session.view.walk
    await session.move(to: 1_500)
    await session.wait { !$0.isUnderWay }
    #expect(session.view.walk == walk)
    #expect(workshop.made.map(\.start) == [nil, 1_500])
    #expect(session.photos.count > 21 && session.photos.count < 28)
    #expect(session.view.legs.count == 2)
    #expect(session.view.legs.last?.lowerBound == 1_500)
  }

  @Test func ofTwoCommandsTheLaterCounts() async throws {
    let workshop = WalkWorkshop(isHeld: true)
    let session = WalkSession.make(workshop, speed: .multiple(1))
    let track = try #require(session.track)
    await session.start(track)
    async let first: Void = session.start(track)
    async let second: Void = session.move(to: 700)
    _ = await (first, second)
    #expect(session.isUnderWay)
    #expect(workshop.living == 1)
    await session.stop()
    #expect(workshop.living == 0)
  }

  @Test func pauseAndResumeAreTold() async throws {
    let session = WalkSession.make(WalkWorkshop(isHeld: true), speed: .multiple(1))
    await session.start(try #require(session.track))
    await session.wait { $0.photos.count == 1 }
    session.pause()
    await session.wait { $0.view.state.phase == .paused }
    session.resume()
    await session.wait { $0.view.state.phase == .running }
    await session.stop()
  }

  @Test func aDeniedWalkCanBeAllowed() async throws {
    let workshop = WalkWorkshop(authorization: [.initially(.denied)])
    let session = WalkSession.make(workshop)
    await session.start(try #require(session.track))
    await session.wait { !$0.isUnderWay }
    #expect(session.view.lacksPermission)
    #expect(session.photos.count == 0)
    await session.answer(.authorizedWhenInUse)
    await session.wait { !$0.isUnderWay }
    #expect(!session.view.lacksPermission)
    #expect(session.photos.count == 21)
    #expect(workshop.made.map(\.permission) == [nil, .authorizedWhenInUse])
  }

  @Test func permissionThatIsLostOnTheWayIsRegainedWhereItWasLost() async throws {
    let workshop = WalkWorkshop(
      authorization: [.initially(.authorizedWhenInUse), .at(meters: 1_000, .denied)])
    let session = WalkSession.make(workshop)
    await session.start(try #require(session.track))
    await session.wait { !$0.isUnderWay }
    let distance = session.view.distance
    #expect(distance > 800 && distance <= 1_000)
    await session.answer(.authorizedWhenInUse)
    #expect(workshop.made.last?.start == distance)
    await session.wait { !$0.isUnderWay }
    #expect(session.view.distance > 1_900)
  }

  @Test func aWalkThatCannotBeMadeSaysWhy() async throws {
    let session = WalkSession.make(WalkWorkshop(fails: true))
    await session.start(try #require(session.track))
    #expect(session.view.failure?.message.isEmpty == false)
    #expect(!session.isUnderWay)
  }

  @Test func watchersThatNeverLookHoldNothingUp() async throws {
    let session = WalkSession.make(WalkWorkshop(), kilometers: 20)
    let idle = (0..<8).map { _ in session.signals.signals() }
    await session.start(try #require(session.track))
    await session.wait { !$0.isUnderWay }
    #expect(session.photos.count == 201)
    #expect(session.signals.count >= idle.count)
  }
}
