/** The options of `vantage replies` and `vantage catchment`, as tables. */
import { campaignViewNames, viewNames as views } from "../../../../lib/answers/results/views.ts";
import { formats } from "../../../../lib/base/terminal/rows-output.ts";
import { contextOptions } from "../../../../lib/command/command/context-options.ts";
import { addressOptions, loginOptions } from "../../../../lib/command/command/gateway/common-options.ts";
import { choice, file, number, prefix, text, time } from "../../../../lib/command/command/kinds.ts";
import { columnForms, programForms } from "../../../../lib/measuring/formats/forms.ts";
import { campaignKind, campaignMeaning } from "../campaign/campaign-id.ts";
import { rowsMax } from "../limits.ts";

const gatewayOptions = ["gateway", "profile", "tokenStdin"] as const;

export const catchmentOptions = {
  agent: {
    kind: text,
    placeholder: "ID",
    short: "a",
    meaning: "only of this agent: it sent the probe, or received the reply",
  },
  destination: { kind: prefix, short: "d", meaning: "only of probes to this address or prefix" },
  source: {
    kind: prefix,
    short: "s",
    meaning: "only of probes from this address or prefix, such as an anycast prefix; column store only",
  },
  since: { kind: time, meaning: "only from then on: 30m, 2d (ago), or 2026-01-31T12:00:00Z" },
  limit: {
    kind: number(1, rowsMax),
    short: "n",
    defaultText: "1000 rows, 100 paths",
    meaning: "rows, or paths, at most",
  },
  follow: {
    flag: true,
    default: false,
    short: "f",
    meaning:
      "show replies as they arrive, until the end; from a column store, and with a drawn view, until Ctrl-C",
  },
  output: {
    kind: choice([...formats, ...columnForms, ...programForms], "FORMAT"),
    short: "o",
    default: "table",
    meaning:
      `form of the output; ${columnForms.join(", ")}: files of columns; ` +
      `${programForms.join(", ")}: as others' programs read traces, some of them pings and multipaths, and the ` +
      "graph; svg: also the picture of paths, loss, heatmap, catchment",
  },
  svg: {
    kind: file,
    notWith: ["output", "follow"],
    meaning: "draw one picture of all that is shown into this file, - is standard output",
  },
  ...addressOptions.probing,
  ...loginOptions,
  store: {
    kind: text,
    placeholder: "ADDRESS",
    notWith: gatewayOptions,
    meaning:
      'a column store in place of the gateway: chdb:DIR of "vantage stack", or http(s)://[user[:password]@]host:port',
  },
  config: {
    kind: file,
    short: "c",
    notWith: gatewayOptions,
    meaning: "its store.address is the column store (see: vantage client --help)",
  },
} as const;

export const repliesOptions = {
  view: {
    kind: choice(views, "VIEW"),
    short: "v",
    default: "replies",
    meaning:
      "replies: one row for each answer; paths: the path to each destination, with its branches; loss: probes " +
      "submitted and answered, by agent and destination; catchment: which agent receives the answers to which " +
      "agent's probes; sites: which site of a name server each agent reaches; mtu: how large packets " +
      "may be to reach each hop; probes: what was submitted; " +
      "traces: by agent, flow and destination, answer by answer; pings: " +
      "probes of one TTL to a destination; multipaths: all flows to a destination as one graph; heatmap: " +
      "round-trip times over time; links: who answered the next TTL of a flow; nodes: the routers and silent hops " +
      "between; graph: both; series: loss, times and paths by agent and destination, run by run of a campaign; " +
      "trend: by hour or day, beside the week before; " +
      "changes: next hops whose share of flows changed since the previous run",
  },
  campaign: {
    kind: campaignKind,
    notWith: ["follow"],
    meaning: `all runs of this campaign (${campaignMeaning}), with -v ${campaignViewNames.join(", ")}; the gateway \
finds them, also for --store and --config`,
  },
  ...catchmentOptions,
  against: {
    kind: text,
    placeholder: "MEASUREMENT",
    notWith: ["follow", "svg", "campaign", "with"],
    meaning: "with -v links: mark each link as new since this measurement, gone, or in both",
  },
  with: {
    ...contextOptions.with,
    notWith: ["follow", "svg"],
    defaultText: "nothing",
    meaning: `${contextOptions.with.meaning}; for replies, paths, traces, links, nodes and graph`,
  },
  context: { ...contextOptions.context, notWith: gatewayOptions },
  resolver: { ...contextOptions.resolver, notWith: gatewayOptions },
} as const;

export const resultArguments = {
  measurement: {
    kind: text,
    placeholder: "MEASUREMENT",
    meaning: "its id; of the gateway also the beginning of one, or last; needed there",
  },
} as const;
