/** @jsxImportSource hono/jsx */
/** Sharing: by link, publicly and permanently, and revoking a link. */
import type * as v from "valibot";
import { sharingAnswer } from "../../../lib/base/api/sharing.ts";
import type { Visit } from "../page.ts";
import { failureView } from "./failure.tsx";
import { Action, Field } from "./field.tsx";
import { Foreign } from "./foreign.tsx";
import { type Look, Mark } from "./mark.tsx";
import { Terms } from "./terms.tsx";
import { Time } from "./time.tsx";

type Sharing = v.InferOutput<typeof sharingAnswer>;

const looks: Readonly<Record<Sharing["visibility"], { readonly look: Look; readonly word: string }>> = {
  private: { look: "plain", word: "private" },
  link: { look: "wait", word: "by link" },
  embargoed: { look: "wait", word: "public later" },
  public: { look: "good", word: "public" },
};

interface ShareProps {
  readonly visit: Visit;
  readonly id: string;
  readonly of: "measurements" | "campaigns";
}

/** Collapsed by default. */
export async function Share({ visit, id, of }: ShareProps) {
  const path = `/api/${of}/${encodeURIComponent(id)}/sharing`;
  const sharing = await visit.api.get(path, sharingAnswer).catch((error: unknown) => failureView(error));
  return (
    <details id="share" class="card">
      {"body" in sharing ? (
        <>
          <summary>Share</summary>
          {sharing.body}
        </>
      ) : (
        <Ways sharing={sharing} path={path} page={`${of}/${id}`} origin={visit.url.origin} />
      )}
    </details>
  );
}

interface WaysProps {
  readonly sharing: Sharing;
  readonly path: string;
  /** Below `/console/public`. */
  readonly page: string;
  readonly origin: string;
}

function Ways({ sharing, path, page, origin }: WaysProps) {
  const { visibility, has_link: hasLink, public_at: publicAt } = sharing;
  const publicAddress = `${origin}/console/public/${page}`;
  return (
    <>
      <summary>
        Sharing: <Mark {...looks[visibility]} />
      </summary>
      <p>Others see probes, replies and figures, including source addresses; never who you are.</p>
      {sharing.hidden_at === null ? null : (
        <p class="bad">
          Hidden from everyone but you by an operator since <Time at={sharing.hidden_at} />:{" "}
          <Foreign text={sharing.hidden_because ?? ""} />
        </p>
      )}
      {visibility === "public" ? (
        <p>
          Public since <Time at={publicAt} />:{" "}
          <a href={publicAddress}>
            <code>{publicAddress}</code>
          </a>{" "}
          It stays so, as others may have cited it. <Terms of={sharing} />
        </p>
      ) : null}
      {visibility === "embargoed" ? (
        <p>
          Public from <Time at={publicAt} />. <Terms of={sharing} />
        </p>
      ) : null}
      <div class="row">
        <Action
          call={`POST ${path}`}
          word={hasLink ? "Create a new link" : "Create a link"}
          of="to these results"
          done="Link created"
          body={{ visibility: "link" }}
          shows={`${origin}{page}`}
          once="Link to these results"
        />
        {hasLink || visibility === "embargoed" ? (
          <Action
            call={`DELETE ${path}`}
            word="Revoke"
            of="the link and the later publication"
            done="The link no longer works"
            isDangerous
          />
        ) : null}
      </div>
      <p class="soft">
        {hasLink ? "A new link replaces the current one. " : ""}The link works until you revoke it.
      </p>
      {visibility === "public" ? null : <Publish path={path} />}
    </>
  );
}

/** Irreversible, so it must be confirmed by typing. */
function Publish({ path }: { readonly path: string }) {
  return (
    <form class="row" data-call={`POST ${path}`} data-done="Published">
      <input type="hidden" name="visibility" value="public" />
      <Field label="Licence" name="licence" isRequired hint="CC-BY-4.0" />
      <Field label="Contact" name="contact" />
      <Field label="How to cite it" name="citation" grows />
      <Field label="Not before (UTC; empty: now)" name="public_at" type="datetime-local" kind="utc" />
      <Field label="Type “public” to confirm" name="" mustBe="public" />
      <button type="submit" class="danger">
        Publish (cannot be undone)
      </button>
    </form>
  );
}
