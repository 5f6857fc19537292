/** State of the sessions to exchange servers, from the user's own BIRD. */
import { askBird } from "../../../lib/bird/control.ts";
import { elapsedSec } from "../../../lib/bird/elapsed.ts";
import { readSessions } from "../../../lib/bird/sessions.ts";
import type { OwnSession } from "./routing-daemon.ts";

/** By the neighbour's address; of several sessions to one, the one that is up. Throws Failure `daemon`. */
export async function birdSessions(controlSocket: string): Promise<Map<string, OwnSession>> {
  const clockLines = await askBird(controlSocket, "show status");
  const clock = clockLines.find(({ text }) => text.includes("Current server time"));
  const now = clock?.text.replace(/^.*time is /, "").trim() ?? "";
  const sessions = readSessions(await askBird(controlSocket, "show protocols all"));
  const upLast = sessions.toSorted((a, b) => Number(a.isUp) - Number(b.isUp));
  return new Map(
    upLast.map((session) => [
      session.neighborAddress,
      {
        isUp: session.isUp,
        state: session.state,
        forSec: elapsedSec(session.since, now),
        lastError: session.lastError,
        receivedRoutes: session.importedRoutes + session.filteredRoutes,
        acceptedRoutes: session.importedRoutes,
      },
    ]),
  );
}
