/** The one executable. Its commands: commands.ts. */
import { runCommand } from "../lib/command/command/run-command.ts";
import { root } from "./commands.ts";

const versionOptions = ["--version", "-V", "-v"];

const [first = "--help", ...rest] = process.argv.slice(2);
const args = versionOptions.includes(first) ? ["version", ...rest] : [first, ...rest];
process.exitCode = await runCommand(root, args, "");
// All is written and closed. What still holds the process is a library's: kafkajs continues joining a group after it
// was disconnected.
setTimeout(() => process.exit(), 1000).unref();
