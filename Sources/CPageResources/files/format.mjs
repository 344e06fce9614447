// Lengths and times in words, as the server has them.

/** The short and the long unit of a system: its meters, and its name. */
const UNITS = {
  metric: { short: { meters: 1, name: "m" }, long: { meters: 1000, name: "km" }, least: 999.5 },
  imperial: { short: { meters: 0.3048, name: "ft" }, long: { meters: 1609.344, name: "mi" }, least: 304.65 },
};

/** The units of a system: `metric`, or else `imperial`. */
export const unitsOf = (system) => UNITS[system] ?? UNITS.metric;

export function distance(meters, system) {
  const { long, least } = unitsOf(system);
  return meters < least ? height(meters, system) : `${(meters / long.meters).toFixed(1)} ${long.name}`;
}

export function height(meters, system) {
  const { short } = unitsOf(system);
  return `${(meters / short.meters).toFixed(0)} ${short.name}`;
}

/** What tells the time of day in a zone, from seconds of Unix time. */
export function clock(zone) {
  const options = { hour: "2-digit", minute: "2-digit", timeZone: zone ?? "UTC" };
  try {
    const format = new Intl.DateTimeFormat("en-GB", options);
    return (seconds) => format.format(seconds * 1000);
  } catch {
    // The browser does not know the zone.
    return () => null;
  }
}
