// @ts-check
// Lengths and times as text. Quantity.swift and LocalTime.swift do the same; a test holds both to the
// same values.

/** @typedef {{meters: number, name: string}} Unit */
/**
 * The units of a system.
 *
 * @typedef {object} Units
 * @property {Unit} short
 * @property {Unit} long
 * @property {number} threshold the meters from which lengths are shown in the long unit
 */

/** @type {Record<string, Units>} */
const UNITS = {
  metric: { short: { meters: 1, name: "m" }, long: { meters: 1000, name: "km" }, threshold: 999.5 },
  imperial: {
    short: { meters: 0.3048, name: "ft" }, long: { meters: 1609.344, name: "mi" }, threshold: 304.65,
  },
};

/** The kinds of English that name the time zones of their regions, and few others. */
const LOCALES = ["en-GB", "en-US", "en-AU", "en-IN", "en-ZA"];

/**
 * The units of a system; metric ones for an unknown system.
 *
 * @param {string} system `metric` or `imperial`
 * @returns {Units}
 */
export const unitsOf = (system) => UNITS[system] ?? UNITS.metric;

/**
 * Meters as `850 m` or `1.2 km`.
 *
 * @param {number} meters
 * @param {string} system
 */
export function distance(meters, system) {
  const { long, threshold } = unitsOf(system);
  return meters < threshold
    ? height(meters, system) : `${(meters / long.meters).toFixed(1)} ${long.name}`;
}

/**
 * A position on a track as `1.2 km of 9.4 km`.
 *
 * @param {number} meters
 * @param {number} length of the track in meters
 * @param {string} system
 */
export const position = (meters, length, system) =>
  `${distance(meters, system)} of ${distance(length, system)}`;

/**
 * Meters as `35 m`.
 *
 * @param {number} meters
 * @param {string} system
 */
export function height(meters, system) {
  const { short } = unitsOf(system);
  return `${(meters / short.meters).toFixed(0)} ${short.name}`;
}

/**
 * A speed in meters per second as `4.8 km/h`.
 *
 * @param {number} metersPerSecond
 * @param {string} system
 */
export function speed(metersPerSecond, system) {
  const { long } = unitsOf(system);
  return `${((metersPerSecond * 3600) / long.meters).toFixed(1)} ${system === "imperial" ? "mph" : "km/h"}`;
}

/**
 * Returns a function that formats seconds of Unix time as the local time of a zone, such as `10:05 CEST`;
 * it returns null if the browser does not know the zone.
 *
 * @param {string | undefined} zone a name of the tz database; UTC without one
 * @param {number} first a time to choose the kind of English by
 * @returns {(seconds: number) => string | null}
 */
export function clock(zone, first) {
  /** @type {Intl.DateTimeFormatOptions} */
  const options = {
    hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone ?? "UTC",
    timeZoneName: "short",
  };
  try {
    /** @type {Intl.DateTimeFormat | undefined} */
    let format;
    for (const locale of LOCALES) {
      format = new Intl.DateTimeFormat(locale, options);
      // A zone without a name is formatted as its offset, such as GMT+9.
      if (!/GMT\S/.test(format.format(first * 1000))) break;
    }
    return (seconds) => format?.format(seconds * 1000) ?? null;
  } catch {
    return () => null;
  }
}
