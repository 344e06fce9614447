// A walk for tests in Node: moves a browser along a GPX track, step by step. It has no dependencies.
//
//   import { test as base, expect } from "@playwright/test";
//   import { walkFixtures } from "./faketrack.mjs";
//   const test = base.extend(walkFixtures());
//
//   test("arrival", async ({ walk, page }) => {
//     await walk.to("1km");
//     await expect(page.getByText("Potsdam")).toBeVisible();
//   });

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A command that cannot be done; the message says why. */
export class WalkError extends Error {}

/** A walk along a track, for targets of --feed. */
export class Walk {
  #agent = new http.Agent({ keepAlive: true });
  #folder;
  #messages = "";
  #process;

  /**
   * Starts a walk, which waits at the start of its track.
   *
   * @param {string} track the path of a GPX file
   * @param {{ feed?: string[], options?: string[], faketrack?: string }} [settings] the targets and the options of
   *   `faketrack replay`, and the executable
   */
  static async start(track, { feed = [], options = [], faketrack = process.env.FAKETRACK ?? "faketrack" } = {}) {
    const walk = new Walk();
    walk.#folder = await mkdtemp(path.join(tmpdir(), "walk-"));
    walk.#process = spawn(
      faketrack,
      [
        "replay", track, "--step", "--control", `unix:${walk.#socket}`, "--photos", "none", "--quiet",
        ...feed.flatMap((target) => ["--feed", target]), ...options,
      ],
      { stdio: ["ignore", "ignore", "pipe"] });
    walk.#process.on("error", (error) => { walk.#messages += error.message; });
    walk.#process.stderr.setEncoding("utf8").on("data", (text) => { walk.#messages += text; });
    try {
      await walk.#listens();
    } catch (error) {
      await walk.close();
      throw error;
    }
    return walk;
  }

  get #socket() { return path.join(this.#folder, "control"); }

  get #hasEnded() { return this.#process.exitCode !== null || this.#process.signalCode !== null; }

  async #listens() {
    for (let attempt = 0; attempt < 3_000; attempt += 1) {
      try {
        const { distance } = await this.state();
        // A walk without a place may be about to end, or wait for a permission.
        if (distance !== undefined || attempt > 100) return;
      } catch (error) {
        // A walk that cannot begin may end while it is asked.
        if (!["ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE"].includes(error.code)) throw error;
      }
      if (this.#hasEnded || this.#process.pid === undefined) break;
      await sleep(10);
    }
    throw new WalkError(this.#messages || "faketrack does not answer");
  }

  #ask(method, address, body) {
    return new Promise((resolve, reject) => {
      const request = http.request({
        agent: this.#agent, socketPath: this.#socket, method, path: address,
        headers: body ? { "Content-Length": Buffer.byteLength(body) } : {},
      });
      request.on("error", reject);
      request.on("response", async (response) => {
        try {
          let text = "";
          for await (const piece of response.setEncoding("utf8")) text += piece;
          const answer = JSON.parse(text);
          if (response.statusCode < 400) resolve(answer);
          else reject(new WalkError(answer.error));
        } catch (error) {
          reject(error);
        }
      });
      request.end(body);
    });
  }

  /** The walk now: distance, elapsed, latitude, longitude, permission and what each target took. */
  state() { return this.#ask("GET", "/state"); }

  /** Performs any command of `faketrack help control`; resolves to the state of the walk then. */
  command(text) { return this.#ask("POST", "/commands", JSON.stringify({ command: text })); }

  /** Walks to a place: "1km", "10min" or "end". */
  to(place) { return this.command(`walk to ${place}`); }

  /** Walks on: "30s" or "200m". */
  advance(amount) { return this.command(`advance ${amount}`); }

  /** Jumps to "52.4,13.06", or along the track to "2km". */
  teleport(place) { return this.command(`teleport ${place}`); }

  deny() { return this.command("deny"); }

  allow() { return this.command("allow"); }

  /** Loses the signal, for "30s" of the walk or until outage("end"). */
  outage(time = "") { return this.command(`outage ${time}`); }

  /** Begins another track. */
  track(file) { return this.command(`track ${path.resolve(file)}`); }

  /** Ends the walk. */
  async close() {
    this.#agent.destroy();
    if (this.#process.pid !== undefined && !this.#hasEnded) {
      const end = new Promise((resolve) => this.#process.once("exit", resolve));
      this.#process.kill();
      await end;
    }
    await rm(this.#folder, { recursive: true });
  }
}

/** A port that is free now. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/**
 * Fixtures for `test.extend` of Playwright Test: `walk`, and the options `track` and `walkOptions` for `test.use`. They
 * give Chromium a debugging port, one a worker, which the walk feeds.
 */
export function walkFixtures({ track = "walk.gpx" } = {}) {
  return {
    track: [track, { option: true }],
    walkOptions: [[], { option: true }],
    debuggingPort: [async ({}, use) => { await use(await freePort()); }, { scope: "worker" }],
    browser: [
      async ({ playwright, browserName, debuggingPort, launchOptions }, use) => {
        if (browserName !== "chromium") throw new Error("The fixture walk feeds Chromium alone.");
        const browser = await playwright.chromium.launch({
          ...launchOptions, args: [...(launchOptions?.args ?? []), `--remote-debugging-port=${debuggingPort}`],
        });
        await use(browser);
        await browser.close();
      },
      { scope: "worker" },
    ],
    walk: async ({ page: _, debuggingPort, track: file, walkOptions }, use) => {
      const walk = await Walk.start(file, { feed: [`chrome:127.0.0.1:${debuggingPort}`], options: walkOptions });
      await use(walk);
      await walk.close();
    },
  };
}
