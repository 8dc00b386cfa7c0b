import { isMap } from '../../../server/src/base/value.ts';
import { plainValue, readJson } from '../../../server/src/gostd/json.ts';
import { serveCrd } from '../../../server/src/kubernetes/cr/served.ts';
import { cellsOf, tableOf } from '../../../server/src/kubernetes/cr/table.ts';
import { newestVersion } from '../../../server/src/kubernetes/releases/all.ts';
import { encode } from '../../conformance/protocol.ts';
import type { Resource } from './discovery.ts';
import { type JsonMap, type JsonValue, mapAt, textAt } from './json.ts';

/** Objects as `kubectl get` shows them. */
export function tableFor(resource: Resource, objects: readonly JsonMap[]): JsonMap {
  const { columns, cells } = resource.crd ? ofResource(resource, resource.crd) : ofCrds;
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

function ofResource({ version }: Resource, crd: JsonMap): Shape {
  const value = valueOf(crd);
  const served = value && serveCrd(value, newestVersion);
  const lowered =
    served && 'lowered' in served ? served.lowered.versions.find(({ name }) => name === version) : undefined;
  const table = tableOf(lowered?.printerColumns ?? []);
  return {
    columns: table.columns.map(({ name, type, priority }) => column(name, type, priority)),
    cells: (object) => JSON.parse(encode(cellsOf(table, valueOf(object) ?? new Map(), Date.now() / 1000))),
  };
}

function valueOf(object: JsonMap) {
  const read = readJson(JSON.stringify(object));
  const value = 'error' in read ? undefined : plainValue(read.json);
  return isMap(value) ? value : undefined;
}
