// The texts of package.json for people are in package.nls.json, where translations of it find them.

/** What holds such texts, by the name of the key. */
const shown = new Set(['title', 'shortTitle', 'category', 'description', 'markdownDescription', 'altText', 'label']);
const shownLists = new Set(['enumDescriptions', 'markdownEnumDescriptions']);

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * The texts of both files: what is written out in package.json moves to package.nls.json, and what nothing names any more
 * goes from there.
 */
export function localized(manifestText: string, nlsText: string): { readonly manifest: string; readonly nls: string } {
  const manifest = JSON.parse(manifestText);
  const before: Readonly<Record<string, string>> = nlsText === '' ? {} : JSON.parse(nlsText);
  const texts: Record<string, string> = {};
  const reference = (text: string, key: string) => {
    const named = /^%(.+)%$/.exec(text)?.[1];
    const [at, words] = named === undefined ? [key, text] : [named, before[named]];
    if (words === undefined) throw new Error(`package.json names ${text}, which package.nls.json does not have`);
    texts[at] = words;
    return `%${at}%`;
  };
  const contributes = replaced(manifest.contributes, '', reference);
  const inOrder = Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    manifest: `${JSON.stringify({ ...manifest, contributes }, undefined, 2)}\n`,
    nls: `${JSON.stringify(Object.fromEntries(inOrder), undefined, 2)}\n`,
  };
}

function replaced(value: Json, path: string, reference: (text: string, key: string) => string): Json {
  if (Array.isArray(value))
    return value.map((one, i) => replaced(one, joined(path, nameOf(one) ?? String(i)), reference));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const at = joined(path, key);
      if (typeof one === 'string' && shown.has(key)) return [key, reference(one, at)];
      if (Array.isArray(one) && shownLists.has(key))
        return [key, one.map((text, i) => (typeof text === 'string' ? reference(text, joined(at, String(i))) : text))];
      return [key, replaced(one, at, reference)];
    }),
  );
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** What tells an item of a list from the others, so that its texts keep their keys when another comes. */
function nameOf(item: Json): string | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
  const { command, id } = item as { readonly [key: string]: Json };
  return [command, id].find((name) => typeof name === 'string') as string | undefined;
}
