import { whyMissing } from '../../golang/crd/missing.ts';
import type { GoMistake } from '../../golang/crd/model.ts';
import type { Diagnostic } from '../../rules/model/diagnostic.ts';
import { type Snapshot, settingsFor } from '../../workspace/snapshot.ts';
import { codeShownAs, diagnose } from '../diagnose.ts';
import { type MarkerProblem, markerMistakes } from './markerMistakes.ts';
import { documentAt, type GoView, toGo, withMade } from './view.ts';

/**
 * Everything to be said about a Go file: what controller-gen refuses in it or drops, and what the API server would say of
 * the CRDs that come of it.
 */
export function diagnoseGo(snapshot: Snapshot, view: GoView): Diagnostic[] {
  const own = [
    ...problemsOfMarkers(view),
    ...view.mistakes.flatMap((mistake) => ofTypes(view, mistake)),
    ...notJudged(view),
  ];
  const settings = settingsFor(snapshot, view.uri);
  const said = own.flatMap(({ code, message, range, unnecessary = false }, i): Diagnostic[] => {
    const severity = codeShownAs(code, settings);
    return severity === 'off'
      ? []
      : [{ code, severity, message, range, unnecessary, related: [], key: `${ownKey}${i}` }];
  });
  return distinct([...said, ...ofCrds(snapshot, view)]).sort((a, b) => a.range.start - b.range.start);
}

const ownKey = 'go/';

/** The problem of the markers that a diagnostic of this key is about. */
export function markerProblemOf(view: GoView, key: string): MarkerProblem | undefined {
  return key.startsWith(ownKey) ? problemsOfMarkers(view)[Number(key.slice(ownKey.length))] : undefined;
}

function problemsOfMarkers({ file }: GoView): readonly MarkerProblem[] {
  return markerMistakes(file.go);
}

/** What controller-gen refuses of types. What it cannot read of markers is said above, at the very argument. */
function ofTypes({ uri, file }: GoView, { message, place, said }: GoMistake): MarkerProblem[] {
  const isOfMarker = said?.uri === uri && file.go.text.startsWith('//', said.range.start);
  return place?.uri === uri && !isOfMarker ? [{ code: 'go/refused', message, range: place.range, fixes: [] }] : [];
}

/** The kinds of this file of whose CRDs nothing is said. */
function notJudged({ uri, crds }: GoView): MarkerProblem[] {
  return crds.flatMap(({ kinds, missing }): MarkerProblem[] => {
    const here = missing.length === 0 ? [] : kinds.filter(({ place }) => place.uri === uri);
    const message = `The CRD of this type is not judged: ${whyMissing(missing)}.`;
    return here.map(({ place }) => ({ code: 'go/unread', message, range: place.range, fixes: [] }));
  });
}

/** What is found in the CRDs, where Go says it. Nothing is known of a CRD with types that could not be read. */
function ofCrds(snapshot: Snapshot, view: GoView): Diagnostic[] {
  if (view.crds.length === 0) return [];
  return diagnose(withMade(snapshot, view), view.made).flatMap((diagnostic) => {
    if (documentAt(view, diagnostic.range.start)?.crd.missing.length !== 0) return [];
    const place = toGo(view, diagnostic.range);
    if (place?.uri !== view.uri) return [];
    const related = diagnostic.related.flatMap((one) => {
      if (one.uri !== view.made) return [one];
      const at = toGo(view, one.range);
      return at ? [{ ...one, ...at }] : [];
    });
    return [{ ...unlessPatched(diagnostic), range: place.range, related }];
  });
}

/** Annotations are often put on what controller-gen has made, and nothing here says whether they are. */
function unlessPatched(diagnostic: Diagnostic): Diagnostic {
  const { code, severity, message } = diagnostic;
  if (code !== 'crd/api-approved-missing' || severity !== 'error') return diagnostic;
  return {
    ...diagnostic,
    severity: 'warning',
    message: `${message}\nUnless something adds it to what controller-gen makes.`,
  };
}

/** A type that is used in several places is judged in each of them. */
function distinct(all: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Map<string, Diagnostic>();
  for (const diagnostic of all) {
    const { code, message, range } = diagnostic;
    const id = [code, range.start, range.end, message.split('(spec.')[0]].join('\0');
    if (!seen.has(id)) seen.set(id, diagnostic);
  }
  return [...seen.values()];
}
