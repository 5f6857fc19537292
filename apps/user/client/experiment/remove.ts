/** `vantage experiment remove`: removes the gateway's copy of a journal. */
import * as v from "valibot";
import { experimentAnswer } from "../../../../lib/base/api/experiments.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { text } from "../../../../lib/command/command/kinds.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { campaignPageRowsMax } from "../limits.ts";

export const remove = gatewayCommand({
  about: `Removes what the probing gateway keeps of an experiment, which makes room in what it stores for you \
(stored_bytes in vantage limits). The journal on this machine stays.`,
  options: {},
  arguments: {
    experiment: {
      ...{ kind: text, placeholder: "EXPERIMENT", required: true },
      meaning: "its id, the beginning of it, or its name",
    },
  },
  examples: ["vantage experiment remove 'prepend west'"],
  act: async (session, { experiment }) => {
    const gateway = await session.open();
    const { signal } = session;
    const id = await experimentId(gateway, experiment, signal);
    await gateway.request(`/api/experiments/${id}`, { method: "DELETE", signal });
    session.note(`removed ${id}`);
    return exitCodes.ok;
  },
});

/** Throws CommandError when none or several match. */
async function experimentId(gateway: Gateway, given: string, signal: AbortSignal): Promise<string> {
  const query = { limit: campaignPageRowsMax };
  const all = await gateway.read("/api/experiments", v.array(experimentAnswer), { query, signal });
  const meant = all.filter(({ id, name }) => name === given || id.startsWith(given.toLowerCase()));
  const [one, ...others] = meant;
  if (one === undefined) {
    throw cannot(`The gateway has no experiment "${given}" of yours: see its page of experiments`);
  }
  if (others.length > 0) {
    throw cannot(`"${given}" matches ${meant.length} experiments: give more of the id`);
  }
  return one.id;
}
