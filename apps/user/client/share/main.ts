/** `vantage share`: results for others. */
import type * as v from "valibot";
import { sharingAnswer } from "../../../../lib/base/api/sharing.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { wrongUsage } from "../../../../lib/command/command/command-error.ts";
import { confirmed, confirmOption } from "../../../../lib/command/command/confirm.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { kindOf, text, unfit } from "../../../../lib/command/command/kinds.ts";
import { readBy } from "../../../../lib/command/command/parse.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { campaignId, campaignMeaning } from "../campaign/campaign-id.ts";
import { measurementId, newestOf, oneLine, wholeId } from "../gateway/measurement-id.ts";

interface Row extends v.InferOutput<typeof sharingAnswer> {
  readonly kind: "measurement" | "campaign";
  readonly id: string;
  /** Null = private, or the link was created before. */
  readonly url: string | null;
  /** Page for people; null = no new link, or the gateway has no console. */
  readonly pageUrl: string | null;
}

const columns: readonly Column<Row>[] = [
  {
    name: "measurement_id",
    head: "id",
    value: ({ kind, id }) => (kind === "measurement" ? id : null),
    cell: ({ id }) => id,
  },
  { name: "campaign_id", head: null, value: ({ kind, id }) => (kind === "campaign" ? id : null) },
  { name: "visibility", head: "shown to", value: (row) => row.visibility },
  { name: "url", head: "address", value: ({ url }) => url },
  { name: "page", head: "page", value: ({ pageUrl }) => pageUrl },
  { name: "has_link", head: "has a link", value: (row) => row.has_link },
  { name: "public_at", head: "public from", value: (row) => row.public_at },
  { name: "licence", head: "licence", value: (row) => row.licence },
  { name: "contact", head: "contact", value: (row) => row.contact },
  { name: "citation", head: "to cite", value: (row) => row.citation },
  { name: "hidden_at", head: null, value: (row) => row.hidden_at },
  { name: "hidden_because", head: "hidden because", value: (row) => row.hidden_because },
];

const whenKind = kindOf("TIME", "any", (given) => {
  const timeMs = Date.parse(given);
  return Number.isFinite(timeMs)
    ? new Date(timeMs).toISOString()
    : unfit("is not a time, as 2027-01-31T12:00:00Z");
});

interface Asked {
  readonly link: boolean;
  readonly public: boolean;
  readonly revoke: boolean;
  readonly licence: string | null;
  readonly contact: string | null;
  readonly citation: string | null;
  readonly publicAt: string | null;
}

export const command = gatewayCommand({
  about: `Without an option it shows who may see the results. A link opens them to whoever has it, until it is \
revoked; what is public stays so. Others see replies, probes and figures, source addresses among them; never who \
you are.`,
  options: {
    link: { flag: true, default: false, meaning: "make a link; an earlier link stops working" },
    public: { flag: true, default: false, meaning: "publish it; this cannot be undone" },
    revoke: { flag: true, default: false, meaning: "end the link, and a --public-at that has not come" },
    licence: { kind: text, meaning: "for --public, as CC-BY-4.0" },
    contact: { kind: text, meaning: "for --public: contact for questions" },
    citation: { kind: text, meaning: "for --public: how to cite it" },
    publicAt: { kind: whenKind, meaning: "for --public: private until then" },
    campaign: { flag: true, default: false, meaning: "share a campaign: all that it measures" },
    ...confirmOption,
  },
  arguments: {
    id: {
      kind: text,
      placeholder: "ID",
      required: true,
      meaning: `a measurement: its id, the beginning of it, or last; with --campaign, ${campaignMeaning}`,
    },
  },
  examples: [
    "vantage share last --link",
    "vantage share 6f1c --public --licence=CC-BY-4.0 --contact=noc@example.net",
    "vantage share 6f1c --revoke",
  ],
  act: async (session, { id: given, campaign, confirm, ...asked }) => {
    const body = bodyOf(asked);
    const gateway = await session.open();
    const { signal } = session;
    const id = campaign
      ? await campaignId(gateway, given, signal)
      : await wholeId(session, gateway, readBy(measurementId, "ID", given));
    if (!campaign && given.toLowerCase() === "last" && body !== null) {
      await checkNewest(session, gateway, { id, confirm });
    }
    const kind = campaign ? "campaign" : "measurement";
    const method = asked.revoke ? "DELETE" : body === null ? "GET" : "POST";
    const headers = { "content-type": "application/json" };
    const path = `/api/${kind}s/${encodeURIComponent(id)}/sharing`;
    const sharing = await gateway.read(path, sharingAnswer, {
      method,
      signal,
      ...(body === null ? {} : { headers, body: JSON.stringify(body) }),
    });
    const url = urlOf(gateway.address, `${kind}s/${id}`, sharing);
    const pageUrl = sharing.page === undefined ? null : `${gateway.address}${sharing.page}`;
    session.printRecord(columns, { ...sharing, kind, id, url, pageUrl });
    return exitCodes.ok;
  },
});

interface Chosen {
  readonly id: string;
  readonly confirm: string | null;
}

/** Asks for confirmation before publishing. Rejects with CommandError. */
async function checkNewest(
  session: GatewaySession,
  gateway: Gateway,
  { id, confirm }: Chosen,
): Promise<void> {
  const { signal } = session;
  const newest = await newestOf(gateway, signal);
  if (newest !== undefined && newest.measurement_id !== id) {
    const what = [`A newer measurement of yours exists: ${oneLine(newest)}`, `You are about to share ${id}`];
    await confirmed({ what, word: "yes", given: confirm, signal });
  }
}

/** Null = no change, or the end of sharing. Throws CommandError for incompatible options. */
function bodyOf(asked: Asked): object | null {
  const { link, revoke, licence, contact, citation, publicAt } = asked;
  if ([link, asked.public, revoke].filter((one) => one).length > 1) {
    throw wrongUsage("--link, --public and --revoke are three ways: give one");
  }
  const terms = { licence, contact, citation, public_at: publicAt };
  if (!asked.public) {
    if (Object.values(terms).some((one) => one !== null)) {
      throw wrongUsage("--licence, --contact, --citation and --public-at go with --public");
    }
    return link ? { visibility: "link" } : null;
  }
  if (licence === null) {
    throw wrongUsage(
      "--public needs --licence, as --licence=CC-BY-4.0: others must know what they may do with it",
    );
  }
  const given = Object.entries(terms).filter(([, one]) => one !== null);
  return { visibility: "public", ...Object.fromEntries(given) };
}

function urlOf(
  gateway: string,
  object: string,
  { link, visibility, hidden_at: hiddenAt }: v.InferOutput<typeof sharingAnswer>,
): string | null {
  if (link !== undefined) {
    return `${gateway}${link}/${object}`;
  }
  return visibility === "public" && hiddenAt === null ? `${gateway}/api/public/${object}` : null;
}
