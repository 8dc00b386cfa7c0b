/** ValueAddTransformer: a value in the fields of resources, perhaps as a part of a path in them. */
import { basePath } from '../../gostd/path.ts';
import { readValue } from '../../yaml/readValue.ts';
import { decodeStruct } from '../decode.ts';
import { fail } from '../failure.ts';
import { pluginTypes, type Selector } from '../kustomization.ts';
import type { Loader } from '../loader.ts';
import { computed, type Place } from '../origin.ts';
import { selectResources } from '../selector.ts';
import { expectKind, lookup, setScalar } from '../tree/edit.ts';
import { scalarNode } from '../tree/node.ts';
import { setNamespaces } from './namespace.ts';
import type { Transformer } from './transformer.ts';

interface Target {
  readonly selector?: Selector;
  readonly fieldPath?: string;
  readonly filePathPosition?: bigint;
}

export interface ValueAdd {
  readonly value?: string;
  readonly targets?: readonly Target[];
  readonly targetFilePath?: string;
}

export function valueAddTransformer(
  { value = '', targets = [], targetFilePath }: ValueAdd,
  loader: Loader,
  place: Place,
): Transformer {
  const text = value.trim() || basePath(loader.root);
  const all = [...targets, ...(targetFilePath ? targetsOf(targetFilePath, loader) : [])];
  if (all.length === 0) fail('must specify at least one target');
  for (const { fieldPath = '', filePathPosition = 0n } of all) {
    if (fieldPath === '') fail('fieldPath cannot be empty');
    if (filePathPosition < 0n) fail(`value of FilePathPosition (${filePathPosition}) cannot be negative`);
  }
  return {
    plugin: 'ValueAddTransformer',
    place,
    isAlone: false,
    transform: ({ set }) => {
      for (const target of all) {
        const selected = target.selector ? selectResources(set.list, target.selector) : set.list;
        for (const { node } of selected) if (node) addValue(node, target, text, place);
      }
    },
  };
}

function targetsOf(path: string, loader: Loader): readonly Target[] {
  const read = readValue(loader.load(path).file.text);
  if (read.error !== undefined) fail(`error converting YAML to JSON: ${read.error}`);
  const { value, complaint } = decodeStruct(read.value, pluginTypes.ValueAddTransformer!, false, true);
  if (complaint) fail(`error unmarshaling JSON: while decoding JSON: ${complaint.message}`);
  return (value as ValueAdd | undefined)?.targets ?? [];
}

function addValue(
  root: Parameters<typeof lookup>[0] & object,
  { fieldPath = '', filePathPosition = 0n }: Target,
  text: string,
  place: Place,
): void {
  if (fieldPath === 'metadata/namespace') {
    setNamespaces(root, {
      namespace: text,
      specs: [],
      place,
      what: 'transformers',
      unsetOnly: false,
      subjects: 'defaultOnly',
    });
    return;
  }
  const found = lookup(root, splitEscaped(fieldPath), 'scalar');
  if (!found) return;
  expectKind(found, 'scalar');
  const value = filePathPosition > 0n ? insertPart(found.value, Number(filePathPosition) - 1, text) : text;
  setScalar(found, scalarNode(value, computed('transformers', place, found.value === '' ? undefined : found.origin)));
}

function splitEscaped(path: string): string[] {
  const fields: string[] = [];
  for (const part of path.split('/')) {
    const last = fields.at(-1);
    if (last?.endsWith('\\')) fields[fields.length - 1] = `${last.slice(0, -1)}/${part}`;
    else fields.push(part);
  }
  return fields;
}

function insertPart(path: string, position: number, part: string): string {
  const isRooted = path.startsWith('/');
  const parts = path.split('/').filter((one) => one !== '');
  parts.splice(Math.min(position, parts.length), 0, part);
  return (isRooted ? '/' : '') + parts.join('/');
}
