// node --test: the module with the library of Playwright, whose folder PLAYWRIGHT names.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import http from "node:http";
import { after, before, test } from "node:test";
import { freePort, Walk, walkFixtures, WalkError } from "./faketrack.mjs";

const { chromium } = await import(process.env.PLAYWRIGHT ?? "playwright");
const track = new URL("../../faketrack.gpx", import.meta.url).pathname;
let server, address, port, browser;

before(async () => {
  const page = await readFile(new URL("../BrowserTest/page.html", import.meta.url));
  server = http.createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end(page));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}/page.html`;
  port = await freePort();
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM, args: ["--no-sandbox", `--remote-debugging-port=${port}`],
  });
});

after(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

async function withWalk(body, options = []) {
  const page = await browser.newPage();
  const walk = await Walk.start(track, { feed: [`chrome:127.0.0.1:${port}`], options });
  try {
    await body(walk, page);
  } finally {
    await walk.close();
    await page.close();
  }
}

function shows(page, text) {
  return page.getByRole("status").getByText(text, { exact: true }).waitFor({ timeout: 10_000 });
}

test("a page says when its visitor arrives", () => withWalk(async (walk, page) => {
  await page.goto(address);
  await walk.to("1km");
  await shows(page, "Away from Sanssouci");
  await walk.to("1.9km");
  await shows(page, "Near Sanssouci");
  await walk.teleport("52.52,13.405");
  await shows(page, "Away from Sanssouci");
}));

test("a page that is opened later gets the position, and the permission is taken away", () =>
  withWalk(async (walk, page) => {
    await walk.to("1.9km");
    await page.goto(address);
    await shows(page, "Near Sanssouci");
    await walk.deny();
    await page.reload();
    await shows(page, "Location is off");
    await walk.allow();
    await page.reload();
    await shows(page, "Near Sanssouci");
  }));

test("a command that cannot be done says why", () => withWalk(async (walk) => {
  const state = await walk.advance("60s");
  assert.equal(state.elapsed, 60);
  await assert.rejects(walk.to("10m"), (error) => error instanceof WalkError && /beyond that already/.test(error.message));
  await assert.rejects(walk.command("fly"), WalkError);
}));

test("a walk that cannot begin says why", async () => {
  await assert.rejects(Walk.start("missing.gpx"), (error) => error instanceof WalkError && /missing\.gpx/.test(error.message));
  await assert.rejects(Walk.start(track, { faketrack: "/no/such/program" }), WalkError);
});

test("the fixtures are those of Playwright Test", () => {
  const names = ["track", "walkOptions", "debuggingPort", "browser", "walk"];
  assert.deepEqual(Object.keys(walkFixtures()), names);
});
