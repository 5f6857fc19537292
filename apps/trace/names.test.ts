/** Against a small name server on loopback, by the platform's own resolver. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Resolver } from "node:dns/promises";
import { join } from "node:path";
import { lookupsAtATime } from "./limits.ts";
import { Names } from "./names.ts";

/** Type and class of the one question asked here. */
const ptrInternet = Uint8Array.of(0, 12, 0, 1);
const headerBytes = 12;
const refusedName = 3;

/** Reads the labels of a question; they end with an empty one. */
function questionOf(query: Uint8Array): { name: string; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(new TextDecoder().decode(query.subarray(at + 1, at + 1 + length)));
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 1 + ptrInternet.length };
}

/** RFC 1035 s.4.1: header, the question again, and with a name one answer whose owner points to the question. */
function answerTo(query: Uint8Array, name: string | null): Uint8Array {
  const question = query.subarray(headerBytes, questionOf(query).end);
  const flags = [0x81, 0x80 | (name === null ? refusedName : 0)];
  const counts = [0, 1, 0, name === null ? 0 : 1, 0, 0, 0, 0];
  const labels = (name ?? "")
    .split(".")
    .flatMap((label) => [label.length, ...new TextEncoder().encode(label)]);
  const record = [0xc0, headerBytes, ...ptrInternet, 0, 0, 0, 60, 0, labels.length + 1, ...labels, 0];
  const id = query.subarray(0, 2);
  return Uint8Array.from([...id, ...flags, ...counts, ...question, ...(name === null ? [] : record)]);
}

const ptrRecords: Readonly<Record<string, string>> = {
  "1.2.0.192.in-addr.arpa": "gateway.example",
  "6.2.0.192.in-addr.arpa": "red\u001b[31m\n.example",
  [`1.${"0.".repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`]: "gateway6.example",
};
/** Never answered: 198.51.100.0/24. */
const silentZone = ".100.51.198.in-addr.arpa";

let server: Bun.udp.Socket<"buffer">;
const asked: string[] = [];

beforeAll(async () => {
  server = await Bun.udpSocket({
    hostname: "127.0.0.1",
    socket: {
      data(socket, query, port, address) {
        const { name } = questionOf(query);
        asked.push(name);
        if (!name.endsWith(silentZone)) {
          socket.send(answerTo(query, ptrRecords[name] ?? null), port, address);
        }
      },
    },
  });
});
afterAll(() => server.close());

function namesHere(): Names {
  return new Names(() => {
    const resolver = new Resolver();
    resolver.setServers([`127.0.0.1:${server.port}`]);
    return resolver;
  });
}

async function settled(names: Names, ...addresses: string[]): Promise<void> {
  while (addresses.some((address) => names.isPending(address))) {
    await Bun.sleep(5);
  }
}

test("an address gets its name, of either family", async () => {
  const names = namesHere();
  names.ask("192.0.2.1");
  names.ask("2001:db8::1");
  expect(names.isPending("192.0.2.1")).toBe(true);
  await settled(names, "192.0.2.1", "2001:db8::1");
  expect([...names.known].sort()).toEqual([
    ["192.0.2.1", "gateway.example"],
    ["2001:db8::1", "gateway6.example"],
  ]);
  expect(names.version).toBe(2);
});

test("an address without a name stays as it is, and is asked for once", async () => {
  const names = namesHere();
  names.ask("192.0.2.9");
  await settled(names, "192.0.2.9");
  names.ask("192.0.2.9");
  expect(names.isPending("192.0.2.9")).toBe(false);
  expect(names.known.size).toBe(0);
  expect(asked.filter((name) => name.startsWith("9."))).toHaveLength(1);
});

test("a name cannot write to the terminal: its control characters come as numbers (RFC 1035 s.5.1)", async () => {
  const names = namesHere();
  names.ask("192.0.2.6");
  await settled(names, "192.0.2.6");
  expect([...names.known.values()]).toEqual(["red\\027[31m\\010.example"]);
});

describe("where a name server is silent", () => {
  const silent = Array.from({ length: lookupsAtATime }, (_, i) => `198.51.100.${i + 1}`);

  test("look-ups end all the same, and those that wait for their turn have it", async () => {
    const names = namesHere();
    for (const address of [...silent, "192.0.2.1"]) {
      names.ask(address);
    }
    await settled(names, ...silent, "192.0.2.1");
    expect([...names.known.keys()]).toEqual(["192.0.2.1"]);
  });

  test("no look-up keeps the process from ending", async () => {
    const script = `
      import { Resolver } from "node:dns/promises";
      import { Names } from ${JSON.stringify(join(import.meta.dirname, "names.ts"))};
      const names = new Names(() => {
        const resolver = new Resolver();
        resolver.setServers(["127.0.0.1:${server.port}"]);
        return resolver;
      });
      names.ask("198.51.100.1");`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "inherit", stderr: "inherit" });
    expect(await child.exited).toBe(0);
  });
});
