import { expect, test } from "bun:test";
import { elsewhereLines } from "./welcome-elsewhere.ts";

const urls = {
  gateway: "http://127.0.0.1:8093/",
  peering: "http://127.0.0.1:8094/",
  issuer: "http://127.0.0.1:8092",
};

test("nothing where the gateway listens on the loopback only", () => {
  expect(elsewhereLines({ hostname: "127.0.0.1", port: 8093 }, urls)).toEqual([]);
  expect(elsewhereLines({ hostname: "::1", port: 8093 }, urls)).toEqual([]);
});

test("agents get an address that others reach, people one line that forwards all that a login needs", () => {
  const text = elsewhereLines({ hostname: "0.0.0.0", port: 8093 }, urls).join("\n");
  expect(text).not.toContain("0.0.0.0");
  expect(text).toMatch(/agents {4}gateway: \{url: http:\/\/\S+:8093\}/);
  expect(text).toContain("ssh -L 8093:127.0.0.1:8093 -L 8094:127.0.0.1:8094 -L 8092:127.0.0.1:8092 ");
  expect(text).toContain("http://127.0.0.1:8093/console");
});

test("an address that was given is the one that is printed", () => {
  const urlsThere = { ...urls, gateway: "http://192.0.2.1:8093/" };
  const text = elsewhereLines({ hostname: "192.0.2.1", port: 8093 }, urlsThere).join("\n");
  expect(text).toContain("{url: http://192.0.2.1:8093}");
  expect(text).toContain("ssh -L 8093:192.0.2.1:8093 ");
});
