/** The formula, read by Ruby itself: brew is on no machine of ours, so the words that it uses stand in here. */
import { expect, test } from "bun:test";
import { runToEnd } from "../run/said.ts";
import { homebrewFormula } from "./homebrew-formula.ts";

const machines = ["macos-arm64", "macos-x64", "linux-arm64", "linux-x64"] as const;
const formula = homebrewFormula({
  version: "1.2.3",
  url: "https://releases.example",
  archives: machines.map((machine) => ({
    machine,
    file: `vantage-${machine}.tar.gz`,
    sha256: `sum of ${machine}`,
  })),
});

/** Prints what a machine of this system and processor would fetch. */
const words = `
class Formula
  class << self
    def on_macos = ARGV[0] == "macos" && yield
    def on_linux = ARGV[0] == "linux" && yield
    def on_arm = ARGV[1] == "arm64" && yield
    def on_intel = ARGV[1] == "x64" && yield
    def url(text) = puts(text)
    def sha256(text) = puts(text)
    def test = nil
    def desc(text) = nil
    alias homepage desc
    alias version desc
    alias license desc
  end
end
`;

test.each(machines)("%s fetches its own archive, by its checksum", async (machine) => {
  const command = ["ruby", "-w", "-e", `${words}${formula}`, "--", ...machine.split("-")];
  const { stdout, stderr, exitCode } = await runToEnd(command);
  expect({ exitCode, stderr, lines: stdout.trim().split("\n") }).toEqual({
    ...{ exitCode: 0, stderr: "" },
    lines: [`https://releases.example/vantage-${machine}.tar.gz`, `sum of ${machine}`],
  });
});

test("a machine without an archive fetches nothing", async () => {
  const none = homebrewFormula({ version: "1.2.3", url: "https://releases.example", archives: [] });
  const { stdout, exitCode } = await runToEnd(["ruby", "-e", `${words}${none}`, "--", "macos", "arm64"]);
  expect([exitCode, stdout]).toEqual([0, ""]);
});
