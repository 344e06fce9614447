// Lengths and times in words, as the server has them.

const FOOT = 0.3048;
const MILE = 1609.344;

export function distance(meters, units) {
  if (units === "imperial") {
    return meters < 304.65 ? height(meters, units) : `${(meters / MILE).toFixed(1)} mi`;
  }
  return meters < 999.5 ? height(meters, units) : `${(meters / 1000).toFixed(1)} km`;
}

export const height = (meters, units) =>
  units === "imperial" ? `${(meters / FOOT).toFixed(0)} ft` : `${meters.toFixed(0)} m`;

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
