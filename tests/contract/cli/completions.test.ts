/** Completions, and the help that is made from the same tables: as shells and readers get them. */
import { beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const executable = join(import.meta.dirname, "../../../apps/vantage.ts");

function vantage(...args: string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [executable, ...args], { encoding: "utf8" });
  return { stdout, stderr, status };
}

describe("bash", () => {
  let script: string;
  beforeAll(() => {
    script = vantage("completions", "bash").stdout;
  });

  test("takes the script", () => {
    expect(spawnSync("bash", ["-n"], { input: script, encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: "",
    });
  });

  /** What is offered for the last of these words, as bash cuts a line. */
  function offered(...words: string[]): string[] {
    const quoted = words.map((word) => `'${word}'`).join(" ");
    const call = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _vantage; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", `${script}\n${call}`], { encoding: "utf8" });
    expect(stderr).toBe("");
    return stdout.split("\n").filter((word) => word !== "");
  }

  test.each([
    [["vantage", "me"], ["measurements"]],
    [["vantage", "tr"], ["trace"]],
    [["vantage", "send", "--ski"], ["--skip-bad"]],
    [
      ["vantage", "agents", "--state", ""],
      ["healthy", "unhealthy", "offline"],
    ],
    [["vantage", "agents", "-s", "un"], ["unhealthy"]],
    [["vantage", "whoami", "-o", "j"], ["json"]],
    [["vantage", "whoami", "--output", "=", "nd"], ["ndjson"]],
    [
      ["vantage", "whoami", "--output", "="],
      ["table", "json", "ndjson", "csv"],
    ],
    [["vantage", "trace", "-p", "u"], ["udp"]],
    [["vantage", "stack", "mi"], ["migrate"]],
    [
      ["vantage", "completions", ""],
      ["bash", "zsh", "fish", "--help"],
    ],
    [["vantage", "help", "logi"], ["login"]],
    [["vantage", "login", "--gateway", ""], []],
  ])("%j offers %j", (words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });

  test("offers files where a file is meant, folders where a folder is", () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "vantage-completions-"));
    writeFileSync(join(folder.path, "probes.csv"), "");
    expect(offered("vantage", "client", "-p", `${folder.path}/pro`)).toEqual([`${folder.path}/probes.csv`]);
    expect(offered("vantage", "client", "--spool-dir", `${folder.path}/pro`)).toEqual([]);
  });
});

test("zsh and fish get the same words with their meanings", () => {
  expect(vantage("completions", "zsh").stdout).toContain(
    "'(-s --state)'{-s,--state}'[only these: healthy, unhealthy or offline]:value:(healthy unhealthy offline)'".replace(
      "these:",
      "these\\:",
    ),
  );
  const fish = vantage("completions", "fish").stdout;
  expect(fish).toContain(
    "complete -c vantage -n '__fish_seen_subcommand_from agents' -s s -l state -x -a 'healthy unhealthy offline' " +
      "-d 'only these: healthy, unhealthy or offline'",
  );
});

test("another shell is refused", () => {
  expect(vantage("completions", "tcsh")).toEqual({
    stdout: "",
    stderr: "vantage completions: give one of bash, zsh, fish (see: vantage completions --help)\n",
    status: 2,
  });
});

test("the help of each command names each of its options", () => {
  const overview = vantage("--help").stdout;
  const names = [...overview.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name = ""]) => name);
  expect(names).toContain("whoami");
  const script = vantage("completions", "fish").stdout;
  for (const name of names) {
    const options = [...script.matchAll(new RegExp(`from ${name}' (?:-s \\S+ )?-l (\\S+)`, "g"))];
    // Where a command has commands of its own, each has a help of its own.
    const help =
      vantage("help", name).stdout + (name === "peering" ? vantage(name, "asn", "--help").stdout : "");
    const missing = options
      .map(([, option = ""]) => option)
      .filter((option) => !new RegExp(`--(no-)?${option}\\b`).test(help));
    expect({ name, missing }).toEqual({ name, missing: [] });
  }
});
