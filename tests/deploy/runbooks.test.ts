/**
 * What a runbook names of ours is there: keys of configurations, messages of the log, values of labels, files, routes.
 * Its metrics are held by observability.test.ts, its commands by tests/docs/commands.test.ts.
 */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "docs/operate/runbook");

/** Programs of others, by the first word of a command. */
const foreignPrograms = new Set(
  `amtool bird birdc chronyc curl df dmesg docker du ip journalctl krillc pg_isready systemctl tcpdump timedatectl
   touch`.split(/\s+/),
);
/** Settings, tables and files of others. */
const foreignNames = new Set([
  ...[
    "-cache",
    "Expire timer",
    "Established",
    "bird.conf",
    "configure",
    "configure soft",
    "graceful restart off",
  ],
  ...["makestep 1.0 3", "aud", "iss", "max.message.bytes", "message.max.bytes", "max_connections"],
  ...["pg_stat_activity", "http://127.0.0.1:9090/alerts", "soft"],
]);

function text(pattern: string): string {
  const paths = [...new Bun.Glob(pattern).scanSync(root)].filter((path) => !path.endsWith(".test.ts"));
  return paths.map((path) => readFileSync(join(root, path), "utf8")).join("\n");
}

const product = ["{apps,lib,ffi}/**/*.{ts,tsx}", "sql/**/*.sql", "deploy/**/*"].map(text).join("\n");
const configurations = ["docs/reference/*-configuration.md", "docs/reference/exchange-settings.md"]
  .map(text)
  .join("\n");

function isThere(span: string): boolean {
  const [first = ""] = span.split(" ");
  if (/^vantage(_| |-)/.test(span) || /^rate\(/.test(span) || foreignPrograms.has(first)) {
    return true;
  }
  if (/^SELECT /.test(span)) {
    const names = span.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? [];
    return names.every((name) => product.includes(name));
  }
  if (/^[a-z_]+(\[\])?\.[a-z_.]+$/.test(span) && configurations.includes(`\`${span}\``)) {
    return true;
  }
  const named = span.replace(/^(POST |GET |deploy\/secrets\/)/, "").replace(/:.*$/, "");
  return foreignNames.has(span) || product.includes(named);
}

test("what a runbook names is there", () => {
  const named = readdirSync(folder).flatMap((page) => {
    const spans = [...readFileSync(join(folder, page), "utf8").matchAll(/`([^`\n]+)`/g)];
    return spans.map(([, span = ""]) => ({ page, span }));
  });
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ span }) => !isThere(span))).toEqual([]);
});
