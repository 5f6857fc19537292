declare module "*.wasm" {
  /** Where the module lies: a path, also inside a compiled executable. */
  const path: string;
  export default path;
}
