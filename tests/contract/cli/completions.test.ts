/** Completions, and the help that is made from the same tables: as shells and readers get them. */
import { beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vantageCommand } from "../../run/vantage-command.ts";

const [program = "", ...script] = vantageCommand;

function vantage(...args: string[]) {
  const { stdout, stderr, status } = spawnSync(program, [...script, ...args], { encoding: "utf8" });
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
      ["healthy", "unhealthy", "paused", "offline"],
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
    [["vantage", "stack", "migrate", "--kaf"], ["--kafka-brokers"]],
    [
      ["vantage", "peering", ""],
      ["asn", "prefix", "grant", "env", "--help"],
    ],
    [
      ["vantage", "peering", "prefix", "re"],
      ["request", "renew", "release"],
    ],
    [
      ["vantage", "peering", "prefix", "rpki", "o"],
      ["on", "off"],
    ],
    [["vantage", "peering", "prefix", "list", "-o", "nd"], ["ndjson"]],
    [["vantage", "bootstrap", "render", "--daemon", "=", "f"], ["frr"]],
    [["vantage", "probes", "--no-s"], ["--no-shuffle"]],
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
    "'(-s --state)'{-s,--state}'[only these]:value:(healthy unhealthy paused offline)'",
  );
  expect(vantage("completions", "fish").stdout).toContain(
    "complete -c vantage -n '__vantage_at agents' -s s -l state" +
      " -x -a 'healthy unhealthy paused offline' -d 'only these'",
  );
});

const shells = [
  [
    "zsh",
    "autoload -Uz compinit; compinit -D -u; source /dev/stdin; whence -w _vantage",
    "_vantage: function",
  ],
  [
    "fish",
    "source -; complete -C 'vantage peering prefix re' | string split -f1 \\t | sort | string join ' '",
    "release renew request",
  ],
] as const;

test.each(shells)("%s takes the script, where it is installed", (shell, program, expected) => {
  if (Bun.which(shell) === null) {
    return;
  }
  const input = vantage("completions", shell).stdout;
  const { stdout, stderr, status } = spawnSync(shell, ["-c", program], { input, encoding: "utf8" });
  expect({ stdout: stdout.trim(), stderr, status }).toEqual({ stdout: expected, stderr: "", status: 0 });
});

test("another shell is refused", () => {
  expect(vantage("completions", "tcsh")).toEqual({
    stdout: "",
    stderr:
      'vantage completions: SHELL "tcsh" is not one of bash, zsh, fish; see vantage completions --help\n',
    status: 2,
  });
});
