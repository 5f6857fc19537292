declare module "*.eta" {
  /** The template's text, also inside a compiled executable. Import it `with { type: "text" }`. */
  const text: string;
  export default text;
}
