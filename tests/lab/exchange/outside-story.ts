/**
 * A student at `vantage stack --exchange`, in this process's own namespaces (stack-outside.test.ts): leases a prefix,
 * announces it, and looks at what networks outside see. Prints what was seen as JSON. `argv`: an empty folder, then how
 * to start the program.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import { approveDevice } from "../../issuer/device-login.ts";
import { runToEnd, saidUpTo } from "../../run/said.ts";

const [folder = "", ...vantage] = process.argv.slice(2);
const platform = join(folder, "platform");
const env = {
  PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
  HOME: folder,
  XDG_CONFIG_HOME: join(folder, "config"),
};
const ceilingMs = 60_000;
const inside = ["ip", "netns", "exec", "vantage-user"];

async function said(command: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await runToEnd(command, { env, cwd: folder });
  if (exitCode !== 0) {
    throw new Error(`${command.join(" ")}: ${stderr}`);
  }
  return stdout;
}

const run = (...args: string[]) => said([...vantage, ...args]);

function start(command: readonly string[]) {
  return Bun.spawn([...command], { env, cwd: folder, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
}

async function logIn(): Promise<void> {
  const login = start([...vantage, "login", "--gateway", "http://127.0.0.1:8093", "--profile", "exchange"]);
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of login.stderr) {
    text += decoder.decode(part, { stream: true });
    const [, url] = /or open +(\S+)/.exec(text) ?? [];
    if (url !== undefined) {
      text = "";
      await approveDevice(url, "anna");
    }
  }
  await login.exited;
}

type Seen = readonly (readonly [asn: number, path: string])[];

/** What each upstream passes on. */
async function seen(prefix: string, within: readonly string[] = []): Promise<Seen> {
  const lookup = [...within, ...vantage, "routes", "lookup", prefix, "-o", "json"];
  const { stdout, stderr } = await runToEnd(lookup, { env });
  if (stderr.includes("No router has a path")) {
    return [];
  }
  return JSON.parse(stdout)
    .map(
      (route: { peer_asn: number; as_path: number[] }) => [route.peer_asn, route.as_path.join(" ")] as const,
    )
    .toSorted();
}

function seenAs(what: string, prefix: string, paths: readonly string[]): Promise<Seen> {
  return until(
    what,
    async () => {
      const all = await seen(prefix);
      return Bun.deepEquals(
        all.map(([, path]) => path),
        paths,
      )
        ? all
        : false;
    },
    ceilingMs,
  );
}

async function startRouter(): Promise<AsyncDisposable> {
  const file = join(folder, "bootstrap.yaml");
  const at = (name: string) => join(folder, name);
  mkdirSync(at("snippets"));
  writeFileSync(
    file,
    `platform: {asn: 64500}
vpn: {socket: ${platform}/exchange/tailscaled.sock}
daemon: {config_file: ${at("bird.conf")}, snippets_dir: ${at("snippets")}, control_socket: ${at("bird.ctl")}}
bootstrap: {state_dir: ${at("state")}, address: "100.64.0.2:8092", interval_sec: 1}
gateway: {profile: exchange}
`,
  );
  const bootstrap = start([...inside, ...vantage, "bootstrap", "run", "-c", file]);
  await until("BIRD's configuration", () => existsSync(at("bird.conf")), ceilingMs);
  const bird = start([
    ...inside,
    ...["bird", "-f", "-c", at("bird.conf"), "-s", at("bird.ctl"), "-P", at("bird.pid")],
  ]);
  return {
    [Symbol.asyncDispose]: async () => {
      for (const child of [bootstrap, bird]) {
        child.kill("SIGTERM");
        await child.exited;
      }
    },
  };
}

async function left(): Promise<readonly string[]> {
  const names = await said(["ip", "netns", "list"]);
  const links = await said(["ip", "-o", "link"]);
  const { stdout: birds } = await runToEnd(["pgrep", "--list-full", "bird"], { env });
  const files = readdirSync(join(platform, "exchange")).filter((name) =>
    /\.(ctl|pid|sock|mrt)|^collector$/.test(name),
  );
  const others = links
    .split("\n")
    .filter((line) => line !== "" && !/: (lo|tunl|sit|ip6|gre|erspan)/.test(line));
  return [...names.split("\n"), ...others, ...birds.split("\n"), ...files].filter((line) => line !== "");
}

const stack = start([...vantage, "stack", "--exchange", "--dir", platform]);
const welcome = await saidUpTo(stack.stdout, "first-announcement.md");
await logIn();
await run("peering", "asn");
await run("peering", "prefix", "request", "24");
const [{ prefix }] = JSON.parse(await run("peering", "prefix", "list", "-o", "json"));
await run("stack", "join", "--dir", platform);
const router = await startRouter();
const plain = await seenAs("the announcement", prefix, ["64496 64500", "64497 64500"]);
const fromInside = await seen(prefix, inside);
await run("announce", prefix, "--prepend", "2", "--wait");
const prepended = await seenAs("the prepends", prefix, [
  "64496 64500 64500 64500",
  "64497 64500 64500 64500",
]);
await run("announce", prefix, "--prepend-to", "transit1=2", "--wait");
const towards = await seenAs("the other way", prefix, ["64496 64497 64500", "64497 64500"]);
await run("announce", prefix, "--not-to", "transit2", "--wait");
const around = await seenAs("the way around", prefix, ["64496 64500", "64497 64496 64500"]);
await run("announce", prefix, "--no-export", "--wait");
const kept = await seenAs("what is not passed on", prefix, []);
await run("announce", prefix, "--wait");
await seenAs("the announcement again", prefix, ["64496 64500", "64497 64500"]);
await run("withdraw", prefix, "--wait");
const withdrawn = await seenAs("the withdrawal", prefix, []);
await router[Symbol.asyncDispose]();
stack.kill("SIGTERM");
const exitCode = await stack.exited;
console.log(
  JSON.stringify({
    welcome,
    plain,
    fromInside,
    prepended,
    towards,
    around,
    kept,
    withdrawn,
    exitCode,
    left: await left(),
  }),
);
process.exit();
