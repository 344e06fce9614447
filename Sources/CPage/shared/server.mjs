// @ts-check
// The way to the server of the page.

/**
 * Asks the server.
 *
 * @param {string | URL} address
 * @param {RequestInit} [options]
 */
export const ask = (address, options) => fetch(address, options);

/**
 * Loads a file of the page.
 *
 * @param {string} name its folder and name
 */
export const askForFile = (name) => fetch(new URL(`../${name}`, import.meta.url));
