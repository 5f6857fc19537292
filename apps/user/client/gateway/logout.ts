/** `vantage logout`: ends a login, here and at the issuer. */
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { wrongUsage } from "../../../../lib/command/command/command-error.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { GatewayError } from "../../../../lib/engines/gateway-client/gateway-error.ts";
import { Issuer } from "../../../../lib/engines/gateway-client/issuer.ts";
import type { Profile } from "../../../../lib/engines/gateway-client/profile.ts";

interface LoggedOut {
  readonly profile: string;
  readonly gateway: string;
}

const columns: readonly Column<LoggedOut>[] = [
  { name: "profile", head: "logged out", value: ({ profile }) => profile },
  { name: "gateway", head: "gateway", value: ({ gateway }) => gateway },
];

export const command = gatewayCommand({
  about: "The gateway's address is kept, for the next login.",
  options: {},
  arguments: {},
  examples: ["vantage logout", "vantage logout --profile=lab"],
  act: logout,
});

async function logout(session: GatewaySession): Promise<ExitCode> {
  if (session.common.tokenStdin) {
    throw wrongUsage("logout ends a login that is kept: leave --token-stdin out");
  }
  const { address, profile: name } = session.chosen();
  const profile = name === null ? null : session.profiles.read(name);
  if (name === null || profile === null || profile.tokens === null) {
    session.note(`not logged in at ${address}`);
    return exitCodes.ok;
  }
  const refreshToken = await forget(session, name, profile);
  if (refreshToken !== null) {
    await revoke(session, profile, refreshToken);
  }
  session.printRecord(columns, { profile: name, gateway: profile.gateway });
  return exitCodes.ok;
}

/** Under the lock, so that a renewal in another process does not bring the tokens back; resolves to the last one. */
async function forget(session: GatewaySession, name: string, known: Profile): Promise<string | null> {
  using _lock = await session.profiles.lock(name);
  const profile = session.profiles.read(name) ?? known;
  session.profiles.write(name, { ...profile, tokens: null });
  return profile.tokens?.refresh_token ?? null;
}

/** The local login is gone already; an unreachable issuer is only noted. */
async function revoke(session: GatewaySession, profile: Profile, refreshToken: string): Promise<void> {
  try {
    const issuer = await Issuer.discover(profile);
    await issuer.revoke(refreshToken);
  } catch (error) {
    if (!(error instanceof GatewayError)) {
      throw error;
    }
    session.note(`${error.message}; it expires there by itself`);
  }
}
