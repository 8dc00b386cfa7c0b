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

/** Objects as `kubectl get` shows them. `metadata` is that of their list, or the version of the one. */
export function tableFor(
  resource: Resource,
  objects: readonly JsonMap[],
  serving: Serving,
  metadata: JsonMap = {},
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
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: mapAt(object, 'metadata') },
    };
  });
  return { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata, columnDefinitions: [...columns], rows };
}

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
