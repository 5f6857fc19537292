/** Addresses of engines that run on a folder of this machine: `embedded:DIR`, `chdb:DIR`, `pglite:DIR`. Pure. */

export const embeddedSchemes = { broker: "embedded:", store: "chdb:", database: "pglite:" } as const;
type Engine = keyof typeof embeddedSchemes;

/** The folder, which may be empty; null = the address of a server. */
export function embeddedFolder(engine: Engine, address: string): string | null {
  const scheme = embeddedSchemes[engine];
  return address.startsWith(scheme) ? address.slice(scheme.length) : null;
}
