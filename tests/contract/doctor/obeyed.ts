/** What of a text a terminal would obey, or would not show. */
export function hostileParts(text: string): string[] {
  return text.match(/[^\P{Cc}\n]|[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu) ?? [];
}
