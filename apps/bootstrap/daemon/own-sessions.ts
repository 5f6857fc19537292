/** How the sessions to exchange servers do, as the user's own BIRD sees it. */
import { askBird } from "../../../lib/bird/control.ts";
import { elapsedSec } from "../../../lib/bird/elapsed.ts";
import { readSessions } from "../../../lib/bird/sessions.ts";

export interface OwnSession {
  readonly isUp: boolean;
  /** `Established`, `Active`, `Connect`, … */
  readonly state: string;
  /** How long it has been in that state; null where BIRD does not say. */
  readonly forSec: number | null;
  readonly lastError: string | null;
  readonly receivedRoutes: number;
  readonly acceptedRoutes: number;
}

/** By the neighbour's address. Throws BirdError. */
export async function ownSessions(controlSocket: string): Promise<Map<string, OwnSession>> {
  const clockLines = await askBird(controlSocket, "show status");
  const clock = clockLines.find(({ text }) => text.includes("Current server time"));
  const now = clock?.text.replace(/^.*time is /, "").trim() ?? "";
  const sessions = readSessions(await askBird(controlSocket, "show protocols all"));
  return new Map(
    sessions.map((session) => [
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
