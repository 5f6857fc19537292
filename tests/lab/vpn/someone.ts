/** What a person does in a browser and at a keyboard, at the core: the development issuer is on its loopback only. */
import { join } from "node:path";
import type { Place } from "./place.ts";

const script = [process.execPath, join(import.meta.dirname, "person.ts")];

/** Opens the address that `tailscale up` shows, and logs in. */
export async function logInToVpn(
  { transcript, certificate }: Place,
  url: string,
  name: string,
): Promise<void> {
  const env = { NODE_EXTRA_CA_CERTS: certificate };
  await transcript.run("core", [...script, "join", url, name], { env, isQuiet: true });
  transcript.say(`   (${name} opens it in a browser, and logs in)`);
}

/** A token of the gateways, by device code. */
export async function tokenOf({ transcript }: Place, issuerUrl: string, name: string): Promise<string> {
  return (await transcript.run("core", [...script, "token", issuerUrl, name], { isQuiet: true })).trim();
}
