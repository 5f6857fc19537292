declare module "*.wasm" {
  /** The module's path, also inside a compiled executable. */
  const path: string;
  export default path;
}
