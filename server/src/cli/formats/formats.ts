import { isColored } from '../terminal.ts';
import { conciseFormat } from './concise.ts';
import type { Format, FormatOptions } from './format.ts';
import { githubFormat } from './github.ts';
import { gitlabFormat } from './gitlab.ts';
import { jsonFormat } from './json.ts';
import { junitFormat } from './junit.ts';
import { sarifFormat } from './sarif.ts';
import { textFormat } from './text.ts';

/** Every output format by its name; made anew for each run. */
export const formats = {
  text: () => textFormat(isColored()),
  concise: () => conciseFormat,
  json: jsonFormat,
  sarif: () => sarifFormat(VERSION),
  github: () => githubFormat,
  junit: junitFormat,
  gitlab: gitlabFormat,
} satisfies Readonly<Record<string, (options: FormatOptions) => Format>>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as readonly FormatName[];
