declare module "*.data" {
  /** Where the file lies: a path, also inside a compiled executable. Import it `with { type: "file" }`. */
  const path: string;
  export default path;
}

declare module "*.tar.gz" {
  /** Where the file lies: a path, also inside a compiled executable. Import it `with { type: "file" }`. */
  const path: string;
  export default path;
}

declare module "*.tar.zst" {
  /** Where the file lies: a path, also inside a compiled executable. Import it `with { type: "file" }`. */
  const path: string;
  export default path;
}
