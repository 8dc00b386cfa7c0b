import type { Value } from '../base/value.ts';
import { printJson } from '../gostd/jsonPrint.ts';
import { cellsOf, type Table, tableOf } from '../kubernetes/cr/table.ts';
import type { Resource } from './discovery.ts';
import { type JsonMap, type JsonValue, mapAt, mapOf, textAt } from './json.ts';
import { servedBy } from './judging.ts';
import type { Serving } from './serving.ts';

/** Objects as `kubectl get` shows them. */
export function tableFor(resource: Resource, objects: readonly JsonMap[], serving: Serving): JsonMap {
  const { columns, cells } = resource.crd
    ? ofResource(resource, resource.crd, serving)
    : resource.builtin
      ? shapeOf(tableOf([]), serving)
      : ofCrds;
  const name = { name: 'Name', type: 'string', format: 'name', description: '', priority: 0 };
  const rows = objects.map((object) => ({
    cells: cells(object),
    object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: mapAt(object, 'metadata') },
  }));
  return { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: {}, columnDefinitions: [name, ...columns], rows };
}

interface Shape {
  readonly columns: readonly JsonMap[];
  cells(object: JsonMap): JsonValue[];
}

const column = (name: string, type: string, priority = 0): JsonMap => ({
  name,
  type,
  format: '',
  description: '',
  priority,
});

const ofCrds: Shape = {
  columns: [column('Created At', 'date')],
  cells: (object) => [textAt(object, 'metadata', 'name'), textAt(object, 'metadata', 'creationTimestamp')],
};

function ofResource({ version }: Resource, crd: JsonMap, serving: Serving): Shape {
  const lowered = servedBy(crd, serving.kubernetes).lowered.versions.find(({ name }) => name === version);
  return shapeOf(tableOf(lowered?.printerColumns ?? []), serving);
}

/** Built-in kinds have columns of their own; here they have their age alone. */
function shapeOf(table: Table, { seconds }: Serving): Shape {
  return {
    columns: table.columns.map(({ name, type, priority }) => column(name, type, priority)),
    cells: (object) => JSON.parse(printJson(cellsOf(table, mapOf(object), seconds()) as Value)),
  };
}
