// Lengths and times in words, as the server has them.

/** The short and the long unit of a system: its meters, and its name. */
const UNITS = {
  metric: { short: { meters: 1, name: "m" }, long: { meters: 1000, name: "km" }, least: 999.5 },
  imperial: { short: { meters: 0.3048, name: "ft" }, long: { meters: 1609.344, name: "mi" }, least: 304.65 },
};

/** The kinds of English that have names for the zones where they are spoken, and for few others. */
const LOCALES = ["en-GB", "en-US", "en-AU", "en-IN", "en-ZA"];

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

/**
 * What tells the time of day in a zone, and what people there call it, from seconds of Unix time.
 *
 * @param first a time that is to be told
 */
export function clock(zone, first) {
  const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const options = { ...time, timeZone: zone ?? "UTC", timeZoneName: "short" };
  try {
    let format;
    for (const locale of LOCALES) {
      format = new Intl.DateTimeFormat(locale, options);
      // A zone without a name is told as its distance from Greenwich.
      if (!/GMT\S/.test(format.format(first * 1000))) break;
    }
    return (seconds) => format.format(seconds * 1000);
  } catch {
    // The browser does not know the zone.
    return () => null;
  }
}
