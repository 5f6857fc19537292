/** `vantage context`: context of addresses by day: their AS, exchange, place and RPKI state. */
import { dayOf } from "../../../lib/answers/enrich/address-context.ts";
import { grouped } from "../../../lib/base/terminal/figures.ts";
import { printErrorLine, printLine } from "../../../lib/base/terminal/output.ts";
import { printRows } from "../../../lib/base/terminal/print-rows.ts";
import { defineCommand, defineGroup, subcommand } from "../../../lib/command/command/command.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { complain } from "../../../lib/command/command/complain.ts";
import { contextFolderDefault, contextFolderOption } from "../../../lib/command/command/context-options.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { formatOption } from "../../../lib/command/command/format-option.ts";
import { address, file, kindOf, text, unfit } from "../../../lib/command/command/kinds.ts";
import { contextDaysMax, loadContext } from "../../../lib/engines/store/clickhouse/context-store.ts";
import { openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { ContextFolder, setsMax } from "../../../lib/measuring/context/disk/context-folder.ts";
import { networkRows } from "../../../lib/measuring/context/network-rows.ts";
import { sourceKinds } from "../../../lib/measuring/context/read-source.ts";
import { prefixRows } from "../../../lib/measuring/context/set-rows.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { lookupColumns, statusColumns } from "./columns.ts";
import { update } from "./update.ts";

const day = kindOf("DAY", "any", (given) => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(given) ? Date.parse(`${given}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) || dayOf(time) !== given ? unfit("is not a day, as 2026-11-22") : given;
});

const dateOption = { kind: day, defaultText: "today, UTC" } as const;

const storeOption = {
  kind: text,
  placeholder: "ADDRESS",
  required: true,
  meaning: "the column store: chdb:DIR, or http(s)://[USER[:PASSWORD]@]HOST[:PORT]",
} as const;

const fileArguments = {
  files: {
    kind: file,
    many: true,
    required: true,
    meaning: "data files, compressed with gzip or bzip2, or not; - is standard input",
  },
} as const;

const addressArguments = {
  addresses: {
    kind: address,
    placeholder: "ADDRESS",
    many: true,
    required: true,
    meaning: "IPv4 and IPv6 addresses",
  },
} as const;

function today(): string {
  return dayOf(Date.now());
}

const makeOne = "make one with: vantage context update FILE…";

const updateCommand = defineCommand({
  about: `Files: ${sourceKinds.join(", ")}; also compressed with gzip or bzip2. The kind of a file is detected from \
its content. \
One set a day is kept, ${setsMax} of them. Lines, rows and records that cannot be read are skipped and counted; a \
file of which nothing can be read is refused, and the old set stays. Nothing is fetched. \
Rules and fields: docs/measure/context.md.`,
  options: {
    dir: contextFolderOption,
    date: { ...dateOption, meaning: "the day that the files speak of" },
    keepPrivate: {
      flag: true,
      default: false,
      meaning: "private and documentation addresses and AS numbers count too, as in a laboratory",
    },
  },
  arguments: fileArguments,
  exits: { partial: "the set is complete but for damaged lines, rows or records" },
  examples: [
    "vantage context update rib.20261122.0000.bz2 vrps.json ixpfx.json ixlan.json ix.json netixlan.json",
  ],
  act: async ({ dir: given, date: day, keepPrivate, files }) => {
    const dir = given ?? contextFolderDefault();
    const note = (line: string) => printErrorLine(line);
    const order = { dir, date: day ?? today(), keepPrivate, files, note };
    const { date, counts, passedOver } = await update(order);
    for (const line of passedOver.lines()) {
      complain("context update", line);
    }
    const parts = Object.entries(counts).filter(([, count]) => count > 0);
    const said = parts.map(
      ([name, count]) => `${grouped(count)} ${name.replace(/[A-Z]/g, (x) => ` ${x.toLowerCase()}`)}`,
    );
    printLine(`set of ${date} in ${dir}: ${said.join(", ") || "empty"}`);
    return passedOver.hasDamage ? exitCodes.partial : exitCodes.ok;
  },
});

const status = defineCommand({
  options: { dir: contextFolderOption, ...formatOption },
  arguments: {},
  examples: ["vantage context status"],
  act: ({ dir: given, output }, { name }) => {
    const dir = given ?? contextFolderDefault();
    const folder = new ContextFolder(dir);
    const manifests = folder.dates().map((date) => folder.manifest(date));
    const rows = manifests.flatMap((manifest) => manifest.sources.map((source) => ({ manifest, source })));
    if (printRows(statusColumns, rows, output) === 0) {
      complain(name, `no set in ${dir}; ${makeOne}`);
    }
    return exitCodes.ok;
  },
});

/** The set that applied on a day. Throws CommandError where there is none. */
function setFor(given: string | null, date: string | null) {
  const dir = given ?? contextFolderDefault();
  const folder = new ContextFolder(dir);
  const day = folder.dateFor(date ?? today());
  if (day === null) {
    throw cannot(`no set in ${dir}: ${makeOne}`);
  }
  return { folder, day };
}

const lookup = defineCommand({
  options: {
    dir: contextFolderOption,
    date: { ...dateOption, meaning: "as things were then" },
    ...formatOption,
  },
  arguments: addressArguments,
  examples: [
    "vantage context lookup 192.0.2.1 2001:db8::1",
    "vantage context lookup --date 2026-11-01 -o json 192.0.2.1",
  ],
  act: ({ dir: given, date, addresses, output }) => {
    const { folder, day } = setFor(given, date);
    const set = folder.open(day);
    const rows = addresses.map((address) => {
      return { address: formatAddress(address), date: day, context: set.lookup(address) };
    });
    printRows(lookupColumns, rows, output);
    return exitCodes.ok;
  },
});

const load = defineCommand({
  about: `Queries then have country_asn(ip, attribute) and country_asn_on(ip, attribute, day). Sets of the last \
${contextDaysMax} days are kept there; rows of results never change. What they give: docs/measure/context.md.`,
  options: {
    dir: contextFolderOption,
    date: { ...dateOption, meaning: "the set that applied then" },
    store: storeOption,
  },
  arguments: {},
  examples: ["vantage context load --store chdb:/var/lib/vantage/stack/store"],
  act: async ({ dir: given, date, store: address }) => {
    const { folder, day } = setFor(given, date);
    const files = folder.files(day);
    await using store = await openStore(address);
    const days = await loadContext(store, {
      ...{ day, prefixes: prefixRows(files), networks: networkRows(files), lists: files.lists },
    });
    if (!days.includes(day)) {
      throw cannot(
        `the set of ${day} is empty, or older than the ${contextDaysMax} that are kept: ${days.join(", ")}`,
      );
    }
    printLine(`set of ${day} in ${store.address}, which has ${days.join(", ")}`);
    return exitCodes.ok;
  },
});

export const command = defineGroup({
  subcommands: [
    subcommand("update", "make the set of a day from data files", updateCommand),
    subcommand("load", "put a set into the column store, for queries", load),
    subcommand("status", "list the sets, and what they are made of", status),
    subcommand("lookup", "show what is known about addresses", lookup),
  ],
  examples: ["vantage context update rib.bz2 vrps.json", "vantage context lookup 192.0.2.1 2001:db8::1"],
});
