import FaketrackFeatures
import FaketrackServer
import Foundation
import Locations

extension Website {
  func act(on request: WebRequest) async -> WebResponse {
    var response = await performed(request)
    // A program wants no redirection.
    if request.wantsJSON, response.status == .seeOther {
      response.status = .noContent
      response.headers["Location"] = nil
    }
    return response
  }

  private func performed(_ request: WebRequest) async -> WebResponse {
    let names = request.pathNames
    do throws(WebRequest.BodyTooLong) {
      switch (names.first, names.count) {
      case ("tracks", 1): return await addTracks(request)
      case ("tracks", 3) where names[2] == "remove":
        guard let track = Int(names[1]) else { return notFound }
        await tracking.send(.remove(track: track))
        return .seeOther(Route.home.address)
      case ("draw", 1): return await walkDrawn(try request.form(), request)
      case ("units", 1): return try setUnits(request)
      case ("tracking", 2): return await control(String(names[1]), try request.form(), request)
      case ("cities", 3) where names[2] == "favorite":
        guard let id = Int(names[1]) else { return notFound }
        return try await setFavorite(id, request)
      default: return notFound
      }
    } catch {
      return .text("The form is too long.", status: .payloadTooLarge)
    }
  }

  private func control(
    _ name: String, _ form: FormFields, _ request: WebRequest
  ) async -> WebResponse {
    let catalog = tracking.catalog
    // Programs other than browsers are not asked.
    let question =
      request.isFromScript || request.isNavigation
      ? StartQuestion(name, in: { form[$0] }, from: request, dependencies) : nil
    if let question, form["confirmed"] == nil {
      return request.isFromScript
        ? .html(question.card(in: request.units), status: .conflict) : .seeOther(question.address)
    }
    switch name {
    case "start":
      let track = form["track"].flatMap { Int($0) }.flatMap { catalog.file($0) == nil ? nil : $0 }
      guard track ?? tracking.state.track != nil else { return withoutTrack(request) }
      await tracking.send(.start(track: track))
    case "pause": await tracking.send(.pause)
    case "resume": await tracking.send(.resume)
    case "stop": await tracking.send(.stop)
    case "speed":
      guard let speed = form["speed"].flatMap(ReplaySpeed.init(name:)) else {
        return .text("speed is max or a number from 0.1 to 1000.", status: .badRequest)
      }
      await tracking.send(.setSpeed(speed))
    case "cities":
      guard let population = form["population"].flatMap({ Int($0) }), population >= 0 else {
        return .text("population is a number, 0 or more.", status: .badRequest)
      }
      await tracking.send(.setMinPopulation(population))
    case "position":
      guard let meters = form["meters"].flatMap({ Double($0) }), meters.isFinite, meters >= 0
      else { return .text("meters is a number, 0 or more.", status: .badRequest) }
      guard let track = tracking.state.track else { return withoutTrack(request) }
      let length = catalog.entry(track)?.shape.value?.length
      await tracking.send(.move(to: min(meters, length ?? meters)))
      if form["resume"] != nil { await tracking.send(.resume) }
    case "permission":
      let answers = ["allow": AuthorizationStatus.authorizedWhenInUse, "deny": .denied]
      guard let answer = form["answer"].flatMap({ answers[$0] }) else {
        return .text("answer is allow or deny.", status: .badRequest)
      }
      await tracking.send(.answer(answer))
      if !request.isFromScript, request.origin == .home { return .seeOther(Route.home.address) }
    default: return notFound
    }
    var response = WebResponse.seeOther(Route.tracking.address)
    if request.wantsJSON {
      response = .json(TrackingUpdate(tracking.state, generation: generation, in: request.units))
    } else if request.isFromScript {
      response = .noContent
      response.headers["Faketrack-Command"] = "\(tracking.state.command)"
    }
    response.headers["Set-Cookie"] = question?.cookie
    return response
  }

  private func withoutTrack(_ request: WebRequest) -> WebResponse {
    request.wantsJSON
      ? .text("There is no track yet; add one first.", status: .conflict)
      : .seeOther(Route.home.address)
  }

  private func setUnits(_ request: WebRequest) throws(WebRequest.BodyTooLong) -> WebResponse {
    guard let units = try request.form()["units"].flatMap(Units.init(rawValue:)) else {
      return .text("units is metric or imperial.", status: .badRequest)
    }
    var response = WebResponse.seeOther((request.origin ?? .tracking).address)
    response.headers["Set-Cookie"] = units.cookie
    return response
  }

