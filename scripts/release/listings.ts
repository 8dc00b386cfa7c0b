import { readFileSync } from 'node:fs';
import { pngSize } from '../pngSize.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly publisher?: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly license?: string;
  readonly icon?: string;
  readonly categories?: readonly string[];
  readonly keywords?: readonly string[];
}

/** Those that the marketplaces know. */
const categories = new Set([
  ...['AI', 'Azure', 'Chat', 'Data Science', 'Debuggers', 'Education', 'Extension Packs', 'Formatters', 'Keymaps'],
  ...['Language Packs', 'Linters', 'Machine Learning', 'Notebooks', 'Other', 'Programming Languages'],
  ...['SCM Providers', 'Snippets', 'Testing', 'Themes', 'Visualization'],
]);

const mostKeywords = 30;
const leastIcon = 128;

/** What the marketplaces of VS Code and Open VSX would refuse in what is listed there. */
export function listingProblems(manifest: Manifest, page: string): string[] {
  const { name, version, publisher, displayName, description, license, icon, keywords = [] } = manifest;
  const lacking = Object.entries({ publisher, displayName, description, license, icon }).filter(([, value]) => !value);
  return [
    ...lacking.map(([key]) => `package.json has no ${key}`),
    ...(/^[a-z0-9][a-z0-9-]*$/.test(name) ? [] : [`${name} cannot be the name of an extension`]),
    ...(/^\d+\.\d+\.\d+$/.test(version) ? [] : [`${version} is not a version that the marketplaces take`]),
    ...(manifest.categories ?? []).filter((one) => !categories.has(one)).map((one) => `there is no category ${one}`),
    ...(keywords.length > mostKeywords ? [`there are ${keywords.length} keywords; ${mostKeywords} are taken`] : []),
    ...(icon ? iconProblems(icon, readFileSync(icon)) : []),
    ...pageProblems(page),
  ];
}

function iconProblems(name: string, bytes: Buffer): string[] {
  if (bytes.toString('latin1', 1, 4) !== 'PNG') return [`${name} is not a PNG`];
  const { width, height } = pngSize(bytes);
  return width < leastIcon || height < leastIcon
    ? [`${name} has ${width}×${height} pixels; ${leastIcon} are asked for`]
    : [];
}

/** Pictures of a page are fetched from elsewhere: from https alone, and no SVG. */
function pageProblems(page: string): string[] {
  const pictures = [...page.matchAll(/!\[[^\]]*\]\(([^)\s]+)/g), ...page.matchAll(/<img[^>]*src="([^"]+)"/g)];
  return pictures.flatMap(([, address = '']) => [
    ...(address.startsWith('http:') ? [`the picture ${address} does not come over https`] : []),
    ...(/\.svg(?:[?#]|$)/.test(address) ? [`the picture ${address} is an SVG`] : []),
  ]);
}
