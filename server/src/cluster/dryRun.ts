import path from 'node:path';
import { isMap, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { lastLine, type Ran, run } from '../fetch/run.ts';
import { inTemporaryFolder } from '../files/temporary.ts';
import { writeWhole } from '../files/write.ts';
import type { ClusterTools } from '../workspace/clusterReader.ts';
import { FetchFailure } from '../workspace/fetcher.ts';
import { textOf } from '../workspace/scan.ts';
import { jsonObject } from '../workspace/sources/json.ts';
import { renderBlock } from '../yaml/render.ts';

// What a real cluster answers to objects, through the user's own kubectl.

/** What a cluster answers to an object: how it would be stored, or what is wrong with it, one text for each error. */
export type ClusterAnswer =
  | { readonly stored: ValueMap }
  | { readonly errors: readonly string[]; readonly exists: boolean };

/** How an object is sent. */
export interface Sending {
  readonly verb: 'create' | 'replace';
  readonly subresource?: 'status' | undefined;
  /** Whether it is stored; otherwise it is a dry run. */
  readonly stores: boolean;
  /** In whose name it is sent; the user's own where it is left out. */
  readonly as?: { readonly name: string; readonly groups: readonly string[] } | undefined;
}

/** A cluster that objects can be sent to. */
export interface Cluster {
  /** Such as `v1.34.2`. */
  version(): Promise<string>;
  /** Undefined where there is none. */
  crd(name: string): Promise<ValueMap | undefined>;
  /** Whether an object of its name is there. */
  has(object: Value): Promise<boolean>;
  send(object: Value, sending: Sending): Promise<ClusterAnswer>;
  /** Removes an object; nothing happens where it is not there. */
  remove(object: Value): Promise<void>;
  /** Until a CRD is served. */
  established(name: string): Promise<void>;
}

export function clusterOf(context: string, tools: ClusterTools): Cluster {
  const kubectl = (...args: string[]) =>
    run('kubectl', [...args, `--context=${context}`, '--request-timeout=30s'], tools);
  const withFile = (object: Value, ask: (file: string) => Promise<Ran>): Promise<Ran> =>
    inTemporaryFolder(async (folder) => {
      const file = path.join(folder, 'object.yaml');
      const text = `${renderBlock(object, 0, { eol: '\n', step: 2, indentLists: true })}\n`;
      await writeWhole(file, text, folder);
      return await ask(file);
    });
  return {
    version: async () => {
      const version = valueAt(objectIn(await kubectl('version', '-o', 'json')), ['serverVersion', 'gitVersion']);
      return typeof version === 'string' ? version : '';
    },
    crd: async (name) => {
      const ran = await kubectl('get', 'crd', name, '-o', 'json');
      return !ran.ok && ran.errors.includes('(NotFound)') ? undefined : objectIn(ran);
    },
    has: async (object) => {
      const ran = await withFile(object, (file) => kubectl('get', '-f', file, '--ignore-not-found', '-o', 'name'));
      if (!ran.ok) throw new FetchFailure(`kubectl: ${lastLine(ran.errors)}`);
      return ran.output.length > 0;
    },
    send: async (object, { verb, subresource, stores, as }) => {
      const options = [
        ...(as ? [`--as=${as.name}`, ...as.groups.map((group) => `--as-group=${group}`)] : []),
        ...(stores ? [] : ['--dry-run=server']),
        ...(subresource ? [`--subresource=${subresource}`] : []),
      ];
      const ran = await withFile(object, (file) =>
        kubectl(verb, '-f', file, '-o', 'json', '--validate=strict', ...options),
      );
      return ran.ok ? { stored: objectIn(ran) } : refusalIn(ran.errors);
    },
    remove: async (object) => {
      const ran = await withFile(object, (file) => kubectl('delete', '-f', file, '--ignore-not-found', '--wait=false'));
      if (!ran.ok) throw new FetchFailure(`kubectl: ${lastLine(ran.errors)}`);
    },
    established: async (name) => {
      const ran = await kubectl('wait', '--for=condition=Established', `crd/${name}`, '--timeout=30s');
      if (!ran.ok) throw new FetchFailure(`kubectl: ${lastLine(ran.errors)}`);
    },
  };
}

/** What kubectl printed, which is an object in JSON. */
export function objectIn({ ok, output, errors }: Ran): ValueMap {
  if (!ok) throw new FetchFailure(`kubectl: ${lastLine(errors)}`);
  const object = jsonObject(textOf(output) ?? '');
  if (!object) throw new FetchFailure('what kubectl printed cannot be read');
  return object;
}

const invalid = ' is invalid: ';
const strict = 'strict decoding error: ';

/** What kubectl prints of a refusal, taken apart again. What is not an answer to the object ends the run. */
function refusalIn(errors: string): ClusterAnswer {
  // Warnings of the server and of kubectl come first.
  const start = errors.search(/^(?:The |Error from server )/m);
  const text = (start === -1 ? '' : errors.slice(start)).trimEnd();
  const exists = text.startsWith('Error from server (AlreadyExists)');
  if (text === '' || /^Error from server \(Forbidden\).* cannot /.test(text))
    throw new FetchFailure(`kubectl: ${lastLine(errors)}`);
  const causes = text.startsWith('The ') ? after(text, invalid) : undefined;
  if (causes !== undefined) {
    const listed = causes.startsWith('\n* ') ? causes.slice(3).split('\n* ') : [causes];
    return { errors: listed, exists };
  }
  const unknown = after(text, strict);
  return { errors: unknown === undefined ? [text] : unknown.split(/, (?=unknown field|duplicate field)/), exists };
}

function after(text: string, mark: string): string | undefined {
  const at = text.indexOf(mark);
  return at === -1 ? undefined : text.slice(at + mark.length);
}

/** What only a server fills in. */
const ofServer = new Set(['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields', 'selfLink']);

/** An object without that. */
export function bare(object: Value): Value {
  const metadata = valueAt(object, ['metadata']);
  if (!isMap(object) || !isMap(metadata)) return object;
  return new Map(object).set('metadata', new Map([...metadata].filter(([key]) => !ofServer.has(key))));
}
