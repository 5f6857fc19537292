/** @jsxImportSource hono/jsx */
/** A user in operators' tables: the name, where known, and the hash's beginning; export and erasure of the data. */
import { Field } from "../../parts/field.tsx";
import { Foreign } from "../../parts/foreign.tsx";

interface ListedUser {
  readonly user_hash: string;
  readonly name?: string | null | undefined;
}

export function UserCell({ user: { user_hash: hash, name = null } }: { readonly user: ListedUser }) {
  return (
    <>
      {name === null ? null : <Foreign text={name} />} <code title={hash}>{hash.slice(0, 8)}</code>
    </>
  );
}

/** Where only the hash is known: the way to the user. */
export function UserLink({ hash }: { readonly hash: string }) {
  return (
    <a href={`/console/operators?view=users&who=${hash}`} title={hash}>
      <code>{hash.slice(0, 8)}</code>
    </a>
  );
}

interface UserDataProps {
  readonly hash: string;
  /** Of a gateway's admin API, for the page's script. */
  readonly call: string;
}

/** What one gateway keeps: as a file; and its erasure, for which the beginning of the hash is typed. */
export function UserData({ hash, call }: UserDataProps) {
  const short = hash.slice(0, 8);
  return (
    <>
      {" "}
      <a href={`${call}/users/${hash}/export`} download={`user-${short}.json`} aria-label={`Export ${short}`}>
        Export
      </a>
      <details id={`erase-${short}`}>
        <summary>Erase</summary>
        <form
          class="action"
          data-call={`DELETE ${call}/users/${hash}`}
          data-done="Erased permanently"
          data-shows="what remains is {remains}"
        >
          <Field label={`Type ${short}`} name="" mustBe={short} />
          <button type="submit" class="danger" aria-label={`Erase permanently: ${short}`}>
            Erase permanently
          </button>
        </form>
      </details>
    </>
  );
}
