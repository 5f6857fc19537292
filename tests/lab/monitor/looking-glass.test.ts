/** The collector as a live looking glass: what BIRD and FRR say is watched, what FRR refuses is shown. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { run } from "../namespaces.ts";
import { bmpRouter, MonitorLab, mrtRouter } from "./monitor-lab.ts";
import { links, listenerAsn, speakerAsn } from "./monitor-net.ts";
import { told } from "./told.ts";

const limitMs = 120_000;

let lab: MonitorLab;
beforeAll(async () => {
  lab = await MonitorLab.start();
});
afterAll(() => lab[Symbol.asyncDispose]());

/** Prints each message that a client of RIS Live hears. */
const risClient = `const socket = new WebSocket("ws://127.0.0.1:8096/v1/ws/?client=lab");
const data = { prefix: "2001:db8::/32", socketOptions: { includeRaw: true, acknowledge: true } };
socket.onopen = () => socket.send(JSON.stringify({ type: "ris_subscribe", data }));
socket.onmessage = (event) => console.log(event.data);`;

interface Told {
  readonly kind: string;
  readonly router: string | null;
  readonly table: string | null;
  readonly prefix: string | null;
}

/** What bgpdump reads of BGP messages, each put into a record of MRT (BGP4MP_MESSAGE_AS4, IPv6). */
async function withdrawnIn(raws: readonly string[]): Promise<string[]> {
  const records = raws.map((raw) => {
    const [head, message] = [Buffer.alloc(56), Buffer.from(raw, "hex")];
    head.writeUInt32BE(1_700_000_000, 0);
    head.writeUInt32BE(0x0010_0004, 4);
    head.writeUInt32BE(44 + message.length, 8);
    head.writeUInt32BE(speakerAsn, 12);
    head.writeUInt32BE(listenerAsn, 16);
    head.writeUInt16BE(2, 22);
    return Buffer.concat([head, message]);
  });
  const file = join(lab.folder, "raw.mrt");
  writeFileSync(file, Buffer.concat(records));
  const lines = (await run(["bgpdump", "-m", file])).trim().split("\n");
  return [
    ...new Set(lines.flatMap((line) => (line.split("|")[2] === "W" ? [line.split("|")[5] ?? ""] : []))),
  ].sort();
}

const linesOf = (text: string): unknown[] =>
  text.split("\n").flatMap((line) => (line.startsWith("{") && line.endsWith("}") ? [JSON.parse(line)] : []));

/** By an AS and by a community of one announcement, of both routers; in FRR's tables before and after its policy. */
async function mustFindSearched(): Promise<void> {
  const [one] = told.filter(({ asPath, communities }) => asPath.length > 1 && communities.length > 0);
  for (const [option, value] of [
    ["--origin", String(one?.asPath.at(-1))],
    ["--community", one?.communities[0]?.join(":") ?? ""],
  ] as const) {
    const expected = told
      .filter(({ asPath, communities }) =>
        option === "--origin"
          ? String(asPath.at(-1)) === value
          : communities.some((parts) => parts.join(":") === value),
      )
      .flatMap(({ prefix }) => [mrtRouter, bmpRouter, bmpRouter].map((router) => `${router} ${prefix}`));
    const found = JSON.parse(await lab.routes("search", option, value, "-o", "json")) as Told[];
    expect(found.map(({ router, prefix }) => `${router} ${prefix}`).sort()).toEqual(expected.sort());
  }
}

