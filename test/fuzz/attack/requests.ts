import { atOnce } from '../../../server/src/base/steps.ts';
import { hover } from '../../../server/src/features/at/hover.ts';
import { signatureHelp } from '../../../server/src/features/at/signature.ts';
import { complete } from '../../../server/src/features/complete/complete.ts';
import { colors } from '../../../server/src/features/lenses/colors.ts';
import { assistsAt } from '../../../server/src/features/mend/assists/assists.ts';
import { fixesFor } from '../../../server/src/features/mend/fixes.ts';
import { definitionAt } from '../../../server/src/features/navigate/definition.ts';
import { folds } from '../../../server/src/features/navigate/folding.ts';
import { links } from '../../../server/src/features/navigate/links.ts';
import { highlights } from '../../../server/src/features/navigate/references.ts';
import { selectionAt } from '../../../server/src/features/navigate/selection.ts';
import { outline } from '../../../server/src/features/navigate/symbols.ts';
import { crdsOf, rulePaths } from '../../../server/src/features/place/rulePaths.ts';
import { diagnose } from '../../../server/src/features/problems/diagnose.ts';
import { tryPlayground } from '../../../server/src/features/trying/tryPlayground.ts';
import { ruleAtCursor, ruleOf, tryRule } from '../../../server/src/features/trying/tryRule.ts';
import { asVersion, versionsOfResources } from '../../../server/src/features/views/asVersion.ts';
import { costMap } from '../../../server/src/features/views/costMap.ts';
import { fieldDoc, kindPage } from '../../../server/src/features/views/fieldDocs.ts';
import { storedText } from '../../../server/src/features/views/preview.ts';
import { kindAt, schemaRows } from '../../../server/src/features/views/schemaTree.ts';
import { md } from '../../../server/src/features/words/markdown.ts';
import { newestVersion } from '../../../server/src/kubernetes/releases/all.ts';
import { compareCrd } from '../../../server/src/rules/changes/compare.ts';
import { rootSchema } from '../../../server/src/workspace/schemaNode.ts';
import { fileAt, type Snapshot } from '../../../server/src/workspace/snapshot.ts';

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
  storedText: (snapshot, uri) => storedText(snapshot, uri),
  changes: comparedWithItself,
  docs: (snapshot) => documented(snapshot),
  tried: triedAt,
  played: tryPlayground,
  costs: (snapshot, uri) => atOnce(costMap(snapshot, uri)),
  schema: schemaAt,
  converted: (snapshot, uri) =>
    versionsOfResources(snapshot, uri).map(({ version }) => asVersion(snapshot, uri, version)),
  fixes: (snapshot, uri) => fixesOf(snapshot, uri, 0),
  'more fixes': (snapshot, uri) => fixesOf(snapshot, uri, 1),
  'other fixes': (snapshot, uri) => fixesOf(snapshot, uri, -1),
};

/** The rule at a place, or the first of the file's first CRD, over what is open. */
function triedAt(snapshot: Snapshot, uri: string, offset: number): unknown {
  const [crd] = crdsOf(snapshot, uri);
  const [path] = crd ? rulePaths(crd.manifest.value, ['rule']) : [];
  const first = crd && path && { manifest: fileAt(snapshot, uri)!.manifests.indexOf(crd.manifest), path };
  const ref = ruleAtCursor(snapshot, uri, offset) ?? first;
  const rule = ref && ruleOf(snapshot, uri, ref);
  return rule && atOnce(tryRule(snapshot, rule, [...snapshot.open.values()]));
}

/** A few levels of the schema of a kind, and what a filter leaves of it. */
function schemaAt(snapshot: Snapshot, uri: string, offset: number): unknown {
  const kind = kindAt(snapshot, uri, offset);
  const asked = { kubernetes: newestVersion };
  return (
    kind && [
      schemaRows(snapshot, kind, [], { ...asked, filter: 'nowhere' }),
      schemaRows(snapshot, kind, ['spec'], asked),
    ]
  );
}

/** A CRD as if it were its own past, and as if another of the file were. */
function comparedWithItself(snapshot: Snapshot, uri: string): unknown {
  const crds = (fileAt(snapshot, uri)?.manifests ?? []).filter(({ role }) => role === 'crd');
  const [first, last] = [crds[0], crds.at(-1)];
  if (!first || !last) return undefined;
  return [compareCrd(first, last, 'HEAD', newestVersion), compareCrd(first, { ...first }, 'HEAD', newestVersion)];
}

/** What `explain --recursive` and `docs` tell of each kind. */
function documented({ definitions }: Snapshot): unknown {
  return [...definitions.values()].flat().flatMap((definition) =>
    definition.versions.slice(0, 2).map((version) => {
      const root = rootSchema(definition, `${definition.group}/${version}`);
      const where = { name: '', path: '', required: false };
      return root && kindPage(md``, fieldDoc(root, where, { deep: true, kubernetes: newestVersion }));
    }),
  );
}

function fixesOf(snapshot: Snapshot, uri: string, nth: number): unknown {
  const problem = diagnose(snapshot, uri).at(nth);
  return problem && fixesFor(snapshot, uri, problem);
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
