/** What stands for the owner of the repository until a release puts the name there. */
export const placeholder = 'OWNER';

/** The files that have it. Nothing else does. */
export const files = ['server/src/share/address.ts', 'docs/ci.md'];

/** A text with the owner's name; the note that says so is no longer true of it. */
export function owned(text: string, owner: string): string {
  return text.replace(/ \(`OWNER` is[^)]*\)/, '').replaceAll(placeholder, owner);
}
