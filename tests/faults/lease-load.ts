/** Users who take leases and give them back all the time; their answers are compared with the database. */
import { hashOf, inPath } from "../contract/peering-gateway/peering-home.ts";
import type { Peering } from "./peering.ts";

const retryMs = 100;
const holdMsMax = 400;
const restMsMax = 400;

interface Told {
  readonly user: string;
  readonly prefix: string;
  readonly start: string;
}

export interface LeaseFigures {
  readonly taken: number;
  readonly released: number;
  /** Requests without a good answer, in the middle of a fault. */
  readonly refused: number;
  /** Told, and not in the database as told. */
  readonly lost: number;
  /** Pairs of leases of one prefix, or of one user, at the same time. */
  readonly doubled: number;
}

export class LeaseLoad {
  refused = 0;
  readonly #peering: Peering;
  readonly #taken: Told[] = [];
  readonly #released: Told[] = [];
  #isOver = false;
  readonly #users: Promise<void>[];

  constructor(peering: Peering, users: readonly string[]) {
    this.#peering = peering;
    this.#users = users.map((user) => this.#live(user));
  }

  get taken(): number {
    return this.#taken.length;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#users);
  }

  /** When nobody asks for anything any more. */
  async figures(): Promise<LeaseFigures> {
    await using database = await this.#peering.openDatabase();
    const rows = await database.sql<
      Row[]
    >`SELECT user_hash, prefix, start_time AS start, closed_as FROM leases`;
    const known = new Map(rows.map((row) => [keyOf(row.user_hash, row.prefix, row.start), row.closed_as]));
    const closedAs = ({ user, prefix, start }: Told) =>
      known.get(keyOf(hashOf(user), prefix, new Date(start)));
    const lost =
      this.#taken.filter((told) => closedAs(told) === undefined).length +
      this.#released.filter((told) => closedAs(told) !== "released").length;
    const [row] = await database.sql<{ pairs: number }[]>`
      SELECT count(*) AS pairs FROM leases AS a
        JOIN leases AS b ON (a.prefix = b.prefix OR a.user_hash = b.user_hash) AND a.lease_id < b.lease_id
      WHERE a.start_time < b.end_time AND b.start_time < a.end_time`;
    return {
      taken: this.#taken.length,
      released: this.#released.length,
      refused: this.refused,
      lost,
      doubled: Number(row?.pairs ?? -1),
    };
  }

  async #live(user: string): Promise<void> {
    while (!this.#isOver) {
      try {
        await this.#oneRound(user);
      } catch {
        this.refused++;
        await Bun.sleep(retryMs);
      }
    }
  }

  async #oneRound(user: string): Promise<void> {
    const told = (await this.#take(user)) ?? (await this.#current(user));
    await Bun.sleep(Math.random() * holdMsMax);
    if (told !== null) {
      await this.#release(told);
    }
    await Bun.sleep(Math.random() * restMsMax);
  }

  /** Null when the user has one: the answer to an earlier request may have been lost. */
  async #take(user: string): Promise<Told | null> {
    const response = await this.#peering.ask(user, "POST", "/api/user/prefix", { duration_hours: 1 });
    if (response.status === 403) {
      return null;
    }
    const told = { user, ...startOf(await goodBody(response)) };
    this.#taken.push(told);
    return told;
  }

  async #current(user: string): Promise<Told | null> {
    const body = await goodBody(await this.#peering.ask(user, "GET", "/api/user/info"));
    const [lease] = body.active_leases ?? [];
    return lease === undefined ? null : { user, ...startOf(lease) };
  }

  /** 404 when an earlier request did it, whose answer was lost. */
  async #release(told: Told): Promise<void> {
    const path = `/api/user/prefix/${inPath(told.prefix)}`;
    const { status } = await this.#peering.ask(told.user, "DELETE", path);
    if (status === 204) {
      this.#released.push(told);
    } else if (status !== 404) {
      throw new Error(`A lease is not released: ${status}`);
    }
  }
}

interface Lease {
  readonly prefix: string;
  readonly start_time: string;
}

function startOf({ prefix, start_time: start }: Lease): Pick<Told, "prefix" | "start"> {
  return { prefix, start };
}

async function goodBody(response: Response): Promise<Lease & { readonly active_leases?: readonly Lease[] }> {
  if (!response.ok) {
    throw new Error(`${response.status}: ${await response.text()}`);
  }
  return JSON.parse(await response.text());
}

interface Row {
  readonly user_hash: string;
  readonly prefix: string;
  readonly start: Date;
  readonly closed_as: string | null;
}

function keyOf(userHash: string, prefix: string, start: Date): string {
  return `${userHash} ${prefix} ${start.toISOString()}`;
}
