import type { Format } from './format.ts';
import { githubFormat } from './github.ts';
import { gitlabFormat } from './gitlab.ts';
import { jsonFormat } from './json.ts';
import { junitFormat } from './junit.ts';
import { sarifFormat } from './sarif.ts';
import { textFormat } from './text.ts';

/** Every output format by its name; made anew for each run. */
export const formats = {
  text: () => textFormat(process.stdout.isTTY && !process.env.NO_COLOR),
  json: jsonFormat,
  sarif: () => sarifFormat(VERSION),
  github: () => githubFormat,
  junit: () => junitFormat,
  gitlab: gitlabFormat,
} satisfies Readonly<Record<string, () => Format>>;

export type FormatName = keyof typeof formats;

export function isFormat(name: string): name is FormatName {
  return Object.hasOwn(formats, name);
}
