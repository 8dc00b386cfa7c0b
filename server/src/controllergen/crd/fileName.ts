/**
 * The file that controller-gen writes a CRD to. Whatever a marker says of group and plural, it is the name of a file in
 * the folder that was asked for, on all systems: other characters than those of valid names are written as `%` and
 * digits.
 */
export function fileNameOf(group: string, plural: string): string {
  const plain = `${group}_${plural}`.replace(/[^A-Za-z0-9._-]/gu, escaped);
  const name = plain.replace(device, (found) => escaped(found[0]!) + found.slice(1));
  return `${name.length > longest ? `${name.slice(0, longest)}~${hashOf(name)}` : name}.yaml`;
}

/** Characters of a name that file systems take, with room for what is put behind it. */
const longest = 200;

/** Names that are devices to Windows, whatever is behind a dot. */
const device = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9])(?=\.|$)/i;

function escaped(character: string): string {
  return Array.from(new TextEncoder().encode(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** Tells names apart that begin alike (FNV-1a). */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
