/** A measurement's origin, in words and with links. */
import type { InferOutput } from "valibot";
import type { originAnswer } from "../../base/api/measurements.ts";

type Origin = InferOutput<typeof originAnswer>;

interface OriginParts {
  /** The program: `vantage trace`, `vantage-console`; null = unknown, or the gateway itself. */
  readonly madeBy: string | null;
  /** The API token that submitted it; its name is null if it was removed. */
  readonly token: { readonly id: string; readonly name: string | null } | null;
  readonly campaign: {
    readonly id: string;
    readonly name: string | null;
    readonly run: number;
    readonly round: number | null;
  } | null;
}

/** The console's name as a program. */
const consoleName = "vantage-console";

export function originOf({ madeBy, token, campaign }: OriginParts): Origin {
  const none = { token_id: token?.id ?? null, campaign_id: null, run: null, round: null };
  if (campaign !== null) {
    const { id: campaign_id, name, run, round } = campaign;
    const kind = round === null ? "campaign" : "discovery";
    const text = `${kind} ${name ?? campaign_id.slice(0, 8)}, run ${run}${round === null ? "" : `, round ${round}`}`;
    return { ...none, kind, text, campaign_id, run, round };
  }
  const program = madeBy === consoleName ? "console" : madeBy;
  if (token !== null) {
    const by = program === null ? "" : ` (${program})`;
    return { ...none, kind: "token", text: `token ${token.name ?? token.id.slice(0, 8)}${by}` };
  }
  if (madeBy === consoleName) {
    return { ...none, kind: "console", text: "console" };
  }
  const isCommand = madeBy?.startsWith("vantage ") === true;
  return { ...none, kind: isCommand ? "command" : "program", text: madeBy ?? "not known" };
}
