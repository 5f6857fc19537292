/** Units, checked by systemd (`systemd-analyze`, systemd 252), and the command's changes to a machine. */
import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { services } from "./services.ts";
import { unitText } from "./unit.ts";

const vantage = [process.execPath, join(import.meta.dirname, "../../vantage.ts")];

function started(command: readonly string[]): { code: number; output: string; errors: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command]);
  return { code: exitCode, output: stdout.toString(), errors: stderr.toString() };
}

function install(...args: string[]) {
  return started([...vantage, "install-service", ...args]);
}

/** In a folder that stands for the machine. */
function onImage<Result>(use: (root: string) => Result): Result {
  const root = mkdtempSync(join(tmpdir(), "vantage-image-"));
  try {
    return use(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const executable = ["--executable", process.execPath];
const unitOf = (root: string, name: string) => join(root, `etc/systemd/system/vantage-${name}.service`);
const each = services.map(({ name }) => name);
/** Owner of its user and folder. */
const ownerOf = (name: string) => services.find((service) => service.name === name)?.as ?? name;

/** Exposure of each service in docs/operate/services.md: 0 to 10, by systemd 252; an unrestricted unit has 9.2. */
const exposures = new Map(
  readFileSync(join(import.meta.dirname, "../../../docs/operate/services.md"), "utf8")
    .matchAll(/^\| `([a-z-]+)` \|.*\| (\d\.\d) \|$/gm)
    .map(([, name = "", exposure = ""]) => [name, exposure]),
);

test.each(each)("systemd accepts the unit of %s, with the exposure in the docs", (name) => {
  onImage((root) => {
    expect(install(name, ...executable, "--root", root).code).toBe(0);
    const unit = unitOf(root, name);
    expect(started(["systemd-analyze", "verify", "--recursive-errors=no", unit])).toEqual({
      ...{ code: 0, output: "", errors: "" },
    });
    const { output } = started(["systemd-analyze", "security", "--offline=yes", unit]);
    expect(/Overall exposure level for \S+: (\S+)/.exec(output)?.[1]).toBe(exposures.get(name));
  });
});

test.each(each)("systemd-sysusers makes the user of %s, who owns nothing and cannot log in", (name) => {
  onImage((root) => {
    install(name, ...executable, "--root", root);
    expect(started(["systemd-sysusers", `--root=${root}`]).code).toBe(0);
    const line =
      readFileSync(join(root, "etc/passwd"), "utf8")
        .split("\n")
        .find((one) => one !== "") ?? "";
    const owner = ownerOf(name);
    const user = `^vantage-${owner}:[^:]*:\\d+:\\d+:Vantage ${owner}:/:/usr/sbin/nologin$`;
    expect(line).toMatch(new RegExp(user));
  });
});

test("the agent alone has a privilege, and it is that of raw packets", () => {
  const place = { executable: "/usr/local/bin/vantage", config: "/etc/vantage/x.yaml" };
  const privileges = services.map((service) => {
    const lines = unitText(service, place).split("\n");
    const value = (key: string) => lines.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1);
    expect(value("User")).toBe(`vantage-${ownerOf(service.name)}`);
    return [service.name, value("CapabilityBoundingSet"), value("AmbientCapabilities")];
  });
  expect(privileges).toEqual(
    each.map((name) => (name === "agent" ? [name, "CAP_NET_RAW", "CAP_NET_RAW"] : [name, "", ""])),
  );
});

const configured = services.filter(({ config }) => config === "yaml").map(({ name }) => name);
test.each(configured)(
  "%s takes the command line of its unit, and stops at a file that is not there",
  (name) => {
    const { output } = install(name, ...executable, "--print", "--config", "/nonexistent/its.yaml");
    const [, ...args] = /^ExecStart=(.*)$/m.exec(output)?.[1]?.split(" ") ?? [];
    const { code, errors } = started([...vantage, ...args]);
    expect(code).not.toBe(0);
    expect(errors).toContain("/nonexistent/its.yaml");
  },
);

test("the stack takes the command line of its unit", () => {
  const { output } = install("stack", ...executable, "--print");
  const [, ...args] = /^ExecStart=(.*)$/m.exec(output)?.[1]?.split(" ") ?? [];
  expect(args).toEqual(["stack", "--dir", "/var/lib/vantage/stack", "--no-gateway"]);
  expect(started([...vantage, ...args, "--help"])).toMatchObject({ code: 0, errors: "" });
});

test("the ingester takes the command line of its unit, once systemd has filled in the variables", async () => {
  const { output } = install("ingester", ...executable, "--print", "--config", "/etc/vantage/its.env");
  expect(output).toContain("\nEnvironmentFile=/etc/vantage/its.env\n");
  const [, line = ""] = /^ExecStart=\S+ (.*)$/m.exec(output) ?? [];
  const args = line
    .replace("$BROKER", "carrier:pigeon")
    .replace("$STORE", "https://store.example")
    .replace("$OPTIONS", "--listen=127.0.0.1:0")
    .split(" ");
  // As far as the broker, whose address is the only missing setting.
  const { code, errors } = started([...vantage, ...args]);
  expect([code, errors]).toEqual([2, expect.stringContaining('"carrier:pigeon"')]);
});

test("--print shows what is written; --dry-run names it, and writes nothing", () => {
  onImage((root) => {
    const args = ["agent", ...executable, "--root", root];
    const printed = install(...args, "--print").output;
    expect(install(...args, "--dry-run").output.split("\n")).toEqual([
      `writes ${join(root, "etc/sysusers.d/vantage-agent.conf")}`,
      `writes ${unitOf(root, "agent")}`,
      "",
    ]);
    expect(existsSync(join(root, "etc"))).toBe(false);
    install(...args);
    expect(printed).toContain(readFileSync(unitOf(root, "agent"), "utf8"));
  });
});

test("on the machine itself, systemd is notified", () => {
  const { output } = install("stack", ...executable, "--dry-run");
  expect(output.split("\n").slice(2)).toEqual([
    "runs systemd-sysusers /etc/sysusers.d/vantage-stack.conf",
    "runs systemctl daemon-reload",
    "",
  ]);
});

const wrong = [
  [["nobody"], 'SERVICE "nobody" is not one of agent, '],
  [["agent", "stack"], 'There is an argument too many: "stack"'],
  [["agent"], "--executable is missing: "],
  [["agent", ...executable, "--config", "agent.yaml"], '" is not an absolute path'],
  [["agent", ...executable, "--config", "/etc/a b.yaml"], '" is not an absolute path'],
  [["agent", "--executable", "/opt/%h/vantage"], '" is not an absolute path'],
  [["stack", ...executable, "--config", "/etc/stack.yaml"], "The stack has no configuration file"],
] as const;
test.each(wrong)("%j is refused: %s", (args, reason) => {
  const { code, output, errors } = install(...args);
  expect([code, output]).toEqual([2, ""]);
  expect(errors).toContain(reason);
});
