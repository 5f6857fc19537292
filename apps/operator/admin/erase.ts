/** `vantage admin users erase`: erases a user at both gateways and in the column store, and reports what is left. */
import type * as v from "valibot";
import { erasureAnswer } from "../../../lib/base/api/erasure.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { timeInWords } from "../../../lib/base/terminal/time-words.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { confirmed, confirmOption } from "../../../lib/command/command/confirm.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import type { GatewaySession } from "../../../lib/command/command/gateway/session.ts";
import { GatewayError } from "../../../lib/engines/gateway-client/gateway-error.ts";
import { type AdminApi, knownAnswer } from "./admin-api.ts";
import { userArgument } from "./arguments.ts";
import { type Both, bothCommand } from "./both-command.ts";
import { busyPollMs, busyWaitMs } from "./limits.ts";
import { hashOf } from "./who.ts";

type Erasure = v.InferOutput<typeof erasureAnswer>;

interface Row {
  readonly gateway: keyof Both;
  readonly place: string;
  readonly what: string;
  readonly state: "erased" | "remains";
  readonly rows: number | null;
  readonly until: string | null;
}

const columns: readonly Column<Row>[] = [
  { name: "gateway", head: "gateway", value: ({ gateway }) => gateway },
  { name: "state", head: "state", value: ({ state }) => state },
  { name: "place", head: "where", value: ({ place }) => place },
  { name: "rows", head: "rows", align: "right", value: ({ rows }) => rows },
  {
    name: "until",
    head: "until (UTC)",
    value: ({ until }) => until,
    cell: ({ until }) => (until === null ? "" : timeInWords(until)),
  },
  { name: "what", head: "what", value: ({ what }) => what },
];

export const eraseCommand = bothCommand({
  isWhole: true,
  about: `Suspends the user, cancels running measurements, waits until agents have stopped, then erases results, \
measurements, leases, ASN and account, and the name in the audit. The name has to be typed once more. A user \
who logs in again with the same account is a new user. Where there is no exchange: --only probing.`,
  options: {
    ...confirmOption,
    storeErased: {
      flag: true,
      default: false,
      meaning: "the rows of the column store were erased by hand, as the gateway may only read it",
    },
  },
  arguments: { user: userArgument },
  examples: [
    "vantage admin users erase 'auth0|68a1'",
    [
      "vantage admin users erase 'auth0|68a1' --confirm 'auth0|68a1' -o json",
      "without a question, for scripts",
    ],
  ],
  exits: { partial: "agents may still send probes of the user: run it again at the time shown" },
  act: async (session, both, { user, confirm: given, storeErased }) => {
    const hash = await hashOf(both, user);
    const known = await knownAt(both, hash);
    if (known.length === 0) {
      throw cannot(`No such user: ${user}. There is nothing to erase`);
    }
    const what = [
      `All of ${user} (hash ${hash}) is erased permanently: ${known.map((one) => `${one} gateway`).join(" and ")}.`,
    ];
    await confirmed({ what, word: user, given, signal: session.signal });
    const output = session.output(columns);
    for (const gateway of known) {
      const path = `/users/${hash}${gateway === "probing" && storeErased ? "?store=skip" : ""}`;
      const erasure = await erasedAt(session, both[gateway], path);
      if (erasure === null) {
        output.finish();
        return exitCodes.partial;
      }
      for (const row of rowsOf(gateway, erasure)) {
        output.add(row);
      }
    }
    output.finish();
    return exitCodes.ok;
  },
});

/** Gateways with data of the user, in the order of erasure. */
async function knownAt(both: Both, hash: string): Promise<(keyof Both)[]> {
  const known: (keyof Both)[] = [];
  for (const gateway of ["probing", "peering"] as const) {
    const answer = await knownAnswer(both[gateway], `/users/${hash}`);
    await answer?.body?.cancel();
    known.push(...(answer === null ? [] : [gateway]));
  }
  return known;
}

/** Null while agents may still send, after a wait. */
async function erasedAt(
  session: GatewaySession,
  api: AdminApi | null,
  path: string,
): Promise<Erasure | null> {
  const giveUpAtMs = performance.now() + busyWaitMs;
  for (;;) {
    try {
      return (await api?.send("DELETE", path, erasureAnswer)) ?? null;
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== "user_busy") {
        throw withStatements(session, error);
      }
      if (performance.now() > giveUpAtMs) {
        session.note(error.message);
        return null;
      }
      session.progress.draw(error.message);
      await Bun.sleep(busyPollMs);
      session.progress.clear();
      session.signal.throwIfAborted();
    }
  }
}

/** For a read-only store: the statements that its owner must run. */
function withStatements(session: GatewaySession, error: unknown): unknown {
  const statements = error instanceof GatewayError ? error.details.statements : undefined;
  if (Array.isArray(statements)) {
    session.noteMore(statements.map((statement) => `${statement};`));
    return cannot(
      "The column store refuses to erase rows: run these statements there, then this command with --store-erased",
      { cause: error },
    );
  }
  return error;
}

function rowsOf(gateway: keyof Both, { erased, remains }: Erasure): Row[] {
  return [
    ...erased.map((one): Row => ({ gateway, state: "erased", until: null, ...one })),
    ...remains.map((one): Row => ({ gateway, state: "remains", rows: null, ...one })),
  ];
}
