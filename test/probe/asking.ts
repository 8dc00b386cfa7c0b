import { fileAt, type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { snapshotOf } from '../support/workspace.ts';
import type { World, WorldFile } from './world.ts';

/** A snapshot in which the CRDs are known. */
export function worldSnapshot({ crds }: World): Snapshot {
  return snapshotOf(crds);
}

/** The same with a file as it stands in the midst of typing. */
export function typedOn(snapshot: Snapshot, uri: string, text: string): Snapshot {
  return withOpen(snapshot, sourceFile(uri, text, { previous: fileAt(snapshot, uri) }));
}

/** The line around an offset with the cursor in it, for reports. */
export function shown({ uri }: WorldFile, text: string, offset: number): string {
  const from = text.lastIndexOf('\n', text.lastIndexOf('\n', offset - 1) - 1) + 1;
  const end = text.indexOf('\n', offset);
  const line = `${text.slice(from, offset)}‸${text.slice(offset, end === -1 ? text.length : end)}`;
  return `${uri.slice(uri.lastIndexOf('/') + 1)}: ${line.replace(/\n/g, '⏎')}`;
}
