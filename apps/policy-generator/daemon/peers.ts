/** What BIRD knows of users' sessions and routes. */
import { askBird } from "../../../lib/bird/control.ts";
import { type Route, readRoutes } from "../../../lib/bird/routes.ts";
import { readSessions, type Session } from "../../../lib/bird/sessions.ts";
import { isSessionAddress } from "../../../lib/policy/vpn-node.ts";

export class Peers {
  readonly #controlSocket: string;

  constructor(controlSocket: string) {
    this.#controlSocket = controlSocket;
  }

  /** Sessions of users, of 100.64.0.0/10. Throws DaemonError. */
  async sessions(): Promise<Session[]> {
    const sessions = readSessions(await askBird(this.#controlSocket, "show protocols all"));
    return sessions.filter(({ neighborAddress }) => isSessionAddress(neighborAddress));
  }

  /** BIRD's own clock, to compare with what it says of sessions. Throws DaemonError. */
  async clock(): Promise<string> {
    const answer = await askBird(this.#controlSocket, "show status");
    const line = answer.find(({ text }) => text.includes("Current server time"));
    return line?.text.replace(/^.*time is /, "").trim() ?? "";
  }

  /** Throws DaemonError. */
  async routes(session: string): Promise<{ accepted: Route[]; refused: Route[] }> {
    // The name is BIRD's own, and yet it is put into a command.
    if (!/^\w+$/.test(session)) {
      return { accepted: [], refused: [] };
    }
    const ask = async (kind: string) =>
      readRoutes(await askBird(this.#controlSocket, `show route ${kind} protocol ${session} all`));
    return { accepted: await ask(""), refused: await ask("filtered") };
  }
}