  private func addTracks(_ request: WebRequest) async -> WebResponse {
    _ = takeUploadFailure(for: request)
    do throws(Failure) {
      let files = try await TrackUpload.tracks(of: request)
      let home = HomeViewModel(dependencies)
      var failures: [Failure] = []
      for file in files {
        switch file {
        case .success(let track):
          await home.send(.open(track))
          if let failure = home.state.opened.failure { failures.append(failure) }
        case .failure(let failure): failures.append(failure)
        }
      }
      if let failure = TrackUpload.failure(failures, of: files.count) { throw failure }
      return request.isFromScript ? .noContent : .seeOther(Route.home.address)
    } catch {
      return await refuse(request, for: error)
    }
  }

  /// Adds the walk that a form describes, and starts it as `POST /tracking/start` does.
  private func walkDrawn(_ form: FormFields, _ request: WebRequest) async -> WebResponse {
    guard let drawn = DrawnWalk(form) else { return DrawnWalk.unknownMeans }
    let home = HomeViewModel(dependencies)
    await home.send(.make(drawn.track))
    switch home.state.opened {
    case .loaded(let track):
      return await control("start", FormFields("track", "\(track)"), request)
    // The page shows the failure, too.
    case .failed where request.isNavigation: return .seeOther(drawn.address(DrawnWalk.path))
    case .failed(let failure, _): return .text(failure, status: .unprocessableEntity)
    case .idle, .loading: return .busy("The track was not made. Try again.")
    }
  }

  /// Answers that a file cannot be used. Browsers are redirected to Home, which can be reloaded.
  private func refuse(_ request: WebRequest, for failure: Failure) async -> WebResponse {
    let isTooLong = (try? request.body(limit: TrackUpload.limit)) == nil
    let status: WebResponse.Status = isTooLong ? .payloadTooLarge : .unprocessableEntity
    if request.wantsJSON { return .text(failure, status: status) }
    if request.isFromScript { return .html(HomePage.notice(of: failure), status: status) }
    if request.isNavigation {
      var response = WebResponse.seeOther(Route.home.address)
      response.headers["Set-Cookie"] = keepUploadFailure(failure)
      return response
    }
    guard let load = loads.load(.home), case .home(let model) = load.screen else { return notFound }
    await load.wait(atMost: loadTimeout)
    return .html(
      HomePage.html(
        model.state, walk: tracking.state, notice: HomePage.notice(of: failure),
        in: request.units), status: status)
  }

  private static let uploadCookie = "faketrack-upload"

  /// Keeps a failure until Home shows it; returns the cookie of the browser that it is for.
  private func keepUploadFailure(_ failure: Failure) -> String {
    let token = String(UInt64.random(in: .min ... .max), radix: 36)
    uploadFailures = uploadFailures.suffix(15) + [(token: token, failure: failure)]
    return "\(Self.uploadCookie)=\(token); Path=/; Max-Age=600; SameSite=Lax; HttpOnly"
  }

  /// Returns the failure of the last upload of this browser, once.
  func takeUploadFailure(for request: WebRequest) -> Failure? {
    guard let token = request.cookie(Self.uploadCookie),
      let index = uploadFailures.firstIndex(where: { $0.token == token })
    else { return nil }
    return uploadFailures.remove(at: index).failure
  }

  private func setFavorite(
    _ id: Int, _ request: WebRequest
  ) async throws(WebRequest.BodyTooLong) -> WebResponse {
    let form = try request.form()
    guard case .city(let model) = Screen(.city(id: id), dependencies) else { return notFound }
    await model.send(.setFavorite(form["favorite"] == "1"))
    loads.forget()
    guard let details = model.state.details.value else {
      return .text(
        model.state.details.failure?.message ?? "The favorites did not answer.",
        status: status(of: model.state))
    }
    let origin = form["from"].flatMap(Route.init(address:))
    guard request.isFromScript else {
      // The page of a city keeps its back link.
      let page = request.origin ?? .city(id: id)
      guard case .city(let id) = page else { return .seeOther(page.address) }
      return .seeOther(CityPage.address(of: id, from: origin))
    }
    return .html(
      CityListItem.star(
        id: id, name: details.city.fullName, isFavorite: details.isFavorite,
        hasText: form["text"] != nil, origin: origin))
  }
}
