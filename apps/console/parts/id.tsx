/** @jsxImportSource hono/jsx */
/** An id below a title that is a name: small, with a button that copies it (client/copy.ts). */

export function Id({ id }: { readonly id: string }) {
  return (
    <>
      <code class="soft">{id}</code>{" "}
      <button type="button" class="small" data-copies={id} hidden>
        Copy ID
      </button>
    </>
  );
}
