/** Text that people and routing daemons write, as the fuzzer gives it. */
import { readSettings } from "../../../apps/peering/exchange/settings.ts";
import { readAgentConfig } from "../../../apps/probing/agent/config/config.ts";
import { isFailure } from "../../../lib/base/failure/failure.ts";
import { csvLines, printed, visible } from "../../../lib/base/terminal/foreign-text.ts";
import { ConfigError } from "../../../lib/engines/config/config-error.ts";
import { parseChoices, parseTargets } from "../../../lib/engines/submission/targets.ts";
import { formatAddress, parseAddress } from "../../../lib/net/ip/address.ts";
import { formatPrefix, parsePrefix } from "../../../lib/net/ip/prefix.ts";
import { ReplyReader } from "../../../lib/peering/bird/reply-reader.ts";
import { readRoutes } from "../../../lib/peering/bird/routes.ts";
import { readSessions } from "../../../lib/peering/bird/sessions.ts";
import { readFrrSessions } from "../../../lib/peering/frr/sessions.ts";
import { PoolError, PoolReader } from "../../../lib/peering/lease/pool-reader.ts";
import { readStaticNodes } from "../../../lib/peering/policy/static-nodes.ts";
import { kept } from "../corpus.ts";
import { bytesOf, type FuzzTarget, jsonOf, refusing, textOf } from "../fuzz-target.ts";

const addresses = ["192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1", "fe80::1%eth0", "2001:db8:0:0:1::"];
const isConfigError = (error: unknown) => error instanceof ConfigError;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be left is these
const obeyed = /[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

export const textTargets: readonly FuzzTarget[] = [
  {
    name: "addresses",
    share: 4,
    seeds: addresses.map(bytesOf),
    read: (bytes) => {
      const address = parseAddress(textOf(bytes));
      if (address !== null && formatAddress(parseAddress(formatAddress(address)) ?? address) === "") {
        throw new Error("an address that was read cannot be read again");
      }
    },
  },
  {
    name: "prefixes",
    share: 4,
    seeds: ["192.0.2.0/24", "2001:db8::/48", "::/0", "192.0.2.1"].map(bytesOf),
    read: (bytes) => {
      const prefix = parsePrefix(textOf(bytes));
      if (prefix !== null && parsePrefix(formatPrefix(prefix)) === null) {
        throw new Error(`${formatPrefix(prefix)} cannot be read again`);
      }
    },
  },
  {
    name: "targets of probes",
    share: 2,
    seeds: ["west,east:[2001:db8::1]", "a:192.0.2.1,b"].map(bytesOf),
    read: (bytes) =>
      refusing(
        (error) => isFailure(error, "submission"),
        () => parseTargets(textOf(bytes)),
      ),
  },
  {
    name: "agents that a gateway chooses",
    share: 2,
    seeds: ["tag:eu,3@any,as:AS64500", "west:192.0.2.1,2@country:DE,place:oslo"].map(bytesOf),
    read: (bytes) =>
      refusing(
        (error) => isFailure(error, "submission"),
        () => parseChoices(textOf(bytes)),
      ),
  },
  {
    name: "BIRD",
    share: 1,
    seeds: kept("bird"),
    read: (bytes) => {
      for (const lines of new ReplyReader().read(bytes)) {
        readSessions(lines);
        readRoutes(lines);
      }
    },
  },
  { name: "FRR", share: 1, seeds: kept("frr"), read: (bytes) => readFrrSessions(jsonOf(bytes)) },
  {
    name: "YAML of an agent",
    share: 1,
    seeds: kept("yaml").filter((bytes) => textOf(bytes).includes("prober:")),
    read: (bytes) =>
      refusing(isConfigError, () => readAgentConfig({ name: "a.yaml", text: textOf(bytes) }, {})),
  },
  {
    name: "YAML of an exchange",
    share: 1,
    seeds: kept("yaml").filter((bytes) => textOf(bytes).includes("exchange:")),
    read: (bytes) => refusing(isConfigError, () => readSettings({ name: "a.yaml", text: textOf(bytes) }, {})),
  },
  {
    name: "pools of prefixes",
    share: 2,
    seeds: kept("pools"),
    read: (bytes) =>
      refusing(
        (error) => error instanceof PoolError,
        () => {
          const reader = new PoolReader();
          textOf(bytes).split("\n").forEach(reader.push, reader);
          return reader.finish();
        },
      ),
  },
  {
    name: "lists of devices",
    share: 1,
    seeds: [bytesOf(`# users\n${"a".repeat(64)} 100.64.0.10 fd7a:115c:a1e0::a\n`)],
    read: (bytes) => readStaticNodes(textOf(bytes)),
  },
  {
    name: "text for terminals",
    share: 2,
    seeds: ["\x1b[31mred\x1b[0m", "\u202eabc\u{1f6f0}\u200d\u0085", '=1,"a ""b""\n",-5'].map(bytesOf),
    read: (bytes) => {
      const text = textOf(bytes);
      const shown = [
        visible(text),
        printed(text).replaceAll(/[\n\t]/g, ""),
        csvLines(text).replaceAll("\n", ""),
      ];
      if (shown.some((one) => obeyed.test(one))) {
        throw new Error("a control character is left");
      }
    },
  },
];
