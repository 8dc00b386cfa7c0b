import type { Value } from '../base/value.ts';
import { printJson } from '../gostd/jsonPrint.ts';
import { cellsOf, type Table, tableOf } from '../kubernetes/cr/table.ts';
import { columnsOf } from './columns.ts';
import type { Resource } from './discovery.ts';
import { eventAs } from './events.ts';
import { type JsonMap, type JsonValue, mapAt, mapOf, textAt } from './json.ts';
import { servedBy } from './judging.ts';
import { rowConditions } from './podCells.ts';
import type { Serving } from './serving.ts';

/** What of an object is sent with its row. */
export type IncludedObject = 'Metadata' | 'Object' | 'None';

export interface TableOptions {
  /** That of a list, or the version of the one object. */
  readonly metadata: JsonMap;
  readonly include: IncludedObject;
}

/** Objects as `kubectl get` shows them. */
export function tableFor(
  resource: Resource,
  objects: readonly JsonMap[],
  serving: Serving,
  { metadata, include }: TableOptions,
): JsonMap {
  const { columns, cells } = resource.crd
    ? ofResource(resource, resource.crd, serving)
    : resource.builtin
      ? ofBuiltin(resource, serving)
      : ofCrds;
  const rows = objects.map((object) => {
    const conditions = resource.kind === 'Pod' && resource.builtin ? rowConditions(object) : [];
    return {
      cells: cells(object),
      ...(conditions.length > 0 && { conditions }),
      object: includedOf(object, include),
    };
  });
  return { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata, columnDefinitions: [...columns], rows };
}

function includedOf(object: JsonMap, include: IncludedObject): JsonMap | null {
  if (include === 'None') return null;
  if (include === 'Object') return object;
  return metadataOf(object);
}

/** An object's metadata alone. */
export const metadataOf = (object: JsonMap): JsonMap => {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: mapAt(object, 'metadata') };
};

interface Shape {
  readonly columns: readonly JsonMap[];
  cells(object: JsonMap): JsonValue[];
}

const column = (name: string, type: string, priority = 0, format = ''): JsonMap => ({
  name,
  type,
  format,
  description: '',
  priority,
});

const nameColumn = column('Name', 'string', 0, 'name');

const ofCrds: Shape = {
  columns: [nameColumn, column('Created At', 'date')],
  cells: (object) => [textAt(object, 'metadata', 'name'), textAt(object, 'metadata', 'creationTimestamp')],
};

function ofResource({ version }: Resource, crd: JsonMap, serving: Serving): Shape {
  const lowered = servedBy(crd, serving.kubernetes).lowered.versions.find(({ name }) => name === version);
  return shapeOf(tableOf(lowered?.printerColumns ?? []), serving);
}

function shapeOf(table: Table, { seconds }: Serving): Shape {
  return {
    columns: [nameColumn, ...table.columns.map(({ name, type, priority }) => column(name, type, priority))],
    cells: (object) => JSON.parse(printJson(cellsOf(table, mapOf(object), seconds()) as Value)),
  };
}

function ofBuiltin({ kind }: Resource, { seconds }: Serving): Shape {
  const columns = columnsOf(kind);
  // Events are printed alike in both of their APIs.
  const form = (object: JsonMap) => (kind === 'Event' ? eventAs('v1', object) : object);
  return {
    columns: columns.map(({ name, type, isWide, isName }) => column(name, type, isWide ? 1 : 0, isName ? 'name' : '')),
    cells: (object) => columns.map(({ cell }) => cell(form(object), seconds())),
  };
}
