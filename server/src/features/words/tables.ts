import type { ValueMap } from '../../base/value.ts';
import { readResource } from '../../kubernetes/cr/decode.ts';
import { wholeObject } from '../../kubernetes/cr/object.ts';
import { serveCrd } from '../../kubernetes/cr/served.ts';
import { type Cell, cellsOf, type Table, tableOf } from '../../kubernetes/cr/table.ts';
import { definitionsFor } from '../../workspace/definitions.ts';
import { type Manifest, metadataText, splitApiVersion } from '../../workspace/manifest.ts';
import { kubernetesFor, type Snapshot } from '../../workspace/snapshot.ts';

/** A row of a table, with what tells which table. */
export interface TableRow {
  /** As kubectl names a kind among others, such as `widget.example.com`. */
  readonly resource: string;
  readonly apiVersion: string;
  readonly namespace: string;
  readonly table: Table;
  readonly cells: readonly Cell[];
}

/** What `kubectl get` shows of an object that a cluster holds as it is written; or why nobody knows. */
export function tableRow(snapshot: Snapshot, manifest: Manifest, uri: string, now: number): TableRow | string {
  const { apiVersion, kind, value } = manifest;
  const kubernetes = kubernetesFor(snapshot, uri);
  const definition = definitionsFor(snapshot.definitions, manifest, uri)[0];
  if (!definition) return `no CRD of ${kind} (${apiVersion}) is known`;
  const crd = serveCrd(definition.manifest.value, kubernetes);
  if ('error' in crd) return `the CRD of ${kind} cannot be served: ${crd.error}`;
  const { version } = splitApiVersion(apiVersion);
  const lowered = crd.lowered.versions.find(({ name }) => name === version);
  if (!lowered) return `the CRD of ${kind} has no version ${version}`;
  const read = readResource(value, crd, kubernetes);
  if ('error' in read) return `${metadataText(manifest, 'name')} cannot be decoded: ${read.error.message}`;
  const object: ValueMap = wholeObject(read.resource);
  const table = tableOf(lowered.printerColumns);
  return {
    resource: `${kind.toLowerCase()}.${crd.lowered.group}`,
    apiVersion,
    namespace: metadataText(manifest, 'namespace'),
    table,
    cells: cellsOf(table, object, now),
  };
}
