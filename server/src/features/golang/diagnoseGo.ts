import { bug } from '../../base/bug.ts';
import { whyNotMade } from '../../controllergen/crd/missing.ts';
import type { GoMistake } from '../../controllergen/crd/model.ts';
import type { Diagnostic, ProblemKey } from '../../rules/model/diagnostic.ts';
import { ruleOf } from '../../rules/model/registry.ts';
import { withMade } from '../../workspace/languages/go.ts';
import { defaultLimits } from '../../workspace/limits.ts';
import type { GoView } from '../../workspace/projections/goTypes.ts';
import { type Snapshot, settingsFor } from '../../workspace/snapshot.ts';
import { codeShownAs, diagnose, firstOf } from '../problems/diagnose.ts';
import { type MarkerProblem, markerMistakes } from './markerMistakes.ts';
import { isSilencedIn } from './silencedGo.ts';

/**
 * Everything to be said about a Go file: what controller-gen refuses in it or drops, and what the API server would say of
 * the CRDs that come of it.
 */
export function diagnoseGo(snapshot: Snapshot, view: GoView, others: readonly GoView[] = []): Diagnostic[] {
  // The places among those of markers are their keys.
  const own = [
    ...problemsOfMarkers(view),
    ...notJudged(view).slice(0, defaultLimits.problems),
    ...view.mistakes.flatMap((mistake) => ofTypes(view, mistake)),
  ];
  const settings = settingsFor(snapshot, view.uri);
  const said = own.flatMap(({ code, message, range, unnecessary = false }, i): Diagnostic[] => {
    const severity = codeShownAs(code, settings);
    return severity === 'off'
      ? []
      : [{ code, severity, message, range, says: {}, unnecessary, related: [], key: { of: 'markers', nth: i } }];
  });
  const found = [view, ...others].flatMap((one) => ofCrds(snapshot, one));
  const all = distinct([...said, ...found])
    .filter(({ code, range }) => !isSilencedIn(view.file.go, code, range.start))
    .sort((a, b) => a.range.start - b.range.start);
  return all.length <= defaultLimits.problems ? all : withoutMore(all);
}

/** The first ones in the text, how many are not among them, and all that say what is not judged. */
function withoutMore(all: readonly Diagnostic[]): Diagnostic[] {
  const first = firstOf(all);
  const beyond = all.slice(defaultLimits.problems).filter(({ code }) => ruleOf(code)?.alwaysTold);
  return [...first, ...beyond.slice(0, defaultLimits.problems)];
}

/** The same, and what is said where judging itself fails: others go on. */
export function diagnoseGoSafely(snapshot: Snapshot, view: GoView, others: readonly GoView[] = []): Diagnostic[] {
  try {
    return diagnoseGo(snapshot, view, others);
  } catch (error) {
    const why = error instanceof Error ? error : new Error(String(error));
    bug(`judging ${view.uri} failed: ${why.stack ?? why.message}`);
    return [goNotJudged(view.file.go.text, why.message)];
  }
}

/** What is said of a Go file over which kube-crd has failed. */
export function goNotJudged(text: string, why: string): Diagnostic {
  const end = text.search(/[\r\n]|$/);
  const message = `kube-crd itself failed on this, so it is not judged: ${why}. Please report it with the file.`;
  const range = { start: 0, end };
  return {
    code: 'file/not-judged',
    severity: 'error',
    message,
    range,
    says: {},
    unnecessary: false,
    related: [],
    key: { of: 'file' },
  };
}

/** The problem of the markers that a diagnostic of this key is about. */
export function markerProblemOf(view: GoView, key: ProblemKey): MarkerProblem | undefined {
  return key.of === 'markers' ? problemsOfMarkers(view)[key.nth] : undefined;
}

function problemsOfMarkers({ file }: GoView): readonly MarkerProblem[] {
  return markerMistakes(file.go);
}

/** What controller-gen refuses of types. What it cannot read of markers is said above, at the very argument. */
function ofTypes({ uri, file }: GoView, { message, place, said }: GoMistake): MarkerProblem[] {
  const isOfMarker = said?.uri === uri && file.go.text.startsWith('//', said.range.start);
  return place?.uri === uri && !isOfMarker ? [{ code: 'go/refused', message, range: place.range, fixes: [] }] : [];
}

/** The kinds of this file of whose CRDs nothing is said: those of one reason together, at the first. */
function notJudged({ uri, crds }: GoView): MarkerProblem[] {
  const byReason = new Map<string, { code: MarkerProblem['code']; places: MarkerProblem['range'][] }>();
  for (const crd of crds) {
    const why = whyNotMade(crd);
    if (why === undefined) continue;
    const code = crd.tooMuch === undefined ? 'go/unread' : 'go/too-much';
    const places = byReason.get(why)?.places ?? [];
    byReason.set(why, { code, places });
    for (const { place } of crd.kinds) if (place.uri === uri) places.push(place.range);
  }
  return [...byReason].flatMap(([why, { code, places }]) => {
    const [range, ...others] = places.sort((one, other) => one.start - other.start);
    if (!range) return [];
    const whose =
      others.length === 0 ? 'The CRD of this type is' : `The CRDs of this type and ${others.length} more are`;
    return [{ code, message: `${whose} not judged: ${why}.`, range, fixes: [] }];
  });
}

/** What is found in the CRDs, where Go says it. Nothing is known of a CRD with types that could not be read. */
function ofCrds(snapshot: Snapshot, view: GoView): Diagnostic[] {
  if (view.crds.every((crd) => whyNotMade(crd) !== undefined)) return [];
  return diagnose(withMade(snapshot, view), view.made).flatMap((diagnostic) => {
    const { code, range, about } = diagnostic;
    if (ruleOf(code)?.ofFiles) return [];
    const made = view.types.documentAt(range.start);
    if (!made) return [];
    const [origin] = view.types.written(view.types.partOf(made, about?.path ?? [], range));
    if (origin?.how === 'unknown' || origin?.place.uri !== view.uri) return [];
    const { place } = origin;
    const related = diagnostic.related.flatMap((one) => {
      if (one.uri !== view.made) return [one];
      const at = view.types.writtenAt(one.range);
      return at ? [{ ...one, ...at }] : [];
    });
    return [{ ...unlessPatched(diagnostic), range: place.range, related }];
  });
}

function unlessPatched(diagnostic: Diagnostic): Diagnostic {
  const { code, severity, message } = diagnostic;
  if (!ruleOf(code)?.oftenAdded || severity !== 'error') return diagnostic;
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
    const { code, message, range, about } = diagnostic;
    const id = [code, range.start, range.end, about?.words ?? message].join('\0');
    if (!seen.has(id)) seen.set(id, diagnostic);
  }
  return [...seen.values()];
}
