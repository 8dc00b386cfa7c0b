import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

/** The extension's page in editors and in the marketplace. Editors show no pictures from a package's files, so they are in the text. */
export function extensionPage() {
  const page = readFileSync(path.join(root, 'docs/marketplace.md'), 'utf8');
  return page.replace(/\]\((images\/[\w-]+\.png)\)/g, (_, picture) => {
    const bytes = readFileSync(path.join(root, 'docs', picture));
    return `](data:image/png;base64,${bytes.toString('base64')})`;
  });
}
