/**
 * The pages' files: one script and one style sheet, named after their content, so that browsers cache them permanently;
 * compressed once.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import plotFrame from "uplot/dist/uPlot.min.css" with { type: "text" };
import { pageStyle } from "../../../lib/base/pages/page-style.ts";
import { pictureStyle } from "../../../lib/measuring/pictures/look.ts";
import { landFile } from "../../../lib/measuring/pictures/map/land.ts";
import icon from "../style/icon.svg" with { type: "text" };
import pictures from "../style/pictures.css" with { type: "text" };
import plots from "../style/plots.css" with { type: "text" };

/** Later ones override earlier ones. */
const styles: readonly string[] = [pageStyle, pictures, pictureStyle, plotFrame, plots];

interface ConsoleFile {
  /** `console-0123456789abcdef.js` */
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
}

export interface ConsoleFiles {
  readonly script: ConsoleFile;
  readonly style: ConsoleFile;
  readonly icon: ConsoleFile;
  /** The land's outline, which only pages with a map load. */
  readonly land: ConsoleFile;
}

let made: Promise<ConsoleFiles> | null = null;

/** Built once. */
export function consoleFiles(): Promise<ConsoleFiles> {
  made ??= make();
  return made;
}

async function make(): Promise<ConsoleFiles> {
  // The build replaces this name with the script itself.
  const script = process.env.VANTAGE_CONSOLE_SCRIPT ?? (await bundledScript());
  return {
    script: fileOf("js", "text/javascript; charset=utf-8", script),
    style: fileOf("css", "text/css; charset=utf-8", styles.join("\n")),
    icon: fileOf("svg", "image/svg+xml", icon),
    land: fileOf("svg", "image/svg+xml", landFile()),
  };
}

function fileOf(ending: string, type: string, text: string): ConsoleFile {
  const bytes = new Uint8Array(Buffer.from(text));
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  return {
    name: `console-${hash}.${ending}`,
    type,
    bytes,
    gzipped: new Uint8Array(gzipSync(bytes, { level: 9 })),
  };
}

/**
 * The script, built from `client/console.ts` by Bun's bundler. The executable's build does this once and provides it as
 * `VANTAGE_CONSOLE_SCRIPT` (tests/build.ts); when Bun runs the sources, it is built at the first request for a page.
 */
export async function bundledScript(): Promise<string> {
  const entry = join(import.meta.dirname, "../client/console.ts");
  const { outputs, logs } = await Bun.build({ entrypoints: [entry], target: "browser", minify: true });
  const [script] = outputs;
  if (script === undefined) {
    throw new Error(`Cannot bundle the console's script: ${logs.map(String).join("; ")}`);
  }
  return script.text();
}

/** Path of the land's outline, for maps. */
export async function landAddress(): Promise<string> {
  return `/console/files/${(await consoleFiles()).land.name}`;
}
