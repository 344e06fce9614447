// npx playwright test

import { test as base, expect } from "@playwright/test";
import { walkFixtures } from "./faketrack.mjs";

const test = base.extend(walkFixtures({ track: "../../faketrack.gpx" }));

test("the page says when its visitor arrives", async ({ walk, page }) => {
  await page.goto("/page.html");
  await walk.to("1km");
  await expect(page.getByRole("status")).toHaveText("Away from Sanssouci");
  await walk.to("1.9km");
  await expect(page.getByRole("status")).toHaveText("Near Sanssouci");
});
