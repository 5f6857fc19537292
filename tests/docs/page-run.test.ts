/** What runs the pages, on small pages: it must notice each way in which a page can be wrong. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { pageBlocks } from "./page-blocks.ts";
import { type PageOptions, PageRun } from "./page-run.ts";

const fence = "```";

function sh(text: string, { words = "", shown = "", mark = "" } = {}): string {
  const output = shown === "" ? "" : `${fence}text ${mark}\n${shown}\n${fence}\n`;
  return `${fence}sh ${words}\n${text}\n${fence}\n${output}`;
}

/** One that has ended may still wait for somebody to ask for its exit code. */
function isRunning(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !readFileSync(stat, "utf8").includes(") Z ");
}

async function play(markdown: string, options: PageOptions = {}): Promise<string> {
  try {
    await using page = PageRun.of(pageBlocks(markdown, "page.md"), options);
    await page.runAll();
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test("blocks share a shell: variables, folders and jobs stay", async () => {
  const page = [
    sh("NAME=east; mkdir deep; cd deep"),
    sh('echo "$NAME in $(basename "$PWD")"', { shown: "east in deep" }),
  ];
  expect(await play(page.join("\n"))).toBe("");
});

test("a command that fails stops the page, wherever in a block it is, and says where", async () => {
  const said = await play(`# A page\n\n${sh("false\necho afterwards")}`);
  expect(said).toStartWith("page.md:3: exit code 1; 0 was expected");
  expect(said).not.toContain("printed:\nafterwards");
  expect(await play(sh("false | true"))).toContain("exit code 1");
  expect(await play(sh('echo "$NOBODY_SET_THIS"'))).toContain("NOBODY_SET_THIS");
});

test("an exit code that is shown is the one that is wanted, and the page goes on", async () => {
  const page = sh("(exit 3)", { words: "exit=3" }) + sh("echo on", { shown: "on" });
  expect(await play(page)).toBe("");
  expect(await play(sh("true", { words: "exit=3" }))).toContain("exit code 0; 3 was expected");
});

test("what is shown must be printed, in order; numbers may differ", async () => {
  const print = "printf 'one  17 ms\\nmore\\ntwo abc\\n'";
  expect(await play(sh(print, { shown: "one 5 ms\n… two …" }))).toBe("");
  expect(await play(sh(print, { shown: "one 5 ms", mark: "exact" }))).toContain("\none 5 ms");
  expect(await play(sh(print, { shown: "two abc\none 5 ms" }))).toContain("not in this order:\none 5 ms");
  expect(await play(sh(print, { shown: "one … s" }))).toContain("did not print this line of page.md:4");
  expect(await play(sh(print, { shown: "one more ms" }))).toContain("did not print");
});

test("what stays runs until the page ends, and what it prints is waited for", async () => {
  const service = "echo $BASHPID >pid; sleep 0.1; echo ready; sleep 600";
  await using page = PageRun.of(
    pageBlocks(sh(service, { words: "stays", shown: "ready" }) + sh("kill -0 $(cat pid)"), "page.md"),
  );
  await page.runAll();
  const pid = Number(await Bun.file(`${page.folder()}/pid`).text());
  await page[Symbol.asyncDispose]();
  expect(isRunning(pid)).toBe(false);
});

test("what should stay, and ends, is not waited for", async () => {
  const said = await play(sh("echo no; false; sleep 600", { words: "stays", shown: "ready" }));
  expect(said).toStartWith(
    "page.md:1: it did not print this line of page.md:4, or not in this order:\nready",
  );
});

test("scenes are apart, and a file block is a file there", async () => {
  const page = [
    `${fence}yaml file=a.yaml scene=far\nkey: 1\n${fence}`,
    sh('cat a.yaml; echo "$WHO"', { words: "scene=far", shown: "key: 1\nfar" }),
    sh("cat a.yaml", { words: "exit=1" }),
  ];
  const options = { scenes: { far: { environment: { WHO: "far" } } } };
  expect(await play(page.join("\n"), options)).toBe("");
  expect(await play(page.join("\n"))).toContain('no scene "far"');
});

test("a person answers while a command waits", async () => {
  const page = sh("echo ask 7; until test -e answer; do sleep 0.02; done; cat answer", {
    shown: "ask 7\nyes",
  });
  await using run = PageRun.of(pageBlocks(page, "page.md"), {
    answers: [
      { when: /ask (\d)/, act: async () => void (await Bun.write(`${run.folder()}/answer`, "yes\n")) },
    ],
  });
  await run.runAll();
});

test("what is not run needs a sentence, and a sentence needs what is not run", async () => {
  const page = sh("false", { words: "not-run=systemd" });
  expect(await play(page, { notRun: { systemd: "no systemd runs in tests" } })).toBe("");
  expect(await play(page)).toContain("no sentence for not-run=systemd");
  expect(await play("", { notRun: { systemd: "" } })).toContain("No block is marked not-run=systemd");
  expect(await play(sh("true", { words: "slow" }))).toContain('"slow" says nothing');
});

test("after a block that has failed, none is run", async () => {
  await using page = PageRun.of(pageBlocks(`# One\n${sh("false")}\n# Two\n${sh("true")}`, "page.md"));
  await expect(page.run("One")).rejects.toThrow("page.md:2: exit code 1");
  await expect(page.run("Two")).rejects.toThrow("Not run, as page.md:2 has failed");
});

test("headings can be run one by one, in order", async () => {
  const text = `# One\n${sh("echo 1 >count")}\n# Two\n${sh("echo 2 >count")}`;
  await using page = PageRun.of(pageBlocks(text, "page.md"));
  await page.run("One");
  expect(await Bun.file(`${page.folder()}/count`).text()).toBe("1\n");
  await page.run("Two");
  expect(await Bun.file(`${page.folder()}/count`).text()).toBe("2\n");
  await expect(page.run("One")).rejects.toThrow('Cannot run "One"');
  expect(() => pageBlocks("```sh\ntrue", "page.md")).toThrow("page.md:1: the block does not end");
});
