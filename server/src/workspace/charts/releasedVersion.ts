import type { ChartFile } from '../../helm/chart.ts';
import type { ChartFiles } from './chartFiles.ts';

/** As scripts, build services and template engines fill it in; behind it nothing but a comment. */
const filledIn =
  /^(version:[ \t]*["']?)((?:\$\{?\w{1,60}\}?|%{1,2}\w{1,60}%{1,2}|@\w{1,60}@|<\w{1,60}>|\{\{[^{}\n]{1,60}\}\}|\[\[[^[\]\n]{1,60}\]\]))(?=["']?[ \t]*(?:#.*)?$)/m;

/** What it fills in elsewhere: of brackets in brackets YAML would make a list in a list. */
const words =
  /\[\[ ?\.[A-Z]\w{0,60} ?\]\]|\$\{[A-Z][A-Z0-9_]{0,60}\}|%{1,2}[A-Z][A-Z0-9_]{0,60}%{1,2}|@[A-Z][A-Z0-9_]{0,60}@/g;

const shortest = '0.0.0-a';

/**
 * The files of a chart whose version its release fills in, with one of the same length in its place, and words for what else it
 * fills in, so that all else is judged where it is.
 */
export function withReleasedVersion<Files extends Pick<ChartFiles, 'root' | 'files'>>(read: Files): Files {
  const [named, values] = ['Chart.yaml', 'values.yaml'].map((name) => `${read.root}/${name}`);
  const [, , open = ''] = filledIn.exec(read.files.find(({ id }) => id === named)?.text ?? '') ?? [];
  if (open.length < shortest.length) return read;
  const version = shortest.padEnd(open.length, 'a');
  const files = read.files.map((file) => {
    if (file.id !== named && file.id !== values) return file;
    const text = file.id === named ? file.text.replace(filledIn, (_all, before) => `${before}${version}`) : file.text;
    return withText(
      file,
      text.replace(words, (word) => 'a'.repeat(word.length)),
    );
  });
  return { ...read, files };
}

/** Whether templates of a chart take the version of its app, which `Chart.yaml` does not say. */
export function lacksAppVersion({ root, files }: Pick<ChartFiles, 'root' | 'files'>): boolean {
  const about = files.find(({ id }) => id === `${root}/Chart.yaml`)?.text ?? '';
  return /^name:/m.test(about) && !/^appVersion:/m.test(about) && files.some(({ text }) => text.includes(app));
}

const app = '.Chart.AppVersion';

/** The files of such a chart with one behind all that its `Chart.yaml` says, as its release gives it one. */
export function withAppVersion<Files extends Pick<ChartFiles, 'root' | 'files'>>(read: Files): Files {
  const named = `${read.root}/Chart.yaml`;
  const files = read.files.map((file) =>
    file.id === named ? withText(file, `${file.text}\nappVersion: ${shortest}\n`) : file,
  );
  return { ...read, files };
}

/** It is not like the file any more that it was like. */
function withText({ like: _, ...file }: ChartFile, text: string): ChartFile {
  return { ...file, text };
}
