/** Against a small name server on loopback, by the platform's own resolver. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { lookupsAtATime, Names } from "./names.ts";

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

function namesHere(now?: () => number): Names {
  return new Names({ servers: [`127.0.0.1:${server.port}`], ...(now === undefined ? {} : { now }) });
}

test("an address gets its name, of either family", async () => {
  const names = namesHere();
  names.ask("192.0.2.1");
  expect([names.isPending("192.0.2.1"), names.nameOf("192.0.2.1")]).toEqual([true, null]);
  await names.find(["192.0.2.1", "2001:db8::1"]);
  expect(["192.0.2.1", "2001:db8::1"].map((address) => names.nameOf(address))).toEqual([
    "gateway.example",
    "gateway6.example",
  ]);
  expect(names.version).toBe(2);
});

test("a name is kept for a day, that there is none for an hour", async () => {
  const hourMs = 3_600_000;
  let nowMs = 0;
  const names = namesHere(() => nowMs);
  const asks = async (address: string, zone: string) => {
    const before = asked.filter((name) => name.startsWith(zone)).length;
    await names.find([address]);
    return asked.filter((name) => name.startsWith(zone)).length - before;
  };
  expect([await asks("192.0.2.9", "9."), await asks("192.0.2.1", "1.2.")]).toEqual([1, 1]);
  expect(names.nameOf("192.0.2.9")).toBeNull();
  nowMs = hourMs - 1;
  expect(await asks("192.0.2.9", "9.")).toBe(0);
  nowMs = hourMs;
  expect([await asks("192.0.2.9", "9."), await asks("192.0.2.1", "1.2.")]).toEqual([1, 0]);
  nowMs = 24 * hourMs;
  expect(await asks("192.0.2.1", "1.2.")).toBe(1);
});

test("a name cannot write to the terminal: its control characters come as numbers (RFC 1035 s.5.1)", async () => {
  const names = namesHere();
  await names.find(["192.0.2.6"]);
  expect(names.nameOf("192.0.2.6")).toBe("red\\027[31m\\010.example");
});

describe("where a name server is silent", () => {
  const silent = Array.from({ length: lookupsAtATime }, (_, i) => `198.51.100.${i + 1}`);

  test("look-ups end all the same, and those that wait for their turn have it", async () => {
    const names = namesHere();
    await names.find([...silent, "192.0.2.1"]);
    expect([...silent, "192.0.2.1"].filter((address) => names.nameOf(address) !== null)).toEqual([
      "192.0.2.1",
    ]);
  });

  test("no look-up keeps the process from ending", async () => {
    const script = `
            import { Names } from ${JSON.stringify(join(import.meta.dirname, "names.ts"))};
      const names = new Names({ servers: ["127.0.0.1:${server.port}"] });
      names.ask("198.51.100.1");`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "inherit", stderr: "inherit" });
    expect(await child.exited).toBe(0);
  });
});
