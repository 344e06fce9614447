// Starts the scripts that the page needs.

document.documentElement.classList.add("js");

const has = (selector) => document.querySelector(selector) !== null;

if (has("body.tracking .map")) import("../walk/tracking.mjs").then((module) => module.start());
if (has("body.cities-page, body.city-page")) import("../cities/cities.mjs").then((module) => module.start());
if (has("body.draw-page")) import("../draw/draw.mjs").then((module) => module.start());
if (has("[data-part]")) import("./parts.mjs").then((module) => module.start());
import("./upload.mjs").then((module) => module.start());
