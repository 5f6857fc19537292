/** `vantage admin agents`: add, describe, pause and retire agents, and change their keys. */
import { defineGroup, subcommand } from "../../../lib/command/command/command.ts";
import { wrongUsage } from "../../../lib/command/command/command-error.ts";
import { confirmed, confirmOption } from "../../../lib/command/command/confirm.ts";
import { type ExitCode, exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../lib/command/command/gateway/session.ts";
import { kindOf, unfit } from "../../../lib/command/command/kinds.ts";
import type { Command } from "../../../lib/command/command/table.ts";
import { AdminApi } from "./admin-api.ts";
import { agentColumns, agentSchema, madeColumns } from "./agent-rows.ts";
import { keyIdArgument } from "./arguments.ts";
import { placeOf, placeOptions } from "./place-options.ts";

const agentArgument = {
  kind: kindOf("AGENT", "any", (given) =>
    /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : unfit("is not the id of an agent"),
  ),
  required: true,
  meaning: "its id",
} as const;

/** Changes one agent and shows it. */
async function changed(
  session: GatewaySession,
  method: "PATCH" | "DELETE",
  agent: string,
  body?: object,
): Promise<ExitCode> {
  const api = await AdminApi.open(session);
  const row = await api.send(method, `/agents/${agent}`, agentSchema, body);
  session.printRecord(agentColumns(Date.now()), row);
  return exitCodes.ok;
}

const list = gatewayCommand({
  options: {
    pending: { flag: true, meaning: "only those that report source prefixes which were not granted" },
  },
  arguments: {},
  examples: ["vantage admin agents list", "vantage admin agents list --pending"],
  act: async (session, { pending }) => {
    const api = await AdminApi.open(session);
    const query = { pending: pending === null ? undefined : String(pending) };
    const output = session.output(agentColumns(Date.now()));
    for await (const agent of api.list("/agents", agentSchema, { query, idOf: ({ id }) => id })) {
      output.add(agent);
    }
    output.finish();
    return exitCodes.ok;
  },
});

const show = gatewayCommand({
  options: {},
  arguments: { agent: agentArgument },
  examples: ["vantage admin agents show west"],
  act: async (session, { agent }) => {
    const api = await AdminApi.open(session);
    session.printRecord(agentColumns(Date.now()), await api.read(`/agents/${agent}`, agentSchema));
    return exitCodes.ok;
  },
});

const add = gatewayCommand({
  about:
    "Its key is shown once: put it into the agent's configuration. For many agents see: vantage admin enrolment.",
  options: placeOptions,
  arguments: { agent: agentArgument },
  examples: ["vantage admin agents add west --tag eu --country NO --as 64500 --grant 2001:db8:a::/48"],
  act: async (session, { agent, ...given }) => {
    const api = await AdminApi.open(session);
    const made = await api.send("POST", "/agents", agentSchema, { id: agent, ...placeOf(given) });
    session.printRecord(madeColumns(Date.now()), made);
    return exitCodes.ok;
  },
});

const set = gatewayCommand({
  about: "Values that are not given stay unchanged.",
  options: {
    ...placeOptions,
    clearTags: { flag: true, default: false, notWith: ["tag"], meaning: "remove its tags" },
  },
  arguments: { agent: agentArgument },
  examples: [
    "vantage admin agents set west --tag eu --tag anycast",
    "vantage admin agents set west --country NO",
  ],
  act: (session, { agent, clearTags, ...given }) => {
    const body = { ...placeOf(given), ...(clearTags ? { tags: [] } : {}) };
    if (Object.keys(body).length === 0) {
      throw wrongUsage("nothing is to be changed: --tag, --country, --location, --as or --grant");
    }
    return changed(session, "PATCH", agent, body);
  },
});

function pausing(paused: boolean): Command {
  const word = paused ? "pause" : "resume";
  return gatewayCommand({
    options: {},
    arguments: { agent: agentArgument },
    examples: [`vantage admin agents ${word} west`],
    act: (session, { agent }) => changed(session, "PATCH", agent, { paused }),
  });
}

const retire = gatewayCommand({
  about: "Its keys end, it is shown nowhere, and its id stays taken, as results refer to it.",
  options: confirmOption,
  arguments: { agent: agentArgument },
  examples: ["vantage admin agents retire west"],
  act: async (session, { agent, confirm: given }) => {
    const { signal } = session;
    await confirmed({
      what: [`Agent ${agent} will be retired. This cannot be undone.`],
      word: agent,
      given,
      signal,
    });
    return changed(session, "DELETE", agent);
  },
});

const key = gatewayCommand({
  about: "The key is shown once. Others stay valid until they are revoked.",
  options: { revokeOthers: { flag: true, default: false, meaning: "end all other keys of it now" } },
  arguments: { agent: agentArgument },
  examples: [
    "vantage admin agents key west",
    "vantage admin agents key west --revoke-others -o json | jq -r .agent_key",
  ],
  act: async (session, { agent, revokeOthers }) => {
    const api = await AdminApi.open(session);
    const body = { revoke_others: revokeOthers };
    session.printRecord(
      madeColumns(Date.now()),
      await api.send("POST", `/agents/${agent}/keys`, agentSchema, body),
    );
    return exitCodes.ok;
  },
});

const revokeKey = gatewayCommand({
  options: {},
  arguments: { agent: agentArgument, key: keyIdArgument },
  examples: ["vantage admin agents revoke-key west 0123456789abcdef"],
  act: async (session, { agent, key: keyId }) => {
    const api = await AdminApi.open(session);
    const row = await api.send("DELETE", `/agents/${agent}/keys/${keyId}`, agentSchema);
    session.printRecord(agentColumns(Date.now()), row);
    return exitCodes.ok;
  },
});

export const command = defineGroup({
  subcommands: [
    subcommand("list", "list agents with what only operators see", list),
    subcommand("show", "show an agent", show),
    subcommand("add", "make an agent, and a key for it", add),
    subcommand("set", "set an agent's place, tags and source prefixes", set),
    subcommand("pause", "pause an agent: it sends nothing", pausing(true)),
    subcommand("resume", "resume an agent", pausing(false)),
    subcommand("retire", "retire an agent permanently", retire),
    subcommand("key", "make another key for an agent", key),
    subcommand("revoke-key", "revoke a key of an agent", revokeKey),
  ],
  examples: ["vantage admin agents set west --tag eu"],
});
