/** Requests that make a gateway compute: each the nastiest that limits allow, and its figures without bounds. */
import { begunLine, manyChanges, manyRounds } from "./experiment-lines.ts";
import { storeWidePath, type WidePath } from "./stored-paths.ts";
import { agentId, type WatchedGateway } from "./watched-gateway.ts";

interface Figures {
  readonly healthMs: number;
  readonly grownMb: number;
}

interface WorkAttack {
  readonly attack: string;
  /** By tests of the usual tier, or of the long one; `alone`: only by `npm run attacks`, as it takes minutes. */
  readonly played?: "usual" | "long" | "alone";
  /** With results in a column store. */
  readonly isOfResults?: boolean;
  /** Measured on two cores, before work was bounded; null = never. */
  readonly before: Figures | null;
  /** Resolves to what is played while `/health` is watched. */
  readonly ready: (gateway: WatchedGateway) => Promise<() => Promise<Readonly<Record<string, number>>>>;
}

async function keptJournal(gateway: WatchedGateway, user: string, lines: readonly string[]) {
  const token = await gateway.tokenOf(user);
  const body = { lines: [begunLine(user), ...lines] };
  const { id } = await answered<{ id: string }>(await gateway.post(token, "api/experiments/import", body));
  return () => gateway.get(token, `api/experiments/${id}`);
}

async function answered<Body>(response: Response): Promise<Body> {
  if (!response.ok) {
    throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  }
  return (await response.json()) as Body;
}

