/** `vantage login`: logs in at the gateway's issuer. */

import type * as v from "valibot";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { durationInWords } from "../../../../lib/base/terminal/time-words.ts";
import { wrongUsage } from "../../../../lib/command/command/command-error.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { type GatewaySession, userAgent } from "../../../../lib/command/command/gateway/session.ts";
import { kindOf, unfit } from "../../../../lib/command/command/kinds.ts";
import { meSchema } from "../../../../lib/engines/gateway-client/answers.ts";
import { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { clientSide } from "../../../../lib/engines/gateway-client/gateway-error.ts";
import type { DevicePrompt } from "../../../../lib/engines/gateway-client/issuer.ts";
import { logIn } from "../../../../lib/engines/gateway-client/log-in.ts";
import {
  gatewayAddressOf,
  isProfileName,
  isReadableOnTheWay,
  profileNameOf,
} from "../../../../lib/engines/gateway-client/profile.ts";
import { StoredToken } from "../../../../lib/engines/gateway-client/stored-token.ts";
import { personText } from "./person-text.ts";

interface LoggedIn {
  readonly profile: string;
  readonly gateway: string;
  readonly me: v.InferOutput<typeof meSchema>;
}

const columns: readonly Column<LoggedIn>[] = [
  { name: "profile", head: "profile", value: ({ profile }) => profile },
  { name: "gateway", head: "gateway", value: ({ gateway }) => gateway },
  { name: "name", head: "user", value: ({ me }) => me.name, cell: ({ me }) => personText(me) },
  { name: "user_id", head: null, value: ({ me }) => me.user_id },
  { name: "user_hash", head: null, value: ({ me }) => me.user_hash },
];

const gatewayAddress = kindOf(
  "URL",
  "any",
  (given) => gatewayAddressOf(given) ?? unfit("is not an address, as https://exchange.example"),
);

export const command = gatewayCommand({
  about: `The login is kept in $XDG_CONFIG_HOME/vantage (~/.config/vantage), readable by you only, and renewed when \
needed. There may be several: one for each gateway, or more by --profile. The last one is used where none is named.`,
  options: {
    peeringGateway: {
      kind: gatewayAddress,
      defaultText: "the gateway's",
      meaning: "gateway of the exchange, for vantage peering",
    },
  },
  arguments: {},
  examples: [
    "vantage login --gateway=https://gateway.example",
    "vantage login --profile=lab --gateway=http://127.0.0.1:8093",
    "VANTAGE_PROFILE=lab vantage whoami",
  ],
  exits: { ok: "logged in", interrupted: "interrupted" },
  act: login,
});

interface Given {
  /** Null = the gateway's, or the stored address. */
  readonly peeringGateway: string | null;
}

async function login(session: GatewaySession, { peeringGateway }: Given): Promise<ExitCode> {
  if (session.common.tokenStdin) {
    throw wrongUsage("login keeps no token that is given by hand: leave --token-stdin out");
  }
  const { address, name } = destination(session);
  if (isReadableOnTheWay(address)) {
    session.note(`${address} is not encrypted: anyone on the path can use your login`);
  }
  const show = (prompt: DevicePrompt) => {
    const where = isOfThisMachine(prompt.url) ? "on this machine" : "on any device";
    session.note(`confirm this login in a browser, ${where}:`);
    session.noteMore(promptLines(prompt));
  };
  const { profiles, signal } = session;
  await logIn({ address, name, profiles, userAgent, peeringGateway }, show, signal);
  const before = session.profiles.current();
  session.profiles.use(name);
  if (before !== null && before !== name) {
    session.note(`profile "${name}" is in use from now on; back to "${before}": vantage profiles ${before}`);
  }
  session.printRecord(columns, { profile: name, gateway: address, me: await meOf(session, name) });
  return exitCodes.ok;
}

/** The issuer of a platform for development is on the loopback. */
function isOfThisMachine(url: string): boolean {
  return new URL(url).protocol === "http:" && !isReadableOnTheWay(url);
}

/** Where to log in, and the profile's name. Throws CommandError, GatewayError. */
function destination(session: GatewaySession): { address: string; name: string } {
  const wanted = session.common.profile ?? (process.env.VANTAGE_PROFILE || null);
  if (wanted !== null && !isProfileName(wanted)) {
    throw wrongUsage(`--profile "${wanted}": give up to 64 letters, digits, dots, hyphens and underscores`);
  }
  if (wanted !== null && session.profiles.read(wanted) === null) {
    const given = session.common.address ?? process.env.VANTAGE_GATEWAY ?? "";
    const address = gatewayAddressOf(given);
    if (address === null) {
      throw clientSide("unknownGateway", `Profile "${wanted}" is new: give its gateway with --gateway=URL`);
    }
    return { address, name: wanted };
  }
  const { address, profile } = session.chosen();
  return { address, name: profile ?? profileNameOf(address) };
}

function promptLines({ url, completeUrl, userCode, expiresInS }: DevicePrompt): string[] {
  return [
    "",
    `  open      ${url}`,
    `  and give  ${userCode}`,
    ...(completeUrl === null ? [] : ["", `  or open   ${completeUrl}`]),
    "",
    `Waiting; the code expires in ${durationInWords(expiresInS * 1000)} …`,
  ];
}

/** The first use of the token: a gateway that refuses it shows now. */
async function meOf(session: GatewaySession, name: string): Promise<v.InferOutput<typeof meSchema>> {
  const { address } = session.chosen();
  const gateway = new Gateway({ address, tokens: new StoredToken(session.profiles, name), userAgent });
  return await gateway.read("/api/user/me", meSchema, { signal: session.signal });
}
