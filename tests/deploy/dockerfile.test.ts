/** The file of images: versions in full, sources that are there, nobody with rights at the end. */
import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Copy, DockerfileParser, From, type Instruction } from "dockerfile-ast";
import packageJson from "../../package.json";
import { longTest } from "../run/long-test.ts";
import { runToEnd } from "../run/said.ts";
import { copyContext, filesBelow } from "./build-context.ts";
import { exampleVariables, isOurs, isOwnImage, projectRoot, readCompose, stageOf } from "./compose-file.ts";

const instructions = DockerfileParser.parse(
  readFileSync(join(projectRoot, "Dockerfile"), "utf8"),
).getInstructions();

interface Stage {
  readonly name: string;
  readonly base: string;
  readonly instructions: Instruction[];
}

const stages: Stage[] = [];
for (const instruction of instructions) {
  if (instruction instanceof From) {
    const [name, base] = [instruction.getBuildStage() ?? "", instruction.getImage() ?? ""];
    stages.push({ name, base, instructions: [] });
  } else {
    stages.at(-1)?.instructions.push(instruction);
  }
}
const names = stages.map(({ name }) => name);

/** What an instruction of this stage, or of the one that it begins with, says last. */
function lastOf(stage: Stage, keyword: string): string | null {
  const own = stage.instructions.findLast((instruction) => instruction.getKeyword() === keyword);
  const base = stages.find(({ name }) => name === stage.base);
  return own?.getArgumentsContent() ?? (base === undefined ? null : lastOf(base, keyword));
}

test("each stage begins with another stage, or with an image of a version", () => {
  const strangers = stages.filter(({ base }) => !names.includes(base));
  const pinned = /^(docker|quay)\.io\/[\w./-]+:[\w.-]*\d+\.?\d+[\w.-]*$/;
  expect(strangers.filter(({ base }) => !pinned.test(base))).toEqual([]);
  expect(strangers.some(({ base }) => base.endsWith(":latest"))).toBe(false);
});

test("each target and each image of ours is a stage, and what is ours ends as a user without rights", () => {
  const services = Object.values(readCompose(exampleVariables()).services);
  const targets = services.flatMap(({ build }) => (build === undefined ? [] : [build.target]));
  const images = services.flatMap(({ image }) => (isOwnImage(image) ? [stageOf(image)] : []));
  expect([...targets, ...images].filter((target) => !names.includes(target))).toEqual([]);
  const ours = new Set(services.filter(isOurs).map(({ image }) => stageOf(image)));
  for (const stage of stages.filter(({ name }) => ours.has(name))) {
    expect([stage.name, lastOf(stage, "USER")]).toEqual([stage.name, "10001:10001"]);
    expect([stage.name, lastOf(stage, "ENTRYPOINT")]).toEqual([stage.name, '["vantage"]']);
  }
});

test("what is copied is there, and reaches the builder", () => {
  const copies = instructions.filter((instruction) => instruction instanceof Copy);
  const fromStages = copies.flatMap((copy) => copy.getFromFlag()?.getValue() ?? []);
  expect(fromStages.filter((name) => !names.includes(name))).toEqual([]);
  const sources = copies
    .filter((copy) => copy.getFromFlag() === null)
    .flatMap((copy) => copy.getArguments().slice(0, -1))
    .map((argument) => argument.getValue());
  expect(sources.length).toBeGreaterThan(5);
  expect(sources.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
  expect(sources.filter((path) => filesBelow(path).length === 0)).toEqual([]);
});

test("images of ours have a check of their health, and labels with the version of this tree", () => {
  for (const name of ["vantage", "bird", "exchange", "vpn"]) {
    const stage = stages.find((one) => one.name === name);
    expect(stage === undefined ? null : lastOf(stage, "HEALTHCHECK")).toContain("CMD");
    expect(stage === undefined ? null : lastOf(stage, "LABEL")).toContain(
      `org.opencontainers.image.title="${name === "vantage" ? name : `vantage-${name}`}"`,
    );
  }
  const labels = instructions
    .filter((one) => one.getKeyword() === "LABEL")
    .map((one) => one.getArgumentsContent());
  const versions = [...labels.join("\n").matchAll(/image\.version="([^"]*)"/g)].map(([, version]) => version);
  expect(versions).toEqual([packageJson.version, packageJson.version]);
});

test("Bun in the build stage is the one that the tests run", () => {
  expect(stages.find(({ name }) => name === "build")?.base).toBe(
    `docker.io/oven/bun:${packageJson.devDependencies.bun}-slim`,
  );
});

longTest("the build stage makes an executable of the files that reach it, and of nothing else", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-context-"));
  try {
    const build = stages.find(({ name }) => name === "build");
    const own = build?.instructions ?? [];
    copyContext(own, folder);
    const commands = own
      .filter((instruction) => instruction.getKeyword() === "RUN")
      .map((run) => (run.getArgumentsContent() ?? "").replaceAll(/(?<=\s)\/build\b/g, folder));
    expect(commands.length).toBeGreaterThan(1);
    const env = {
      ...process.env,
      ...{ PATH: `${dirname(process.execPath)}:${process.env.PATH}`, VANTAGE_COMMIT: "of-the-test" },
    };
    for (const command of commands) {
      const { exitCode, stderr } = await runToEnd(["sh", "-c", command], { cwd: folder, env });
      expect([command, exitCode, exitCode === 0 ? "" : stderr.slice(-2000)]).toEqual([command, 0, ""]);
    }
    const { stdout } = await runToEnd([join(folder, "dist/vantage"), "--version"]);
    expect(stdout).toContain("of-the-test");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("nothing is fetched past the package managers, and their lists do not stay", () => {
  const runs = instructions.filter((instruction) => instruction.getKeyword() === "RUN");
  const texts = runs.map((run) => run.getArgumentsContent() ?? "");
  expect(texts.filter((text) => /\b(curl|wget|git clone)\b|\|\s*(ba)?sh\b/.test(text))).toEqual([]);
  const installs = texts.filter((text) => text.includes("apt-get install"));
  expect(installs.length).toBeGreaterThan(2);
  expect(installs.filter((text) => !text.includes("rm -rf /var/lib/apt/lists/*"))).toEqual([]);
  expect(installs.filter((text) => !text.includes("--no-install-recommends"))).toEqual([]);
  expect(instructions.filter((instruction) => instruction.getKeyword() === "ADD")).toEqual([]);
});