test(
  "what FRR refuses is shown as rejected; who watches hears that, and each withdrawal, as RIS Live's clients do",
  async () => {
    await lab.startCollector();
    await lab.tell(() => true);
    await until("FRR's tables", async () => (await lab.pathsOf(bmpRouter)) === 2 * told.length, limitMs);
    await until("BIRD's file", async () => (await lab.pathsOf(mrtRouter)) === told.length, limitMs);
    await mustFindSearched();
    const refused = told.find(({ prefix }) => prefix.startsWith("2001:db8:"))?.prefix ?? "";
    // RPKI knows another origin of it.
    const roa = { asn: "AS64499", prefix: refused, maxLength: 48, ta: "lab" };
    writeFileSync(lab.vrps, JSON.stringify({ metadata: {}, roas: [roa] }));
    const isKnown = async () => !(await lab.lookup(refused)).includes('"origin_validation":null');
    await until("the VRPs", isKnown, limitMs);
    expect(await lab.routes("lookup", refused)).toContain(`invalid (origin): AS64499 ${refused}`);
    expect(JSON.parse((await lab.routes("rejected", "-o", "json")) || "[]")).toEqual([]);
    const watch = lab.beside("watch", [
      ...vantageCommand,
      ...["routes", "watch", "2001:db8::/32", "--more-specific", "-o", "ndjson"],
    ]);
    const ris = lab.beside("ris", [process.execPath, "-e", risClient]);
    await until("both", () => watch.said().includes('"live"') && ris.said().includes("ris_subscribe_ok"));
    await lab.tellFrr(
      [
        `ipv6 prefix-list refused seq 5 permit ${refused}`,
        ...["route-map taken deny 10", "match ipv6 address prefix-list refused", "exit"],
        ...["route-map taken permit 20", "exit", `router bgp ${listenerAsn}`],
        ...["address-family ipv6 unicast", `neighbor ${links.router.near} route-map taken in`],
      ],
      "clear bgp ipv6 unicast * soft in",
    );
    const heard = () => linesOf(watch.said()) as Told[];
    // FRR may tell one twice.
    const once = (prefixes: readonly (string | null)[]) => [...new Set(prefixes)].sort();
    const withdrawn = (router: string, table: string) =>
      once(
        heard()
          .filter((one) => one.kind === "withdraw" && one.router === router && one.table === table)
          .map(({ prefix }) => prefix),
      );
    await until("the refusal", () => withdrawn(bmpRouter, "in-post-policy").length > 0, limitMs);
    expect(withdrawn(bmpRouter, "in-post-policy")).toEqual([refused]);
    expect(JSON.parse(await lab.routes("rejected", "-o", "json"))).toMatchObject([
      {
        ...{ router: bmpRouter, peer: links.router.near, table: "in", prefix: refused, verdict: "rejected" },
        origin_validation: { state: "invalid", cause: "origin", vrps: [{ prefix: refused, asn: 64_499 }] },
      },
    ]);

    const sixes = told.flatMap(({ prefix }) => (prefix.includes(":") ? [prefix] : [])).sort();
    await lab.tell(() => false);
    await until("all withdrawals", () => withdrawn(mrtRouter, "in").length === sixes.length, limitMs);
    // FRR 8.4 does not tell by BMP that a peer withdraws what FRR has refused.
    const taken = sixes.filter((prefix) => prefix !== refused);
    await until("those of FRR", () => withdrawn(bmpRouter, "in").length === taken.length, limitMs);
    expect([withdrawn(mrtRouter, "in"), withdrawn(bmpRouter, "in")]).toEqual([sixes, taken]);
    const messages = () =>
      linesOf(ris.said()) as {
        data: { host?: string; raw?: string; withdrawals?: readonly string[] };
      }[];
    const ofRis = (router: string) =>
      once(messages().flatMap(({ data }) => (data.host === router ? (data.withdrawals ?? []) : [])));
    await until("RIS Live's client", () => ofRis(bmpRouter).length === taken.length, limitMs);
    expect([ofRis(mrtRouter), ofRis(bmpRouter)]).toEqual([sixes, taken]);
    expect(heard().filter(({ kind }) => kind === "missed")).toEqual([]);
    const raws = (router: string) => [
      ...new Set(messages().flatMap(({ data }) => (data.host === router && data.raw ? [data.raw] : []))),
    ];
    expect(await withdrawnIn(raws(mrtRouter))).toEqual(sixes);
    expect(await withdrawnIn(raws(bmpRouter))).toEqual(taken);
    // BIRD's own file has each of them as it came.
    const written = readFileSync(lab.mrt).toString("hex").toUpperCase();
    expect(raws(mrtRouter).filter((raw) => !written.includes(raw))).toEqual([]);
  },
  3 * limitMs,
);
