// The licences of the packages that went into the bundles, as their own terms ask for.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

/** The text of the notices for the files that were bundled. A package without a licence text cannot be shipped. */
export function noticesOf(inputs) {
  const folders = new Set([...inputs].map((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]));
  folders.delete(undefined);
  return [...folders].sort().map(noticeOf).join('\n');
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
  const file = readdirSync(path.join(root, folder)).find((one) => /^(licen[cs]e|copying)/i.test(one));
  if (file === undefined) throw new Error(`${name} ${version} (${license}) comes without the text of its licence`);
  const text = readFileSync(path.join(root, folder, file), 'utf8').trim();
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n${'='.repeat(80)}\n\n${text}\n`;
}
