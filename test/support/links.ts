import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Link {
  /** From the repository's root. */
  readonly file: string;
  /** Of a heading; empty without one. */
  readonly anchor: string;
}

/** The links of a page to other files, and to its own headings. What is shown as code links to nothing. */
export function linksOf(page: string): Link[] {
  const text = readFileSync(page, 'utf8')
    .replace(/^( *)(`{3,})[\s\S]*?^\1\2$/gm, '')
    .replace(/(`+)[^`]*?\1/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']): Link[] => {
    if (/^[a-z]+:/.test(target)) return [];
    const [to = '', anchor = ''] = target.split('#');
    return [{ file: to === '' ? page : path.posix.join(path.posix.dirname(page), to), anchor }];
  });
}
