/**
 * An object as its user may name it: queries about one object take this and not an id, so that no id of a request
 * reaches the database unchecked, wherever it stood: path, query, body.
 */
import type { ObjectKind } from "../../base/api/scopes.ts";
import type { TokenGrant } from "../auth/token-grant.ts";
import type { Identity } from "../auth/token-verifier.ts";
import { problem } from "./problem.ts";

type OwnedKind = ObjectKind | "experiment";

export interface ObjectName {
  /** A token can be narrowed to the kinds of objects that the API names; an experiment is never one of them. */
  readonly kind: OwnedKind;
  readonly id: string;
}

export class Owned {
  readonly #name: ObjectName;
  readonly userHash: string;

  private constructor(name: ObjectName, userHash: string) {
    this.#name = name;
    this.userHash = userHash;
  }

  get kind(): OwnedKind {
    return this.#name.kind;
  }

  get id(): string {
    return this.#name.id;
  }

  /** Throws Problem 403 `other_object` for what an API token is not for. The query finds whether the user has it. */
  static async by(identity: Identity, { kind, id }: ObjectName): Promise<Owned> {
    const name = { kind, id: id.toLowerCase() };
    await checkHeld(identity, name);
    return new Owned(name, identity.userHash);
  }

  /** Without a caller: for what a gateway does by itself, and for shares, whose user is known from the database. */
  static of(userHash: string, { kind, id }: ObjectName): Owned {
    return new Owned({ kind, id: id.toLowerCase() }, userHash);
  }
}

/** `name` null: a route about no single object, which a narrowed token never opens. Throws Problem 403. */
export async function checkHeld({ grant }: Pick<Identity, "grant">, name: ObjectName | null): Promise<void> {
  if (grant === undefined || grant.object === null || (name !== null && (await isHeld(grant, name)))) {
    return;
  }
  const { kind, id } = grant.object;
  throw problem(403, "other_object", `The token is for ${kind} ${id} alone: make another one for this`);
}

async function isHeld(grant: TokenGrant, { kind, id }: ObjectName): Promise<boolean> {
  return kind === grant.object?.kind
    ? id === grant.object.id
    : kind === "measurement" && (await grant.holds(id));
}
