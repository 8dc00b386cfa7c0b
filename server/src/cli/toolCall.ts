import path from 'node:path';
import { ranToItsEnd } from '../fetch/run.ts';
import { isInside } from '../files/folders.ts';
import type { Answer } from '../mcp/messages.ts';
import { commandLine, type Json, pathsIn, type Tool, type Values } from '../mcp/tools.ts';

// A call is a run of this very program, in a process of its own: it ends when the client has had enough, and whatever it
// met cannot harm the next one.

export interface Own {
  /** The program and the arguments before those of the command line. */
  readonly program: readonly [string, ...(readonly string[])];
  /** The workspace: nothing outside of it is named. */
  readonly root: string;
  /** Places with CRDs that count whatever is named: the workspace, where nothing else says what it is. */
  readonly crds: readonly string[];
}

const callLimits = { milliseconds: 120_000, bytes: 32_000_000 };

/** As much as a model should read of an answer. */
const mostCharacters = 200_000;

const mostPaths = 200;

/** What a tool answers about the workspace. */
export async function answerOf(own: Own, tool: Tool, values: Values, signal: AbortSignal): Promise<Answer> {
  const named = pathsIn(tool, values);
  if (named.length > mostPaths) throw new Error(`more than ${mostPaths} paths are named`);
  for (const { place, of } of named) await (of === 'commit' ? refuseOutsideOfCommit : refuseOutside)(place, own.root);
  const [program, ...first] = own.program;
  const { args, input } = commandLine(tool, withCrds(own, tool, values));
  const run = {
    ...{ name: 'kube-crd', program, args: [...first, ...args], input, folder: own.root },
    environment: { ...process.env, NO_COLOR: '1' },
  };
  const ran = await ranToItsEnd(run, signal, callLimits);
  const [code, output, errors] = [ran.code ?? 2, ran.output.toString('utf8'), ran.errors];
  const said = errors.replace(/^kube-crd: /gm, '').trim();
  if (!tool.isJson || output === '') return { text: cut([output, said].filter(Boolean).join('\n')), failed: code > 1 };
  const parsed: Json = JSON.parse(output);
  const structured = tool.answer?.(parsed) ?? parsed;
  return { text: cut(JSON.stringify(structured)), structured, failed: code > 1 };
}

function withCrds({ crds }: Own, { inputs }: Tool, values: Values): Values {
  if (!inputs.crds || crds.length === 0) return values;
  return { ...values, crds: [...((values.crds ?? []) as readonly string[]), ...crds] };
}

function cut(text: string): string {
  return text.length <= mostCharacters
    ? text
    : `${text.slice(0, mostCharacters)}\n… ${text.length - mostCharacters} characters more: name fewer files`;
}

/** Whether a name goes up or begins at the root of a disk: patterns may hold such steps as well. */
function leadsUp(named: string): boolean {
  return path.isAbsolute(named) || named.split(/[\\/{},]/).includes('..');
}

/** Refuses what is not in the workspace: by its name, or by where its links lead as far as no pattern comes in it. */
export async function refuseOutside(named: string, root: string): Promise<void> {
  const relative = named.startsWith(root + path.sep) ? named.slice(root.length + 1) : named;
  if (leadsUp(relative) || /^[a-z][a-z\d+.-]*:\/\//i.test(named)) throw outside(named);
  const pattern = relative.search(/[*?[{]|\.\.\.$/);
  const fixed = pattern < 0 ? relative : path.dirname(`${relative.slice(0, pattern)}x`);
  if (!(await isInside(path.resolve(root, fixed), root))) throw new Error(`${named} is not in the workspace`);
}

/** The same for what may be of a commit, as `main:config/crd` or `merge-base:main:config/crd`: git looks nowhere else. */
export async function refuseOutsideOfCommit(named: string, root: string): Promise<void> {
  const relative = named.startsWith(root + path.sep) ? named.slice(root.length + 1) : named;
  if (!relative.includes(':')) return await refuseOutside(named, root);
  const inCommit = /^(?:merge-base:)?[\w./@{}~^][\w./@{}~^-]*:(.*)$/s.exec(named)?.[1];
  if (inCommit === undefined || leadsUp(inCommit)) throw outside(named);
}

function outside(named: string): Error {
  return new Error(`${named} is outside of the workspace`);
}
