/** How `vantage experiment show` prints rounds: each site's targets, those that moved, what each site catches. */
import type { MoveRow, RoundRow, SiteRow } from "../../../lib/experiment/round-rows.ts";
import type { Column } from "../../../lib/terminal/rows-output.ts";

export const roundColumns: readonly Column<RoundRow>[] = [
  { name: "round", head: "round", align: "right", value: ({ round }) => round },
  { name: "announced", head: "announced", value: ({ announced }) => announced },
  { name: "site", head: "site", value: ({ site }) => site },
  { name: "targets", head: "targets", align: "right", value: ({ targets }) => targets },
  { name: "moved_here", head: "moved here", align: "right", value: (row) => row.movedHere },
];

export const moveColumns: readonly Column<MoveRow>[] = [
  { name: "round", head: "round", align: "right", value: ({ round }) => round },
  { name: "from", head: "from", value: ({ from }) => from },
  { name: "to", head: "to", value: ({ to }) => to },
  { name: "targets", head: "targets", align: "right", value: ({ targets }) => targets },
];

type Share = { readonly targets: number; readonly of: number } | null;

/** A column for each number of prepends that was tried: shares of the targets that answered at one site. */
export function siteColumns(rows: readonly SiteRow[]): readonly Column<SiteRow>[] {
  const counts = [...new Set(rows.flatMap(({ byPrepend }) => [...byPrepend.keys()]))].sort((a, b) => a - b);
  return [
    { name: "site", head: "site", value: ({ site }) => site },
    ...counts.map((count) =>
      shareColumn(`prepend_${count}`, `+${count}`, ({ byPrepend }) => byPrepend.get(count) ?? null),
    ),
    shareColumn("alone", "alone", ({ alone }) => alone),
  ];
}

function shareColumn(name: string, head: string, share: (row: SiteRow) => Share): Column<SiteRow> {
  return { name, head, align: "right", value: share, text: (row) => shareText(share(row)) };
}

function shareText(share: Share): string {
  return share === null ? "" : `${share.targets}/${share.of}`;
}
