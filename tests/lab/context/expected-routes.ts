/**
 * Which route each network has to each prefix, by its drawing alone: the daemons have to come to the same.
 *
 * A customer's route before a peer's before a provider's (or as the drawing says), then the shorter path. What is heard
 * of customers goes to everybody, the rest to customers only (Gao and Rexford, 2001). The drawing leaves nothing to
 * chance: two routes that are equal by this are an error.
 */
import { borders, lans, networks } from "./drawing.ts";
import { announced, found, networkNamed, networkOf } from "./plan.ts";
import { preferences } from "./sessions.ts";

/** From a network to one that hears of its routes. */
interface Edge {
  readonly from: string;
  readonly to: string;
  /** Whether `to` pays `from`. */
  readonly isDown: boolean;
  readonly preference: number;
  readonly prepends: Readonly<Record<string, number>>;
  readonly withholds: readonly string[];
}

interface Route {
  /** From the neighbour to the origin, prepends included; empty for an own prefix. */
  readonly path: readonly number[];
  readonly preference: number;
}

type Routes = ReadonlyMap<string, Route>;

export function allPrefixes(): string[] {
  return [...new Set(networks.flatMap(announced))];
}

let known: ReadonlyMap<string, Routes> | null = null;

/** The path of a network to a prefix, prepends included; empty for its own, null where it has none. */
export function expectedPath(network: string, prefix: string): readonly number[] | null {
  known ??= new Map(allPrefixes().map((each) => [each, routesTo(each)]));
  return known.get(prefix)?.get(network)?.path ?? null;
}

/** The networks that a packet goes through, each once, the first and the last included. */
export function expectedAsPath(network: string, target: string): number[] {
  const path = expectedPath(network, longestPrefix(target)) ?? [];
  return [networkNamed(network).asn, ...path].filter((asn, i, all) => asn !== all[i - 1]);
}

function longestPrefix(target: string): string {
  const bits = (text: string) => Number(text.split("/")[1]);
  const holders = allPrefixes().filter((prefix) => holds(prefix, target));
  return found(holders.sort((x, y) => bits(y) - bits(x))[0]);
}

function holds(prefix: string, address: string): boolean {
  const [base = "", bits] = prefix.split("/");
  const word = (text: string) => text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - Number(bits));
  return Math.floor(word(base) / size) === Math.floor(word(address) / size);
}

function routesTo(prefix: string): Routes {
  const origins = networks.filter((network) => announced(network).includes(prefix)).map(({ name }) => name);
  let routes: Routes = new Map();
  // The longest chain of networks is shorter.
  for (const _ of networks) {
    routes = new Map(
      networks.flatMap(({ name }) => {
        const route = origins.includes(name)
          ? { path: [], preference: preferences.own }
          : best(name, prefix, routes);
        return route === null ? [] : [[name, route] as const];
      }),
    );
  }
  return routes;
}

function best(name: string, prefix: string, routes: Routes): Route | null {
  const heard = edges().flatMap((edge): Route[] => {
    const route = edge.to === name ? routes.get(edge.from) : undefined;
    return route === undefined || !isSent(edge, prefix, route) ? [] : [passedOn(edge, prefix, route)];
  });
  const asn = networkNamed(name).asn;
  const [first, second] = heard
    .filter(({ path }) => !path.includes(asn))
    .sort((x, y) => y.preference - x.preference || x.path.length - y.path.length);
  const isTie = second?.preference === first?.preference && second?.path.length === first?.path.length;
  if (first !== undefined && second !== undefined && isTie && first.path.join() !== second.path.join()) {
    throw new Error(
      `The drawing leaves open how ${name} goes to ${prefix}: by ${first.path} or by ${second.path}`,
    );
  }
  return first ?? null;
}

function isSent({ isDown, withholds }: Edge, prefix: string, { preference, path }: Route): boolean {
  return path.length === 0 ? !withholds.includes(prefix) : isDown || preference >= preferences.customer;
}

function passedOn({ from, preference, prepends }: Edge, prefix: string, { path }: Route): Route {
  const more = path.length === 0 ? (prepends[prefix] ?? 0) : 0;
  return { path: [...Array<number>(1 + more).fill(networkNamed(from).asn), ...path], preference };
}

let drawn: readonly Edge[] | null = null;

function edges(): readonly Edge[] {
  drawn ??= [
    ...borders.flatMap(bothWays),
    ...lans.flatMap(({ members }) => meshed(members.map(({ router }) => router))),
  ];
  return drawn;
}

function bothWays({
  a,
  b,
  kind,
  preference,
  prepends = {},
  withholds = [],
}: (typeof borders)[number]): Edge[] {
  const [seller, buyer] = [nameOf(a), nameOf(b)];
  const isSold = kind === "sells";
  const up = isSold ? (preference ?? preferences.provider) : preferences.peer;
  return [
    { from: seller, to: buyer, isDown: isSold, preference: up, prepends: {}, withholds: [] },
    {
      ...{ from: buyer, to: seller, isDown: false, prepends, withholds },
      preference: isSold ? preferences.customer : preferences.peer,
    },
  ];
}

/** By a route server everybody hears of everybody else. */
function meshed(members: readonly string[]): Edge[] {
  return members.flatMap((one) =>
    members
      .filter((other) => other !== one)
      .map((other) => ({
        ...{ from: nameOf(one), to: nameOf(other), isDown: false, preference: preferences.peer },
        ...{ prepends: {}, withholds: [] },
      })),
  );
}

function nameOf(router: string): string {
  return found(networkOf(router)).name;
}
