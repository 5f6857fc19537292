/** `vantage token`: API tokens, which programs use instead of a login. */
import * as v from "valibot";
import { type Scope, scopeMeanings, scopes } from "../../../../lib/base/api/scopes.ts";
import { madeTokenAnswer, tokenAnswer, tokenUseAnswer } from "../../../../lib/base/api/tokens.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { defineGroup, subcommand } from "../../../../lib/command/command/command.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { kindOf, number, text, unfit } from "../../../../lib/command/command/kinds.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { campaignId, campaignKind } from "../campaign/campaign-id.ts";
import { measurementId, wholeId, wholeIdForm } from "../gateway/measurement-id.ts";
import { tokenDaysMax, tokenPageRowsMax } from "../limits.ts";

type Token = v.InferOutput<typeof tokenAnswer>;

const columns: readonly Column<Token>[] = [
  { name: "id", head: "token", value: ({ id }) => id },
  { name: "name", head: "name", value: ({ name }) => name },
  { name: "state", head: "state", value: ({ state }) => state },
  {
    name: "scopes",
    head: "scopes",
    value: (token) => token.scopes,
    text: (token) => token.scopes.join(" "),
  },
  { name: "measurement_id", head: null, value: (token) => token.measurement_id },
  { name: "campaign_id", head: null, value: (token) => token.campaign_id },
  { name: "probes_per_day", head: null, value: (token) => token.probes_per_day },
  { name: "probes_today", head: null, value: (token) => token.probes_today },
  { name: "made_by", head: null, value: (token) => token.made_by },
  { name: "created_at", head: null, value: (token) => token.created_at },
  {
    name: "expires_at",
    head: "until",
    value: (token) => token.expires_at,
    cell: (token) => token.expires_at.slice(0, 10),
  },
  { name: "revoked_at", head: null, value: (token) => token.revoked_at },
  { name: "last_used_at", head: "last used", value: (token) => token.last_used_at },
  { name: "last_used_from", head: "from", value: (token) => token.last_used_from },
];

const useColumns: readonly Column<v.InferOutput<typeof tokenUseAnswer>>[] = [
  { name: "day", head: "day", value: ({ day }) => day },
  { name: "tool", head: "tool", value: ({ tool }) => tool },
  { name: "requests", head: "requests", align: "right", value: ({ requests }) => requests },
];

const scopeKind = kindOf("SCOPE,…", "any", (given) => {
  const names = given.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !isScope(name));
  return unknown === undefined
    ? names.filter(isScope)
    : unfit(`"${unknown}" is none of ${scopes.join(", ")}`);
});

function isScope(name: string): name is Scope {
  return (scopes as readonly string[]).includes(name);
}

const tokenArgument = {
  token: {
    kind: text,
    placeholder: "TOKEN",
    required: true,
    meaning: "its id, the beginning of it, or its name",
  },
} as const;

const create = gatewayCommand({
  about: `Prints the token, once: the gateway keeps a hash of it. Give it to a program as VANTAGE_TOKEN. Scopes:

${scopes.map((scope) => `  ${scope.padEnd(20)} ${scopeMeanings[scope]}`).join("\n")}`,
  options: {
    scopes: { kind: scopeKind, required: true, short: "s", meaning: "what it may do, with commas between" },
    days: { kind: number(1, tokenDaysMax), default: 90, meaning: "days until it ends" },
    measurement: { kind: measurementId, meaning: "it is for this measurement alone" },
    campaign: { kind: campaignKind, meaning: "it is for this campaign, and what it measures, alone" },
    probesPerDay: { kind: number(0, 2 ** 50), meaning: "probes x agents that it may submit in a day" },
  },
  arguments: {
    name: { kind: text, placeholder: "NAME", required: true, meaning: "what the token is for" },
  },
  examples: [
    "vantage token create --scopes=measurements:read dashboard",
    "VANTAGE_TOKEN=$(vantage token create -s measurements:read,measurements:create ci -o json | jq -r .token)",
  ],
  act: async (session, { name, scopes: given, days, measurement, campaign, probesPerDay }) => {
    const gateway = await session.open();
    const { signal } = session;
    const body = JSON.stringify({
      name,
      scopes: given,
      expires_in_days: days,
      ...(measurement === null ? {} : { measurement_id: await wholeId(session, gateway, measurement) }),
      ...(campaign === null ? {} : { campaign_id: await campaignId(gateway, campaign, signal) }),
      ...(probesPerDay === null ? {} : { probes_per_day: probesPerDay }),
    });
    const headers = { "content-type": "application/json" };
    const ask = { method: "POST", headers, body, signal } as const;
    const made = await gateway.read("/api/tokens", madeTokenAnswer, ask);
    session.note("the token is shown this once: keep it, or make another one");
    session.printRecord([{ name: "token", head: "secret", value: (row) => row.token }, ...columns], made);
    return exitCodes.ok;
  },
});

