import { assistsAt } from '../../../server/src/features/assists/assists.ts';
import { colors } from '../../../server/src/features/cel/colors.ts';
import { signatureHelp } from '../../../server/src/features/cel/signature.ts';
import { complete } from '../../../server/src/features/complete.ts';
import { definitionAt } from '../../../server/src/features/definition.ts';
import { diagnose } from '../../../server/src/features/diagnose.ts';
import { fixesFor } from '../../../server/src/features/fixes.ts';
import { folds } from '../../../server/src/features/folding.ts';
import { hover } from '../../../server/src/features/hover.ts';
import { links } from '../../../server/src/features/links.ts';
import { storedText } from '../../../server/src/features/preview.ts';
import { highlights } from '../../../server/src/features/references.ts';
import { selectionAt } from '../../../server/src/features/selection.ts';
import { outline } from '../../../server/src/features/symbols.ts';
import type { Snapshot } from '../../../server/src/workspace/snapshot.ts';

export type Request = (snapshot: Snapshot, uri: string, offset: number) => unknown;

/** What an editor asks of a place in a file. */
export const requests: Readonly<Record<string, Request>> = {
  diagnose,
  complete,
  hover,
  signatureHelp,
  definitionAt,
  highlights,
  selectionAt,
  assistsAt,
  colors: (snapshot, uri) => colors(snapshot, uri),
  outline,
  folds,
  links,
  storedText,
  fixes: (snapshot, uri) => fixesOf(snapshot, uri, 0),
  'more fixes': (snapshot, uri) => fixesOf(snapshot, uri, 1),
  'other fixes': (snapshot, uri) => fixesOf(snapshot, uri, -1),
};

function fixesOf(snapshot: Snapshot, uri: string, nth: number): unknown {
  const problem = diagnose(snapshot, uri).at(nth);
  return problem && fixesFor(snapshot, uri, problem.code, problem.key);
}

interface Asking {
  readonly asked?: Readonly<Record<string, Request>>;
  readonly watch?: (name: string, run: () => unknown) => unknown;
}

/** What has gone wrong over a file: a request that throws, or a document that could not be judged. */
export function failuresOf(
  snapshot: Snapshot,
  uri: string,
  offset: number,
  { asked = requests, watch = (_, run) => run() }: Asking = {},
): string[] {
  const found: string[] = [];
  for (const [name, request] of Object.entries(asked)) {
    try {
      watch(name, () => request(snapshot, uri, offset));
    } catch (error) {
      found.push(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  return found;
}
