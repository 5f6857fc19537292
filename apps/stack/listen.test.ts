import { expect, test } from "bun:test";
import { listenText, urlOf, withFreePorts } from "./listen.ts";

const anywhere = { hostname: "127.0.0.1", port: 0 };

test("what was said stays, and each 0 becomes a port of its own", () => {
  const said = { gateway: { hostname: "127.0.0.1", port: 8093 }, peering: anywhere, issuerPort: 0 };
  const { gateway, peering, issuerPort } = withFreePorts(said);
  expect(gateway).toEqual(said.gateway);
  expect(peering.hostname).toBe("127.0.0.1");
  expect(new Set([gateway.port, peering.port, issuerPort, 0]).size).toBe(4);
});

test("a port that is taken is said with the option to change", () => {
  using server = Bun.listen({ ...anywhere, socket: { data() {} } });
  const taken = { ...anywhere, port: server.port };
  const why = `Cannot listen on 127.0.0.1:${server.port}: another program listens there; give another with`;
  const free = { gateway: anywhere, peering: anywhere, issuerPort: 0 };
  expect(() => withFreePorts({ ...free, gateway: taken })).toThrow(`${why} --gateway-listen`);
  expect(() => withFreePorts({ ...free, peering: taken })).toThrow(`${why} --peering-listen`);
  expect(() => withFreePorts({ ...free, issuerPort: server.port })).toThrow(`${why} --issuer-port`);
});

test("parts on the same machine find each other by the loopback where one listens everywhere", () => {
  expect(urlOf({ hostname: "0.0.0.0", port: 1 })).toBe("http://127.0.0.1:1");
  expect(urlOf({ hostname: "::", port: 1 })).toBe("http://[::1]:1");
  expect(urlOf({ hostname: "192.0.2.1", port: 1 })).toBe("http://192.0.2.1:1");
  expect(listenText({ hostname: "2001:db8::1", port: 1 })).toBe("[2001:db8::1]:1");
});
