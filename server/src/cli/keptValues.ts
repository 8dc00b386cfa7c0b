import { createHash } from 'node:crypto';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { withEqualPartsOnce } from '../base/equalParts.ts';
import { unnoted } from '../files/answers.ts';
import { ageNow } from '../files/folders.ts';
import type { KeptDocument, KeptValues } from '../workspace/keptValues.ts';
import { cacheFolder, type Environment } from './cacheFolder.ts';
import { programStamp } from './programStamp.ts';
import { keepSealed, unsealed } from './sealed.ts';

/** The values of so many texts are kept, each in the place that its digest gives it. */
const mostTexts = 256;
/** What is kept of one takes no more bytes. */
const mostBytes = 4_000_000;
/** No more bytes wait to be written: the values of the other texts are kept another time. */
const mostWaiting = 16_000_000;
/** What was kept is not written over for so long: a workspace with more large files than places would do so at each start. */
const staysMs = 24 * 3600 * 1000;

/** Keeps the values of texts in the user's cache, as this very program reads them; undefined where that is off. */
export function keptBetweenRuns(env: Environment = process.env): KeptValues | undefined {
  const folder = path.join(cacheFolder(env), 'values');
  return env.KUBE_CRD_NO_CACHE || !path.isAbsolute(folder) ? undefined : new ValuesIn(folder, programStamp());
}

export class ValuesIn implements KeptValues {
  private readonly folder: string;
  /** What reads the texts. */
  private readonly program: string;
  private waiting = 0;

  constructor(folder: string, program: string) {
    this.folder = folder;
    this.program = program;
  }

  find(text: string): readonly KeptDocument[] | undefined {
    const { file, of } = this.placeOf(text);
    const packed = unnoted(() => unsealed(file, of, mostBytes));
    return packed && deserialize(packed);
  }

  async keep(text: string, documents: readonly KeptDocument[]): Promise<void> {
    const { file, of } = this.placeOf(text);
    const age = ageNow(file);
    if (age !== undefined && age < staysMs) return;
    const packed = serialize(documents.map((one) => ({ ...one, value: withEqualPartsOnce(one.value) })));
    if (this.waiting + packed.length > mostWaiting) return;
    this.waiting += packed.length;
    await keepSealed(file, of, packed, mostBytes);
    this.waiting -= packed.length;
  }

  /** Where a text's value is kept as this program reads it, and what stands for the two. */
  private placeOf(text: string): { readonly file: string; readonly of: string } {
    const digest = createHash('sha256').update(this.program).update(text).digest();
    return { file: path.join(this.folder, String(digest.readUInt32BE() % mostTexts)), of: digest.toString('hex') };
  }
}
