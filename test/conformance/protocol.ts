import type { Value } from '../../server/src/base/value.ts';
import { kubernetesVersions as releases } from '../../server/src/kubernetes/releases/all.ts';

/** One request of the oracle's protocol: its operation, and the raw JSON text of each of its members. */
export interface Request {
  readonly op: string;
  /** The JSON text of a member as it was sent, so that nothing of it is lost; undefined where it is absent. */
  raw(member: string): string | undefined;
}

export interface Cause {
  readonly type: string;
  readonly field: string;
  readonly message: string;
}

/** JSON text that goes out as it is. */
export interface RawJson {
  readonly rawJson: string;
}

export interface YamlAnswer {
  readonly json?: RawJson;
  readonly error?: string;
  readonly strict?: string;
}

export interface RuleAnswer {
  readonly version: string;
  readonly path: string;
  readonly index: number;
  readonly rule: string;
  readonly error?: string;
  readonly messageError?: string;
  readonly maxCost?: string;
  readonly cardinality?: string;
  readonly messageCost?: string;
  readonly oldSelf?: boolean;
}

export interface CelAnswer {
  readonly issues?: string;
  readonly type?: string;
  readonly costMin?: string;
  readonly costMax?: string;
  readonly value?: unknown;
  readonly error?: string;
  readonly cost?: string;
}

/** The oracle's README says what each member means; `unsupported` is ours alone. */
export interface Answer {
  readonly decode?: string;
  readonly strict?: readonly string[];
  readonly errors?: readonly Cause[];
  readonly status?: string;
  readonly warnings?: readonly string[];
  readonly stored?: Value | Readonly<Record<string, string>>;
  readonly rules?: readonly RuleAnswer[];
  readonly cel?: CelAnswer;
  readonly documents?: readonly YamlAnswer[];
  readonly texts?: Readonly<Record<string, string>>;
  /** What templates of a chart came to, or why they did not. */
  readonly files?: Readonly<Record<string, string>>;
  /** What kustomize prints. */
  readonly text?: string;
  readonly error?: string;
  /** What Go's parser says of a text. */
  readonly faults?: readonly string[];
  readonly panic?: string;
  readonly unsupported?: string;
}

/** Answers one request for a Kubernetes version such as `1.37`. */
export type Op = (request: Request, kubernetes: string) => Answer;

/** The names of all versions, newest first. */
export const kubernetesVersions: readonly string[] = releases.map(({ name }) => name);

export function parseRequest(line: string): Request {
  const members = rawMembers(line);
  const op = members.get('op');
  return { op: op === undefined ? '' : String(JSON.parse(op)), raw: (member) => members.get(member) };
}

/** The members of a JSON object with the text of their values. The text is known to be valid JSON or is refused. */
export function rawMembers(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = skipSpace(text, 0);
  if (text[at] !== '{') throw new Error('a request is a JSON object');
  at = skipSpace(text, at + 1);
  while (text[at] !== '}') {
    const keyEnd = skipString(text, at);
    const key = String(JSON.parse(text.slice(at, keyEnd)));
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = skipValue(text, start);
    members.set(key, text.slice(start, end));
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
    else if (text[at] !== '}') throw new Error(`malformed request at ${at}`);
  }
  return members;
}

/** The texts of the items of a JSON array. */
export function rawItems(text: string): string[] {
  const items: string[] = [];
  let at = skipSpace(text, 1);
  while (text[at] !== ']') {
    const end = skipValue(text, at);
    items.push(text.slice(at, end));
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
    else if (text[at] !== ']') throw new Error(`malformed list at ${at}`);
  }
  return items;
}

function skipSpace(text: string, at: number): number {
  while (at < text.length && ' \t\r\n'.includes(text[at]!)) at++;
  return at;
}

function skipString(text: string, at: number): number {
  if (text[at] !== '"') throw new Error(`malformed request at ${at}`);
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return i + 1;
  }
  throw new Error('malformed request: a string does not end');
}

function skipValue(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; ) {
    const char = text[i]!;
    if (char === '"') {
      i = skipString(text, i);
      if (depth === 0) return i;
      continue;
    }
    if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') {
      if (depth === 0) return i;
      if (--depth === 0) return i + 1;
    } else if (depth === 0 && (char === ',' || ' \t\r\n'.includes(char))) return i;
    i++;
  }
  throw new Error('malformed request: a value does not end');
}

/** JSON of plain objects, arrays, product values (maps, bigints) and raw JSON. Floats print as Go prints them. */
export function encode(value: unknown): string {
  return write(value, (float) => goFloat(float));
}

/** The same, but a float64 keeps its decimal point, so that a request still says `1.0`. */
export function encodeExact(value: unknown): string {
  return write(value, (float) => (Number.isInteger(float) && Math.abs(float) < 1e21 ? `${float}.0` : goFloat(float)));
}

function goFloat(float: number): string {
  return Object.is(float, -0) ? '-0' : String(float);
}

function write(value: unknown, float: (value: number) => string): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return float(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return JSON.stringify(value);
  if ('rawJson' in value) return String(value.rawJson);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, float)).join(',')}]`;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const members = entries.filter(([, item]) => item !== undefined);
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${write(item, float)}`).join(',')}}`;
}
