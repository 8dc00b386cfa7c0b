/** What `.Files` has: the files of a chart that are neither templates nor its own. */
import { encodeBase64 } from '../gostd/base64.ts';
import { goBytes } from '../gostd/bytes.ts';
import { compileGoRegexp } from '../gostd/regexp.ts';
import { type From, Later, sliceOf, Written } from '../template/from.ts';
import { byName, traced } from '../template/functions.ts';
import { type Call, type Cell, cell, GoBytes, type GoFunction, GoList, GoMap, ofEngine } from '../template/value.ts';
import { goYaml } from '../yaml/goYaml.ts';
import type { ChartFile } from './chart.ts';

/** Some files of a chart as templates see them; those of a glob are of the same type. */
export function filesMap(files: readonly ChartFile[]): GoMap {
  const entries = files.map((file) => [file.path, cell(new GoBytes(file.text, placeOf(file)), placeOf(file))] as const);
  return new GoMap(new Map(entries), { type: 'engine.files', methodsOf: () => methodsOf(files) });
}

function placeOf({ id, text }: ChartFile): From {
  return new Written({ file: id, start: 0, end: text.length });
}

function methodsOf(files: readonly ChartFile[]): ReadonlyMap<string, GoFunction> {
  const at = (path: Cell) => files.find((file) => file.path === path.value);
  return byName([
    traced('Get(string) string', ([path]) => textOf(at(path!))),
    traced('GetBytes(string) []uint8', ([path]) => bytesOf(at(path!))),
    traced('Glob(string) engine.files', ([pattern]) => {
      return cell(filesMap(files.filter(matcher(String(pattern!.value)))), pattern!.from);
    }),
    traced('AsConfig() string', (_, call) => asYaml(files, (text) => text, call)),
    traced('AsSecrets() string', (_, call) => asYaml(files, base64, call)),
    traced('Lines(string) []string', ([path]) => linesOf(at(path!))),
  ]);
}

function textOf(file: ChartFile | undefined): Cell {
  return file ? cell(file.text, placeOf(file)) : cell('', ofEngine);
}

function bytesOf(file: ChartFile | undefined): Cell {
  return file ? cell(new GoBytes(file.text, placeOf(file)), placeOf(file)) : cell(new GoBytes('', ofEngine), ofEngine);
}

function linesOf(file: ChartFile | undefined): Cell {
  if (!file || file.text === '') return cell(new GoList([], '[]string'), ofEngine);
  const from = placeOf(file);
  let start = 0;
  const lines = file.text
    .replace(/\n$/, '')
    .split('\n')
    .map((line): Cell => {
      const part = sliceOf(file.text, from, start, start + line.length);
      start += line.length + 1;
      return cell(line, part.from);
    });
  return cell(new GoList(lines, '[]string'), from);
}

function base64(text: string): string {
  return encodeBase64(goBytes(text));
}

function asYaml(files: readonly ChartFile[], write: (text: string) => string, call: Call): Cell {
  const entries = new Map(files.map(({ path, text }) => [path.slice(path.lastIndexOf('/') + 1), write(text)]));
  const text = entries.size === 0 ? '{}' : goYaml(entries).replace(/\n$/, '');
  call.spend(text.length);
  return cell(text, new Later(files.map(placeOf), () => call.from));
}

/** Paths that a pattern of gobwas/glob fits, in which `*` ends at a slash and `**` does not. */
export function matcher(pattern: string): (file: ChartFile) => boolean {
  const compiled = compileGoRegexp(expressionOf(pattern) ?? '^.*$');
  return ({ path }) => compiled.ok && compiled.matches(path);
}

/** A pattern as a regular expression; undefined where it is not one, which Helm takes for all files. */
function expressionOf(pattern: string): string | undefined {
  let depth = 0;
  let out = '';
  for (let at = 0; at < pattern.length; ) {
    const part = globPart(pattern, at);
    if (part.text === '{') depth++;
    if (part.text === '}') depth--;
    out += part.text === ',' && depth === 0 ? ',' : (part.expression ?? escaped(part.text));
    at += part.text.length;
  }
  return depth === 0 ? `^${out}$` : undefined;
}

interface GlobPart {
  readonly text: string;
  /** Undefined where it is the text itself. */
  readonly expression?: string;
}

const meaning: ReadonlyMap<string, string> = new Map([
  ['*', '[^/]*'],
  ['?', '[^/]'],
  ['{', '(?:'],
  ['}', ')'],
  [',', '|'],
]);

function globPart(pattern: string, at: number): GlobPart {
  if (pattern.startsWith('**', at)) return { text: '**', expression: '(?s:.*)' };
  const text = pattern[at]!;
  if (text === '\\' && at + 1 < pattern.length)
    return { text: pattern.slice(at, at + 2), expression: escaped(pattern[at + 1]!) };
  const end = text === '[' ? pattern.indexOf(']', at + 2) : -1;
  if (end !== -1) return { text: pattern.slice(at, end + 1), expression: classOf(pattern.slice(at + 1, end)) };
  const expression = meaning.get(text);
  return expression === undefined ? { text } : { text, expression };
}

function classOf(list: string): string {
  const isNegated = list.startsWith('!');
  return `[${isNegated ? '^' : ''}${list.slice(isNegated ? 1 : 0).replace(/[\\\]^]/g, '\\$&')}]`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
