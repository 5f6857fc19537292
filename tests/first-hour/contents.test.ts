/** What lies in a release's archive and package. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { checksumsName } from "../release/checksums.ts";
import { ownArchive, ownPackage, run, SharedRelease, version } from "./shared-release.ts";

let release: SharedRelease;
beforeAll(async () => {
  release = await SharedRelease.open();
});
afterAll(() => release?.[Symbol.dispose]());

test("its checksums are those of its files", async () => {
  const lines = (await run(["sha256sum", "--check", "--strict", checksumsName], release.folder))
    .trim()
    .split("\n");
  expect(lines).toEqual([
    "CONTENTS.md: OK",
    `${ownArchive}.tar.gz: OK`,
    "vantage.cdx.json: OK",
    `${ownPackage}: OK`,
  ]);
});

test("what its README names lies beside it, for who has nothing but the archive", async () => {
  const name = ownArchive;
  const paths = new Set((await run(["tar", "-tzf", release.at(`${name}.tar.gz`)])).trim().split("\n"));
  const readme = await run(["tar", "-xzOf", release.at(`${name}.tar.gz`), `${name}/README.md`]);
  expect(readme).toContain(`This is ${name}:`);
  expect(readme).not.toContain("npm run");
  const named = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => `${name}/${path}`);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !paths.has(path))).toEqual([]);
  const published = [`sdk/vantage_sdk-${version}-py3-none-any.whl`, `sdk/vantage-sdk-${version}.tgz`];
  for (const path of ["deploy/keycloak/realm.json", "deploy/kafka/start.sh", ...published]) {
    expect(paths).toContain(`${name}/${path}`);
  }
  expect([...paths].filter((path) => path.includes("/deploy/secrets"))).toEqual([]);
  const listed = await run(["dpkg-deb", "--contents", release.at(ownPackage)]);
  expect(listed).toContain(" ./usr/share/doc/vantage/docs/start/first-measurement.md\n");
});
