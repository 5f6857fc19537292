/** @jsxImportSource hono/jsx */
/** Round-trip times by hop: a box for each, of the few paths that a page can show. */
import {
  hopTimesPicture,
  type TimedPath,
} from "../../../../lib/measuring/pictures/charts/hop-times-picture.ts";
import type { Visit } from "../../page.ts";
import { rowsAnswer } from "../../parts/api-rows.tsx";
import { PictureFrame } from "../../parts/picture.tsx";
import { resultPath } from "./result-path.ts";

const pathsMax = 4;

interface HopTimesProps {
  readonly visit: Visit;
  readonly at: string;
}

/** Null = no path has several hops. */
export async function HopTimes({ visit, at }: HopTimesProps) {
  const rows = await visit.api.get(
    resultPath(visit, at, "paths", { limit: String(pathsMax + 1) }),
    rowsAnswer,
  );
  // A ping has one hop, whose times over time say more.
  const paths = (rows as unknown as readonly TimedPath[]).filter(({ hops }) => hops.length > 1);
  return paths.length === 0 ? null : (
    <>
      {paths.slice(0, pathsMax).map((path) => (
        <PictureFrame
          picture={hopTimesPicture(path)}
          name={`Round-trip times from ${path.agent} to ${path.address}`}
        />
      ))}
      {paths.length > pathsMax ? (
        <p class="soft">{`The first ${pathsMax} paths are drawn by hop: choose a destination above for another.`}</p>
      ) : null}
    </>
  );
}
