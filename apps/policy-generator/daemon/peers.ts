/** What BIRD knows of users' sessions and routes. */
import { askBird } from "../../../lib/bird/control.ts";
import { type Route, readRoutes } from "../../../lib/bird/routes.ts";
import { type BirdSession, readSessions } from "../../../lib/bird/sessions.ts";
import { sharedAnswer } from "../../../lib/http/shared-answer.ts";
import { isSessionAddress } from "../../../lib/policy/vpn-node.ts";

export interface PeersSeen {
  /** BIRD's own clock, to compare with what it says of sessions. */
  readonly clock: string;
  readonly sessions: readonly BirdSession[];
  /** By name of the session; none where it has none. */
  readonly accepted: ReadonlyMap<string, readonly Route[]>;
  readonly refused: ReadonlyMap<string, readonly Route[]>;
}

/** A session with an upstream, a peer or a route server that a route is told to. */
export interface Outside {
  readonly name: string;
  readonly asn: number;
}

/** By the session that a route came by, and its prefix. */
export type HeardOutside = ReadonlyMap<string, readonly Outside[]>;

/** Where a route is in `HeardOutside`. */
export function routeKey({ protocol, prefix }: Pick<Route, "protocol" | "prefix">): string {
  return `${protocol} ${prefix}`;
}

/** Walks the full table once for all users, whose routes are few in it. */
const ofUsers = "where source = RTS_BGP && from ~ 100.64.0.0/10 all";

export class Peers {
  /**
   * Everything at once, shared by all who ask within `ageMs`. Throws DaemonError.
   *
   * BIRD has one thread, and each question about sessions or routes walks all of them: 60 ms with 1,000 sessions and a
   * full table. Asked for each of 1,000 users' pages it would do nothing else.
   */
  readonly seen: () => Promise<PeersSeen>;
  /** Who hears users' routes outside; up to ten times as old, as BIRD walks the table for each who hears. */
  readonly heardOutside: () => Promise<HeardOutside>;
  readonly #controlSocket: string;

  constructor(controlSocket: string, ageMs: number) {
    this.#controlSocket = controlSocket;
    this.seen = sharedAnswer(ageMs, () => this.#look());
    this.heardOutside = sharedAnswer(10 * ageMs, () => this.#lookOutside());
  }

  /** Sessions of users, of 100.64.0.0/10, as they are now, and BIRD's clock. Throws DaemonError. */
  async sessions(): Promise<Pick<PeersSeen, "clock" | "sessions">> {
    const all = await this.#allSessions();
    const sessions = all.filter(({ neighborAddress }) => isSessionAddress(neighborAddress));
    return { clock: await this.#clock(), sessions };
  }

  /** Users' routes that are in the table now. Throws DaemonError. */
  async acceptedRoutes(): Promise<Route[]> {
    return readRoutes(await askBird(this.#controlSocket, `show route ${ofUsers}`));
  }

  /** Ends a session with all its routes, whatever its peer asks for; or lets it come up again. Throws DaemonError. */
  async switchSession(name: string, isOn: boolean): Promise<void> {
    // The name is BIRD's own, and yet it is put into a command.
    if (/^\w+$/.test(name)) {
      await askBird(this.#controlSocket, `${isOn ? "enable" : "disable"} ${name}`);
    }
  }

  async #allSessions(): Promise<BirdSession[]> {
    return readSessions(await askBird(this.#controlSocket, "show protocols all"));
  }

  /** One after the other: BIRD answers one at a time anyway. */
  async #look(): Promise<PeersSeen> {
    return {
      ...(await this.sessions()),
      accepted: await this.#routes(`show route ${ofUsers}`),
      refused: await this.#routes(`show route filtered ${ofUsers}`),
    };
  }

  async #lookOutside(): Promise<HeardOutside> {
    const heard = new Map<string, Outside[]>();
    for (const { name, isUp, neighborAddress, neighborAsn: asn } of await this.#allSessions()) {
      // The name is BIRD's own, and yet it is put into a command.
      if (!isUp || isSessionAddress(neighborAddress) || !/^\w+$/.test(name)) {
        continue;
      }
      for (const route of readRoutes(
        await askBird(this.#controlSocket, `show route export ${name} ${ofUsers}`),
      )) {
        heard.set(routeKey(route), [...(heard.get(routeKey(route)) ?? []), { name, asn }]);
      }
    }
    return heard;
  }

  async #clock(): Promise<string> {
    const answer = await askBird(this.#controlSocket, "show status");
    const line = answer.find(({ text }) => text.includes("Current server time"));
    return line?.text.replace(/^.*time is /, "").trim() ?? "";
  }

  async #routes(command: string): Promise<Map<string, Route[]>> {
    const routes = readRoutes(await askBird(this.#controlSocket, command));
    return Map.groupBy(routes, ({ protocol }) => protocol);
  }
}
