/** `vantage whoami`: the user of the token, today's usage, and the source prefixes. */
import * as v from "valibot";
import { userPrefixesAnswer } from "../../../../lib/base/api/users.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { timeInWords } from "../../../../lib/base/terminal/time-words.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { meSchema } from "../../../../lib/engines/gateway-client/answers.ts";
import { personText } from "./person-text.ts";

const prefixesSchema = v.pick(userPrefixesAnswer, ["agents"]);

interface Prefix {
  readonly agent: string;
  readonly agent_prefix: string;
  readonly user_prefix: string;
}

type Me = v.InferOutput<typeof meSchema> & {
  readonly gateway: string;
  readonly profile: string | null;
  readonly prefixes: readonly Prefix[];
};

const columns: readonly Column<Me>[] = [
  { name: "gateway", head: "gateway", value: ({ gateway }) => gateway },
  {
    name: "profile",
    head: "profile",
    value: ({ profile }) => profile,
    cell: (me) => me.profile ?? "none: a token by hand",
  },
  { name: "name", head: "user", value: ({ name }) => name, cell: (me) => personText(me) },
  { name: "user_id", head: null, value: ({ user_id }) => user_id },
  { name: "user_hash", head: null, value: ({ user_hash }) => user_hash },
  { name: "used", head: "used today", value: ({ used }) => used, cell: usedText },
  { name: "limit", head: null, value: ({ limit }) => limit },
  { name: "submission_count", head: "submissions", value: (me) => me.submission_count },
  { name: "last_submitted", head: "last one", value: (me) => me.last_submitted, cell: lastText },
  { name: "prefixes", head: null, value: ({ prefixes }) => prefixes, text: prefixesText },
];

const prefixColumns: readonly Column<Prefix>[] = [
  { name: "agent", head: "agent", value: ({ agent }) => agent },
  { name: "agent_prefix", head: "its prefix", value: ({ agent_prefix }) => agent_prefix },
  { name: "user_prefix", head: "yours in it", value: ({ user_prefix }) => user_prefix },
];

export const command = gatewayCommand({
  options: {},
  arguments: {},
  examples: ["vantage whoami", "VANTAGE_PROFILE=lab vantage whoami -o json"],
  act: whoami,
});

async function whoami(session: GatewaySession): Promise<ExitCode> {
  const gateway = await session.open();
  const { signal } = session;
  const me = await gateway.read("/api/user/me", meSchema, { signal });
  const { agents } = await gateway.read("/api/user/prefixes", prefixesSchema, { signal });
  const prefixes = agents.flatMap(({ agent_id, prefixes: own }) =>
    own.map((one) => ({ agent: agent_id, ...one })),
  );
  const profile = session.tokenOrigin === "profile" ? session.chosen().profile : null;
  session.printRecord(columns, { ...me, gateway: gateway.address, profile, prefixes });
  if (session.format === "table" && prefixes.length > 0) {
    session.screen.print("");
    session.printRows(prefixColumns, prefixes);
  }
  return exitCodes.ok;
}

function usedText({ used, limit }: Me): string {
  return `${grouped(used)} of ${grouped(limit)} probes`;
}

function lastText({ last_submitted }: Me): string {
  return last_submitted === null ? "none today" : `${timeInWords(last_submitted)} UTC`;
}

/** For CSV: `west 2001:db8:1::/80|east 2001:db8:2::/80`. */
function prefixesText({ prefixes }: Me): string {
  return prefixes.map(({ agent, user_prefix }) => `${agent} ${user_prefix}`).join("|");
}
