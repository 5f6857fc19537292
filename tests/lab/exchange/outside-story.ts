/**
 * A student announces a prefix at `vantage stack --exchange`, and looks at what networks outside see. Prints that as
 * JSON. `argv`: an empty folder, then how to start the program.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { until } from "../../exchange/until.ts";
import { runToEnd } from "../../run/said.ts";
import { inside, Student } from "./student.ts";

const [folder = "", ...vantage] = process.argv.slice(2);

/** Returns what remains of the stack's networks: names, links, processes, files. */
async function left(student: Student): Promise<readonly string[]> {
  const names = await student.said(["ip", "netns", "list"]);
  const links = await student.said(["ip", "-o", "link"]);
  const { stdout: birds } = await runToEnd(["pgrep", "--list-full", "bird"]);
  const others = links.split("\n").filter((line) => !/: (lo|tunl|sit|ip6|gre|erspan)/.test(line));
  const isOfRun = (name: string) => /\.(ctl|pid|sock|mrt)|^collector$/.test(name);
  const files = readdirSync(join(student.platform, "exchange")).filter(isOfRun);
  return [...names.split("\n"), ...others, ...birds.split("\n"), ...files].filter((line) => line !== "");
}

/** Resolves once another one has started. */
async function killUpstream(student: Student): Promise<void> {
  const file = join(student.platform, "exchange/transit1.pid");
  const pid = readFileSync(file, "utf8");
  process.kill(Number(pid), "SIGKILL");
  await until("another transit1", () => existsSync(file) && readFileSync(file, "utf8") !== pid, 60_000);
}

/** Resolves once the store has both an announcement of the /48 and its withdrawal, from each upstream. */
async function storedBy(student: Student): Promise<readonly number[]> {
  await using store = await openStore(`chdb:${student.platform}/store`);
  const query = `SELECT peer_asn FROM bmp.updates WHERE prefix_len = 48 GROUP BY peer_asn
    HAVING countIf(announced) > 0 AND countIf(NOT announced) > 0 ORDER BY peer_asn`;
  const look = async () => {
    const answer = await store.client.query({ query, format: "JSONEachRow" });
    const rows = await answer.json<{ peer_asn: number }>();
    return rows.length === 2 && rows.map((row) => row.peer_asn);
  };
  return await until("the rows in the store", look, 60_000);
}

await using student = new Student(folder, vantage);
await student.begin();
const { welcome, prefix } = student;
const announce = (...how: string[]) => student.run("announce", prefix, ...how, "--wait");
const plain = await student.seenAs("the announcement", ["64496 64500", "64497 64500"]);
const fromInside = await student.seen(inside);
await announce("--prepend", "2");
const longer = ["64496 64500 64500 64500", "64497 64500 64500 64500"];
const prepended = await student.seenAs("the prepends", longer);
await announce("--prepend-to", "transit1=2");
const towards = await student.seenAs("the shorter way", ["64496 64497 64500", "64497 64500"]);
await announce("--not-to", "transit2");
const around = await student.seenAs("the way around", ["64496 64500", "64497 64496 64500"]);
await announce("--no-export");
const kept = await student.seenAs("what is not passed on", []);
await announce();
await student.seenAs("the announcement again", ["64496 64500", "64497 64500"]);
await killUpstream(student);
const afterKill = await student.seenAs("both upstreams after a crash", ["64496 64500", "64497 64500"]);
await student.run("withdraw", prefix, "--wait");
const withdrawn = await student.seenAs("the withdrawal", []);
const stored = await storedBy(student);
const exitCode = await student.leave();
const seen = { plain, fromInside, prepended, towards, around, kept, afterKill, withdrawn, stored };
console.log(JSON.stringify({ welcome, ...seen, exitCode, left: await left(student) }));
process.exit();
