/** @jsxImportSource hono/jsx */
/** A user in operators' tables: the name, where one is known, and the beginning of the hash. */
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