const list = gatewayCommand({
  about: "The newest first; those that ended stay for a month.",
  options: {},
  arguments: {},
  examples: [
    "vantage token list",
    "vantage token list -o json | jq -r '.[] | select(.state == \"live\").name'",
  ],
  act: async (session) => {
    const tokens = await all(await session.open(), session.signal);
    session.printRows(
      columns,
      tokens,
      "no token; make one with: vantage token create --scopes=measurements:read NAME",
    );
    return exitCodes.ok;
  },
});

const uses = gatewayCommand({
  about: "Requests of each UTC day, by the name that the calling program gives itself.",
  options: {},
  arguments: tokenArgument,
  examples: ["vantage token uses dashboard"],
  act: async (session, { token }) => {
    const gateway = await session.open();
    const { signal } = session;
    const id = await tokenId(gateway, token, signal);
    const path = `/api/tokens/${id}/uses`;
    const rows = await gateway.read(path, v.array(tokenUseAnswer), { signal });
    session.printRows(useColumns, rows, "not used yet");
    return exitCodes.ok;
  },
});

const revoke = gatewayCommand({
  about: "It ends at once, and so do the tokens that it has made.",
  options: {},
  arguments: tokenArgument,
  examples: ["vantage token revoke dashboard"],
  act: async (session, { token }) => {
    const gateway = await session.open();
    const { signal } = session;
    const id = await tokenId(gateway, token, signal);
    const ask = { method: "DELETE", signal } as const;
    session.printRecord(columns, await gateway.read(`/api/tokens/${id}`, tokenAnswer, ask));
    return exitCodes.ok;
  },
});

function all(gateway: Gateway, signal: AbortSignal) {
  return gateway.read("/api/tokens", v.array(tokenAnswer), { query: { limit: tokenPageRowsMax }, signal });
}

/** Throws CommandError when none or several match; active tokens take precedence over ended ones. */
async function tokenId(gateway: Gateway, given: string, signal: AbortSignal): Promise<string> {
  if (wholeIdForm.test(given.toLowerCase())) {
    return given.toLowerCase();
  }
  const meant = (await all(gateway, signal)).filter(
    ({ id, name }) => name === given || (given !== "" && id.startsWith(given.toLowerCase())),
  );
  const live = meant.filter(({ state }) => state === "live");
  const [one, ...others] = live.length > 0 ? live : meant;
  if (one === undefined) {
    throw cannot(`You have no token "${given}": vantage token list`);
  }
  if (others.length > 0) {
    throw cannot(`"${given}" are ${others.length + 1} tokens: give more of the id`);
  }
  return one.id;
}

export const command = defineGroup({
  about:
    "A token goes where the token of a login goes, and gives no more than its scopes: docs/measure/tokens.md.",
  subcommands: [
    subcommand("create", "make a token, and show it once", create),
    subcommand("list", "list your tokens", list),
    subcommand("uses", "show what a token was used for", uses),
    subcommand("revoke", "end a token", revoke),
  ],
  examples: ["vantage token create --scopes=measurements:read dashboard", "vantage token revoke dashboard"],
});
