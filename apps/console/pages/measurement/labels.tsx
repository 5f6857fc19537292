/** @jsxImportSource hono/jsx */
/** A measurement's labels and origin, and a form to change the labels. */
import { Field } from "../../parts/field.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import type { OwnStatus } from "./progress.tsx";

export function Labels({ status }: { readonly status: OwnStatus }) {
  const { measurement_id: id, name, tags, note } = status;
  return (
    <section id="labels" aria-label="Name, tags and note">
      <p>
        <Tags tags={tags} /> <Origin origin={status.origin} />
      </p>
      {note === null ? null : (
        <p class="soft">
          {note.split("\n").map((line) => (
            <>
              <Foreign text={line} />
              <br />
            </>
          ))}
        </p>
      )}
      <details>
        <summary>Edit name, tags and note</summary>
        <form class="row" data-call={`PATCH /api/measurements/${id}`} data-done="Saved">
          <Field label="Name" name="name" value={name} kind="textOrNull" grows />
          <Field label="Tags" name="tags" value={tags.join(", ")} kind="commaWords" />
          <label class="field grow">
            <span>Note</span>
            <textarea name="note" data-kind="textOrNull" rows={2}>
              {note ?? ""}
            </textarea>
          </label>
          <button type="submit">Save</button>
        </form>
      </details>
    </section>
  );
}

export function Tags({ tags }: { readonly tags: readonly string[] }) {
  return (
    <>
      {tags.map((tag) => (
        <>
          <a class="tag" href={`/console/measurements?tag=${encodeURIComponent(tag)}`}>
            <Foreign text={tag} />
          </a>{" "}
        </>
      ))}
    </>
  );
}

type OriginProps = Pick<OwnStatus, "origin">;

/** Programs do not always give their name. */
export function isOriginKnown({ kind, text }: OwnStatus["origin"]): boolean {
  return kind !== "program" || !["not known", "none"].includes(text);
}

/** With a link to its campaign or discovery. */
export function Origin({ origin }: OriginProps) {
  const { kind, text, campaign_id: campaign } = origin;
  if (campaign === null) {
    return <span class="soft">{isOriginKnown(origin) ? <Foreign text={`by ${text}`} /> : ""}</span>;
  }
  return (
    <a
      href={
        kind === "discovery" ? `/console/discovery?discovery=${campaign}` : `/console/campaigns/${campaign}`
      }
    >
      <Foreign text={text} />
    </a>
  );
}