/** What it answers is read, but not judged: a refusal is an answer too. */
async function all(requests: readonly Promise<Response>[]): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const response of await Promise.all(requests)) {
    const text = await response.text().catch(() => "");
    const key = `${response.status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ""}`.trim();
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

const eight = Array.from({ length: 8 }, (_, i) => `crowd-${i}`);
const cron = {
  name: "c",
  agents: "attacked",
  targets: ["203.0.113.0/24"],
  cron: "0 0 29 2 1",
  zone: "Africa/Casablanca",
  max_runs: 10_000,
};
const wide = { agents: "attacked", targets: ["64.0.0.0/3"], discover: { subnet_ipv4: 32 } };
const list = encodeURIComponent(JSON.stringify({ agents: "attacked" }));

/** A measurement of so many flows, which its user shares by a link: the path of both. */
async function sharedWidePath(gateway: WatchedGateway, wide: Omit<WidePath, "measurement">) {
  const token = await gateway.tokenOf("anna");
  const probes = `api/probes?agents=${agentId}`;
  const { id } = await answered<{ id: string }>(
    await gateway.post(token, probes, "203.0.114.1,24000,33434,1,udp\n"),
  );
  await storeWidePath(gateway.store, { ...wide, measurement: id });
  const sharing = `api/measurements/${id}/sharing`;
  const { link } = await answered<{ link: string }>(
    await gateway.post(token, sharing, { visibility: "link" }),
  );
  return {
    own: `api/measurements/${id}`,
    link: `api/shared/${/[^/]+$/.exec(link)?.[0]}/measurements/${id}`,
    token,
  };
}

const hex = (value: number) => value.toString(16);

function ipv6Lines(lines: number): string {
  const line = (i: number) => `2${hex(100 + (i % 3000))}:${hex(i >>> 16)}:${hex(i & 0xffff)}::\n`;
  return Array.from({ length: lines }, (_, i) => line(Math.imul(i, 2_654_435_761) >>> 0)).join("");
}

/** Whether an attack has got as far as to what it attacks: a body that is refused as such has not. */
export function isReached(answers: Readonly<Record<string, number>>): boolean {
  return Object.keys(answers).some((answer) => !/^4(?!13|29)/.test(answer));
}

export const workAttacks: readonly WorkAttack[] = [
  {
    attack: "A journal of 2 MB: 7,000 changes behind 7,000 routes",
    before: { healthMs: 2_538, grownMb: 15 },
    ready: async (gateway) => {
      const look = await keptJournal(gateway, "journal-2", manyChanges(14_000));
      return () => all([look()]);
    },
  },
  {
    attack: "A journal of 4.9 MB, the same",
    played: "long",
    before: { healthMs: 11_249, grownMb: 27 },
    ready: async (gateway) => {
      const look = await keptJournal(gateway, "journal-5", manyChanges(34_000));
      return () => all([look()]);
    },
  },
  {
    attack: "A journal of 40 rounds of 8,000 targets",
    before: { healthMs: 1_262, grownMb: 722 },
    ready: async (gateway) => {
      const look = await keptJournal(gateway, "rounds", manyRounds(40, 8000));
      return () => all([look()]);
    },
  },
  {
    attack: "An estimate of a cron pattern (0 0 29 2 1), by eight users at once",
    before: { healthMs: 7_866, grownMb: 839 },
    ready: async (gateway) => {
      const tokens = await Promise.all(eight.map((user) => gateway.tokenOf(user)));
      return () => all(tokens.map((token) => gateway.post(token, "api/campaigns/estimate", cron)));
    },
  },
  {
    attack: "Estimates of a /3 in /32s, six at once by one user",
    before: { healthMs: 300_000, grownMb: 869 },
    ready: async (gateway) => {
      const token = await gateway.tokenOf("wide");
      const ask = () => gateway.post(token, "api/discoveries/estimate", wide);
      return () => all(Array.from({ length: 6 }, ask));
    },
  },
  {
    attack: "The same, given up after 0.3 s; then ten seconds of watching",
    played: "long",
    before: { healthMs: 11_744, grownMb: 809 },
    ready: async (gateway) => {
      const token = await gateway.tokenOf("gone");
      return async () => {
        const end = new AbortController();
        const asked = Array.from({ length: 6 }, () =>
          gateway.post(token, "api/discoveries/estimate", wide, end.signal).catch(() => new Response("")),
        );
        await Bun.sleep(300);
        end.abort();
        const answers = await all(asked);
        await Bun.sleep(10_000);
        return answers;
      };
    },
  },
  {
    attack: "An estimate of 3 million lines of IPv6",
    played: "alone",
    before: { healthMs: 7_915, grownMb: 657 },
    ready: async (gateway) => {
      const token = await gateway.tokenOf("lines");
      const lines = ipv6Lines(3_000_000);
      return () => all([gateway.post(token, `api/discoveries/estimate?order=${list}`, lines)]);
    },
  },
  {
    // Before it was bodies of 2 MB, which are refused today before anything is computed.
    attack: "32 JSON bodies of 1 MB with 19,900 values at once, by eight users",
    before: { healthMs: 358, grownMb: 368 },
    ready: async (gateway) => {
      const tokens = await Promise.all(eight.map((user) => gateway.tokenOf(user)));
      const probe = (i: number) => `203.0.${(i >> 8) & 255}.${i & 255},24000,33434,7,udp${" ".repeat(22)}`;
      const probes = Array.from({ length: 19_900 }, (_, i) => probe(i));
      const body = { name: "c", agents: "attacked", probes, every: 3600, max_runs: 1 };
      const ask = (token: string) => gateway.post(token, "api/campaigns/estimate", body);
      return () => all([...tokens, ...tokens, ...tokens, ...tokens].map(ask));
    },
  },
  {
    attack: "19,000 targets in unusual spellings, and as many bad ones, by eight users",
    before: { healthMs: 598, grownMb: 651 },
    ready: async (gateway) => {
      const tokens = await Promise.all(eight.map((user) => gateway.tokenOf(user)));
      const host = (i: number) => `${(i >> 8) & 255}.${i & 255}`;
      const spellings = [(i: number) => `::ffff:9.9.${host(i)}`, (i: number) => `host-${i}.example`];
      const bodies = spellings.map((spelling) => {
        const targets = Array.from({ length: 19_000 }, (_, i) => spelling(i));
        return { name: "c", agents: "attacked", targets, ttl: 7, every: 3600, max_runs: 1 };
      });
      return () =>
        all(
          tokens.flatMap((token) =>
            bodies.map((body) => gateway.post(token, "api/campaigns/estimate", body)),
          ),
        );
    },
  },
  {
    attack: "The picture of 100,000 routers at a TTL by a shared link, eight times at once",
    isOfResults: true,
    before: { healthMs: 15_000, grownMb: 3_900 },
    ready: async (gateway) => {
      const { link } = await sharedWidePath(gateway, { flows: 1, routers: 100_000, ttls: 3 });
      return () => all(eight.map(() => fetch(`${gateway.url}${link}/paths?format=svg`)));
    },
  },
  {
    attack: "The picture of 100,000 flows by a shared link, twice at once",
    played: "alone",
    isOfResults: true,
    before: null,
    ready: async (gateway) => {
      const { link } = await sharedWidePath(gateway, { flows: 100_000, routers: 100_000, ttls: 3 });
      return () => all([1, 2].map(() => fetch(`${gateway.url}${link}/paths?format=svg`)));
    },
  },
  {
    attack: "The AS paths of 100,000 flows (with=path), as a list and as a picture",
    played: "alone",
    isOfResults: true,
    before: null,
    ready: async (gateway) => {
      const { own, token } = await sharedWidePath(gateway, { flows: 100_000, routers: 1000, ttls: 4 });
      const asked = ["paths?with=path", "paths?with=path&format=svg"];
      return () => all(asked.map((view) => gateway.get(token, `${own}/${view}`)));
    },
  },
];
