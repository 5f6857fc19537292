/** PUT /api/user/prefix/{prefix}/rpki. */
import type { rpkiAnswer } from "../../../../lib/base/api/leases.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { type Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { noLease } from "../no-lease.ts";
import type { Services } from "../services.ts";
import type { Rpki } from "./rpki.ts";

interface RpkiSwitch {
  readonly userHash: string;
  readonly prefix: string;
  readonly isOn: boolean;
}

type RpkiAnswer = StoredAnswer<typeof rpkiAnswer>;

interface RpkiServices extends Pick<Services, "database"> {
  readonly rpki: Rpki;
}

/** Throws Problem. */
export async function switchRpki(services: RpkiServices, order: RpkiSwitch): Promise<RpkiAnswer> {
  const { rpki } = services;
  const { userHash, prefix, isOn } = order;
  if (rpki.isAlwaysOn || rpki.publisher === null) {
    await checkLive(services, order);
    return fixedAnswer(services, order);
  }
  const outcome = await rpki.publisher.switch(userHash, prefix, isOn);
  if (outcome === "no_lease") {
    throw unknownLease();
  }
  return answer(prefix, isOn, outcome === "same");
}

/** Where nothing can be switched. */
function fixedAnswer({ rpki }: RpkiServices, { prefix, isOn }: RpkiSwitch): RpkiAnswer {
  if (!rpki.isAlwaysOn) {
    throw notConfigured();
  }
  if (!isOn) {
    throw problem(
      409,
      "rpki_of_pool",
      "RPKI cannot be switched off: one authorisation covers the whole pool",
    );
  }
  return answer(prefix, true, true);
}

function answer(prefix: string, isOn: boolean, wasSo: boolean): RpkiAnswer {
  const message = `RPKI ROA ${wasSo ? "already " : ""}${isOn ? "enabled" : "disabled"}`;
  return { prefix, rpki_enabled: isOn, message };
}

async function checkLive({ database }: RpkiServices, { userHash, prefix }: RpkiSwitch): Promise<void> {
  const { sql, timed } = database;
  const live = await timed(
    "lease_live",
    () => sql`
      SELECT FROM leases WHERE user_hash = ${userHash} AND prefix = ${prefix} AND closed_at IS NULL
        AND end_time > (SELECT vantage_now())`,
  );
  if (live.length === 0) {
    throw unknownLease();
  }
}

function unknownLease(): Problem {
  return noLease("Active prefix lease not found");
}

export function notConfigured(): Problem {
  return problem(503, "rpki_not_configured", "RPKI management is not configured");
}
