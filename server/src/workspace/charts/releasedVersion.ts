import type { ChartFiles } from './chartFiles.ts';

/** As scripts, build services and template engines fill it in; behind it nothing but a comment. */
const filledIn =
  /^(version:[ \t]*["']?)((?:\$\{?\w{1,60}\}?|%\w{1,60}%|@\w{1,60}@|\{\{[^{}\n]{1,60}\}\}))(?=["']?[ \t]*(?:#.*)?$)/m;

/**
 * The files of a chart whose version its release fills in, with one of the same length in its place, so that all else is judged
 * where it is.
 */
export function withReleasedVersion<Files extends Pick<ChartFiles, 'root' | 'files'>>(read: Files): Files {
  const at = read.files.findIndex(({ id }) => id === `${read.root}/Chart.yaml`);
  const file = read.files[at];
  const [, , open] = (file && filledIn.exec(file.text)) ?? [];
  if (!file || open === undefined || open.length < shortest.length) return read;
  const version = shortest.padEnd(open.length, 'a');
  const { like: _, ...own } = file;
  const released = { ...own, text: file.text.replace(filledIn, (_all, before) => `${before}${version}`) };
  return { ...read, files: read.files.with(at, released) };
}

const shortest = '0.0.0-a';
