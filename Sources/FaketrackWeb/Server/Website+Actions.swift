import FaketrackFeatures
import FlyingFox
import Foundation
import Locations

extension Website {
  /// The answer to a request that changes something; it comes from the page itself.
  func act(on request: HTTPRequest) async -> HTTPResponse {
    let names = request.pathNames
    do {
      switch (names.first, names.count) {
      case ("tracks", 1): return await addTrack(request)
      case ("tracking", 2): return try await steer(String(names[1]), request)
      case ("cities", 3) where names[2] == "favorite":
        guard let id = Int(names[1]) else { return notFound }
        return try await setFavorite(id, request)
      default: return notFound
      }
    } catch is HTTPRequest.BodyTooLong {
      return .text("The form is too long.", status: .payloadTooLarge)
    } catch {
      return .text("The request did not arrive whole.", status: .badRequest)
    }
  }

  private func steer(_ action: String, _ request: HTTPRequest) async throws -> HTTPResponse {
    let form = try await request.form()
    switch action {
    case "start":
      let asked = form["track"].flatMap { Int($0) }.flatMap { library[$0] }
      guard let entry = asked ?? session.track else { return .seeOther(Route.home.address) }
      await session.start(entry)
    case "pause": session.pause()
    case "resume": session.resume()
    case "stop": await session.stop()
    case "speed":
      guard let speed = form["speed"].flatMap(ReplaySpeed.init(name:)) else {
        return .text("speed is max or a number from 0.1 to 1000.", status: .badRequest)
      }
      session.setSpeed(speed)
    case "position":
      guard let metres = form["metres"].flatMap({ Double($0) }), metres.isFinite, metres >= 0
      else { return .text("metres is a number, 0 or more.", status: .badRequest) }
      let length = try? await session.track?.shape.value.length
      await session.move(to: min(metres, length ?? metres))
    case "permission":
      await session.answer(form["answer"] == "allow" ? .authorizedWhenInUse : .denied)
    default: return notFound
    }
    return request.isFromScript ? .noContent : .seeOther(Route.tracking.address)
  }

  private func addTrack(_ request: HTTPRequest) async -> HTTPResponse {
    do throws(LoadingFailure) {
      let entry = try await library.addUpload(try await TrackUpload.track(of: request))
      session.choose(entry)
      return .seeOther(Route.home.address)
    } catch {
      guard case .home(let model) = Screen(.home, parts.dependencies) else { return notFound }
      await model.load()
      return .html(
        await home(model.state, failure: error),
        status: HTTPStatusCode(422, phrase: "Unprocessable Content"))
    }
  }

  private func setFavorite(_ id: Int, _ request: HTTPRequest) async throws -> HTTPResponse {
    let form = try await request.form()
    guard case .city(let model) = Screen(.city(id: id), parts.dependencies) else { return notFound }
    await model.loadDetails()
    // A page that is not up to date asks for what is already so.
    if let details = model.state.details.value, details.isFavorite != (form["favorite"] == "1") {
      await model.send(.toggleFavorite)
    }
    guard let details = model.state.details.value else {
      let failure = model.state.details.failure
      return .text(failure?.message ?? "", status: .notFound)
    }
    guard request.isFromScript else { return .seeOther(origin(of: request) ?? "/cities/\(id)") }
    return .html(
      CityRowPart.star(
        id: id, name: details.city.name, isFavorite: details.isFavorite,
        hasText: form["text"] != nil))
  }

  /// The screen that a form was sent from, if the browser says so.
  private func origin(of request: HTTPRequest) -> String? {
    guard
      let referrer = request.headers[HTTPHeader("Referer")].flatMap(URLComponents.init(string:)),
      let host = request.headers[.host],
      "\(referrer.host ?? "")\(referrer.port.map { ":\($0)" } ?? "")" == host
    else { return nil }
    let address = referrer.path + (referrer.percentEncodedQuery.map { "?\($0)" } ?? "")
    return Route(address: address)?.address
  }
}
