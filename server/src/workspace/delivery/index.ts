/** All that says what is applied, at one moment. */
import { memo } from '../../base/memo.ts';
import { SortedMap } from '../../base/sortedMap.ts';
import type { Snapshot } from '../snapshot.ts';
import type { SourceFile } from '../sourceFile.ts';
import { nearness } from '../uri.ts';
import { type Delivered, deliveredIn } from './objects.ts';
import { type DeliveryOnDisk, repositoryAround } from './onDisk.ts';

export interface Delivery {
  readonly disk: DeliveryOnDisk;
  /** The files, open ones as they are in the editor. */
  readonly files: readonly SourceFile[];
  readonly objects: readonly Delivered[];
  readonly byName: ReadonlyMap<string, readonly Delivered[]>;
  /** Of files that ApplicationSets look for, by address. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The same as long as no file has changed that matters here. */
export function deliveryOf({ delivery, open }: Snapshot): Delivery {
  return indexed(delivery, openOf(delivery, open));
}

const openOf = memo((disk: DeliveryOnDisk, open: Snapshot['open']): readonly SourceFile[] => {
  const delivering = SortedMap.of(open).collect(ifDelivering);
  // What was applied by a file on disk may be gone from it in the editor.
  const emptied = [...disk.files.keys()].flatMap((uri) => open.get(uri) ?? []).filter((file) => !isDelivering(file));
  const asked = [...disk.setFiles.texts.keys()].flatMap((uri) => open.get(uri) ?? []);
  return [...delivering, ...emptied, ...asked.filter((file) => !isDelivering(file) && !disk.files.has(file.uri))]
    .filter((file) => isNews(disk, file))
    .reduce((list, file) => withOne(list, file), none);
});

function isDelivering(file: SourceFile): boolean {
  return deliveredIn(file).length > 0;
}

function ifDelivering(file: SourceFile): readonly SourceFile[] {
  return isDelivering(file) ? [file] : [];
}

/** Whether an open file says something else than on disk. */
function isNews({ files, setFiles }: DeliveryOnDisk, file: SourceFile): boolean {
  return (files.get(file.uri)?.text ?? setFiles.texts.get(file.uri)) !== file.text;
}

const none: readonly SourceFile[] = [];

/** Equal lists are the same list. */
const withOne = memo((list: readonly SourceFile[], file: SourceFile): readonly SourceFile[] => [...list, file]);

const indexed = memo((disk: DeliveryOnDisk, open: readonly SourceFile[]): Delivery => {
  const isOpen = new Set(open.map(({ uri }) => uri));
  const closed = [...disk.files.values()].filter(({ uri }) => !isOpen.has(uri));
  const files = [...closed, ...open];
  const objects = files.flatMap(deliveredIn);
  const byName = new Map<string, Delivered[]>();
  for (const one of objects) {
    const key = `${one.kind}/${one.name}`;
    const known = byName.get(key);
    if (known) known.push(one);
    else byName.set(key, [one]);
  }
  return { disk, files, objects, byName, texts: textsNow(disk, open) };
});

function textsNow({ setFiles }: DeliveryOnDisk, open: readonly SourceFile[]): ReadonlyMap<string, string> {
  const asked = open.filter(({ uri }) => setFiles.texts.has(uri));
  if (asked.length === 0) return setFiles.texts;
  return new Map([...setFiles.texts, ...asked.map(({ uri, text }) => [uri, text] as const)]);
}

/**
 * The object that another one names, as seen from that. Objects without a namespace are put into one when they are built, so
 * that they may be in any. Of several the nearest one is meant, and none where that is not plain.
 */
export function objectNamed(
  { byName }: Delivery,
  from: Delivered,
  kind: string,
  name: string,
  namespace = from.namespace,
): Delivered | undefined {
  const all = byName.get(`${kind}/${name}`) ?? [];
  const mayBe = all.filter((one) => one.namespace === namespace || one.namespace === '' || namespace === '');
  const exact = mayBe.filter((one) => one.namespace === namespace);
  return nearestTo(from.uri, exact.length > 0 ? exact : mayBe);
}

function nearestTo(uri: string, all: readonly Delivered[]): Delivered | undefined {
  const best = all.reduce((most, one) => Math.max(most, nearness(one.uri, uri)), 0);
  const nearest = all.filter((one) => nearness(one.uri, uri) === best);
  return nearest.length === 1 ? nearest[0] : undefined;
}

/** The folder of the repository that a file is in, and what it is called where it is fetched from. */
export function repositoryOf(
  { disk }: Delivery,
  uri: string,
): { folder: string; names: readonly string[] } | undefined {
  const found = repositoryAround(disk, uri);
  return found === undefined ? undefined : { folder: found, names: disk.repositories.get(found) ?? [] };
}
