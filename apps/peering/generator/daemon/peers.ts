/** Users' sessions and routes, from BIRD. */
import { sharedAnswer } from "../../../../lib/engines/http/shared-answer.ts";
import { type RpkiCache, readCaches } from "../../../../lib/peering/bird/caches.ts";
import { askBird, orderBird } from "../../../../lib/peering/bird/control.ts";
import { type Route, readRoutes } from "../../../../lib/peering/bird/routes.ts";
import { type BirdSession, readSessions } from "../../../../lib/peering/bird/sessions.ts";
import { isSessionAddress } from "../../../../lib/peering/policy/vpn-node.ts";
import { refusedOutsideMax } from "../limits.ts";

export interface SessionsSeen {
  /** BIRD's own clock, to compare with the times of sessions. */
  readonly clock: string;
  /** When it started, by that clock. */
  readonly startedAt: string;
  /** Those of users. */
  readonly sessions: readonly BirdSession[];
  /** Those with upstreams, peers and route servers. */
  readonly outside: readonly BirdSession[];
  readonly caches: readonly RpkiCache[];
}

export interface PeersSeen extends SessionsSeen {
  /** By name of the session; absent for a session without routes. */
  readonly accepted: ReadonlyMap<string, readonly Route[]>;
  readonly refused: ReadonlyMap<string, readonly Route[]>;
}

/** A session with an upstream, a peer or a route server that a route is exported to. */
interface Outside {
  readonly name: string;
  readonly asn: number;
}

/** By the session that a route was received on, and its prefix. */
export type ReceivedOutside = ReadonlyMap<string, readonly Outside[]>;

/** Key of a route in `ReceivedOutside`. */
export function routeKey({ protocol, prefix }: Pick<Route, "protocol" | "prefix">): string {
  return `${protocol} ${prefix}`;
}

/** Walks the full table once for all users, whose routes are few in it. */
const ofUsers = "where source = RTS_BGP && from ~ 100.64.0.0/10 all";
const fromOutside = "where source = RTS_BGP && !(from ~ 100.64.0.0/10) all";

export class Peers {
  /**
   * Everything at once, cached for `ageMs`. Throws Failure `daemon`.
   *
   * BIRD has one thread, and each query for sessions or routes walks all of them: 60 ms with 1,000 sessions and a full
   * table. A query for each of 1,000 users' pages would take all its time.
   */
  readonly seen: () => Promise<PeersSeen>;
  /**
   * The outside sessions that users' routes are exported to; cached ten times as long, as BIRD walks the table for
   * each.
   */
  readonly receivedOutside: () => Promise<ReceivedOutside>;
  readonly #controlSocket: string;
  readonly #refusedOutside: () => Promise<ReadonlyMap<string, readonly Route[]>>;

  constructor(controlSocket: string, ageMs: number) {
    this.#controlSocket = controlSocket;
    this.seen = sharedAnswer(ageMs, () => this.#look());
    this.receivedOutside = sharedAnswer(10 * ageMs, () => this.#lookOutside());
    this.#refusedOutside = sharedAnswer(10 * ageMs, () => this.#routes(`show route filtered ${fromOutside}`));
  }

  /** Current sessions, those of users in 100.64.0.0/10, and RPKI caches. Throws Failure `daemon`. */
  async sessions(): Promise<SessionsSeen> {
    return { ...(await this.#protocols()), ...(await this.#times()) };
  }

  /**
   * Refused routes of these sessions outside, by the session's name; null = more than `refusedOutsideMax`. Cached like
   * `receivedOutside`. BIRD has said how many there are, so it is not asked where there is none. Throws Failure
   * `daemon`.
   */
  async refusedOutside(
    outside: readonly BirdSession[],
  ): Promise<ReadonlyMap<string, readonly Route[]> | null> {
    const count = outside.reduce((sum, { filteredRoutes }) => sum + filteredRoutes, 0);
    if (count === 0 || count > refusedOutsideMax) {
      return count === 0 ? new Map() : null;
    }
    return await this.#refusedOutside();
  }

  /** Users' routes in the table now. Throws Failure `daemon`. */
  async acceptedRoutes(): Promise<Route[]> {
    return readRoutes(await askBird(this.#controlSocket, `show route ${ofUsers}`));
  }

  /** Disables a session with all its routes, or enables it again. Throws Failure `daemon`. */
  async switchSession(name: string, isOn: boolean): Promise<void> {
    // The name is BIRD's own, and yet it is put into a command.
    if (/^\w+$/.test(name)) {
      await orderBird(this.#controlSocket, `${isOn ? "enable" : "disable"} ${name}`);
    }
  }

  /** One after the other: BIRD answers one at a time anyway. */
  async #look(): Promise<PeersSeen> {
    return {
      ...(await this.sessions()),
      accepted: await this.#routes(`show route ${ofUsers}`),
      refused: await this.#routes(`show route filtered ${ofUsers}`),
    };
  }

  async #lookOutside(): Promise<ReceivedOutside> {
    const received = new Map<string, Outside[]>();
    for (const { name, isUp, neighborAsn: asn } of (await this.#protocols()).outside) {
      // The name is BIRD's own, and yet it is put into a command.
      if (!isUp || !/^\w+$/.test(name)) {
        continue;
      }
      for (const route of readRoutes(
        await askBird(this.#controlSocket, `show route export ${name} ${ofUsers}`),
      )) {
        received.set(routeKey(route), [...(received.get(routeKey(route)) ?? []), { name, asn }]);
      }
    }
    return received;
  }

  async #protocols(): Promise<Omit<SessionsSeen, "clock" | "startedAt">> {
    const lines = await askBird(this.#controlSocket, "show protocols all");
    const all = readSessions(lines);
    return {
      sessions: all.filter(({ neighborAddress }) => isSessionAddress(neighborAddress)),
      outside: all.filter(({ neighborAddress }) => !isSessionAddress(neighborAddress)),
      caches: readCaches(lines),
    };
  }

  async #times(): Promise<Pick<SessionsSeen, "clock" | "startedAt">> {
    const answer = await askBird(this.#controlSocket, "show status");
    const after = (words: RegExp) =>
      answer
        .find(({ text }) => words.test(text))
        ?.text.replace(words, "")
        .trim() ?? "";
    return { clock: after(/^.*Current server time is /), startedAt: after(/^.*Last reboot on /) };
  }

  async #routes(command: string): Promise<Map<string, Route[]>> {
    const routes = readRoutes(await askBird(this.#controlSocket, command));
    return Map.groupBy(routes, ({ protocol }) => protocol);
  }
}
