export default {
  testMatch: "*.spec.mjs",
  use: { baseURL: "http://127.0.0.1:8000" },
  webServer: { command: "python3 -m http.server 8000 --bind 127.0.0.1 --directory ../BrowserTest", port: 8000 },
};
