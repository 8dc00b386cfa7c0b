import { shortened } from '../../base/text.ts';
import { isMap, type Path } from '../../base/value.ts';
import { controllerGenVersion } from '../../controllergen/crd/generate.ts';
import type { Diagnostic, Fix, ProblemKey, Related } from '../../rules/model/diagnostic.ts';
import { crdText } from '../../workspace/projections/crdText.ts';
import type { GoView } from '../../workspace/projections/goTypes.ts';
import { type Snapshot, settingsFor } from '../../workspace/snapshot.ts';
import { placedIn } from '../../workspace/sourceFile.ts';
import { baseName } from '../../workspace/uri.ts';
import { styleOf } from '../../yaml/edit.ts';
import { renderFlow } from '../../yaml/render.ts';
import type { Location } from '../place/location.ts';
import { codeShownAs } from '../problems/diagnose.ts';
import { diagnoseGo } from './diagnoseGo.ts';
import { fixesGo } from './fixesGo.ts';
import { nameOf } from './shownCrd.ts';
import { type Difference, originInTypes, placeOfDifference, type WrittenCrd, writtenCrds } from './written.ts';

/** How many differences are said in one file. */
const most = 20;

/** In a file of generated CRDs: where they are not what the types give. */
export function differencesInCrds(snapshot: Snapshot, uri: string, here: readonly WrittenCrd[]): Diagnostic[] {
  return here
    .flatMap((crd) => crd.differences.map((difference) => ({ crd, difference })))
    .slice(0, most)
    .flatMap(({ crd, difference }) => {
      const code = crd.isByHand ? 'go/by-hand' : 'go/stale';
      const { range } = placeOfDifference(crd, difference);
      const origin = crd.made.originOf(difference.inMade);
      const related = origin ? [{ ...origin, message: fromTypes }] : [];
      const message = `${given(difference)} ${crd.isByHand ? lost : since(crd)}`;
      return diagnosticOf(snapshot, uri, { code, message, range, related, key: { of: 'crd', name: nameOf(crd.made) } });
    });
}

const fromTypes = 'what it is generated from';
const lost = 'This was changed by hand after the last commit, and is lost when the CRD is generated.';

function since({ generator }: WrittenCrd): string {
  return `The CRD was not generated since they changed, or it was changed by hand${byAnother(generator)}.`;
}

/** What another release writes nobody can write here: it has to be run, and may be why there is a difference. */
function byAnother(generator: string): string {
  if (generator === controllerGenVersion) return '';
  return `, or controller-gen ${generator} makes something else of them than ${controllerGenVersion}, which is compared here: run your generator`;
}

function given({ inMade, made }: Difference): string {
  const key = inMade[inMade.length - 1];
  if (made === undefined)
    return typeof key === 'string' ? `The types give no \`${key}\` here.` : 'The types give less here.';
  const value = isMap(made) ? '' : ` ${shortened(renderFlow(made), 60)}`;
  return typeof key === 'string' ? `The types give \`${key}:${value}\` here.` : 'The types give something else here.';
}

/** In a Go file: the CRDs of its kinds that are not what the types give. */
export function staleCrds(snapshot: Snapshot, view: GoView): Diagnostic[] {
  return writtenCrds(snapshot, view.crds).flatMap((crd): Diagnostic[] => {
    const { differences, made, file, isByHand, generator } = crd;
    const kind = made.kinds.find(({ place }) => place.uri === view.uri);
    if (!kind || differences.length === 0 || isByHand) return [];
    const names = [...new Set(differences.map(({ inMade }) => fieldOf(inMade)))];
    const what =
      names
        .slice(0, 3)
        .map((name) => `\`${name}\``)
        .join(', ') + (names.length > 3 ? ', …' : '');
    const message = `\`${baseName(file.uri)}\` is not what these types give for ${what}: it was not generated since, or was changed by hand${byAnother(generator)}.`;
    const related = differences
      .slice(0, 5)
      .map((one): Related => ({ ...placeOfDifference(crd, one), message: given(one) }));
    return diagnosticOf(snapshot, view.uri, {
      code: 'go/stale',
      message,
      range: kind.place.range,
      related,
      key: { of: 'crd', name: nameOf(made) },
    });
  });
}

/** The field that a part of a CRD is about: `spec.parts[].size`; what is not in a schema goes by its key. */
function fieldOf(path: Path): string {
  let field = '';
  for (const [i, step] of path.entries()) {
    if (path[i - 1] === 'properties') field += `${field && '.'}${step}`;
    else if (step === 'items' && field !== '') field += '[]';
  }
  return field || String(path.findLast((step) => typeof step === 'string'));
}

/** Writes a generated CRD as the types give it. */
export function regenerating(here: readonly WrittenCrd[], key: ProblemKey): Fix[] {
  const crd = here.find(({ made }) => key.of === 'crd' && nameOf(made) === key.name);
  return crd ? written(crd, 'Write the CRD as its Go types give it') : [];
}

/** The same for the CRDs of the kind at an offset of a Go file: fixes of their files. */
export function generatedFrom(snapshot: Snapshot, view: GoView, offset: number): { uri: string; fix: Fix }[] {
  const isAt = ({ made }: WrittenCrd) =>
    made.kinds.some(({ place: { uri, range } }) => uri === view.uri && range.start <= offset && offset <= range.end);
  return writtenCrds(snapshot, view.crds)
    .filter((crd) => isAt(crd) && crd.differences.length > 0)
    .flatMap((crd) =>
      written(crd, `Write \`${baseName(crd.file.uri)}\` as these types give it`).map((fix) => ({
        uri: crd.file.uri,
        fix,
      })),
    );
}

function written({ file, manifest, made, generator }: WrittenCrd, title: string): Fix[] {
  const placed = placedIn(file, manifest.document);
  // What stands beside it in its document is not ours to write, nor what another release would write otherwise.
  if (!placed || manifest.at.length > 0 || generator !== controllerGenVersion) return [];
  const { text } = manifest.document;
  const head = /^(?:---[ \t]*\r?\n)?/.exec(text)![0];
  const { eol } = styleOf(manifest.document);
  const range = { start: placed.start + head.length, end: placed.start + text.length };
  return [{ title, edits: [{ range, text: crdText(made.value).replaceAll('\n', eol) }], safe: false }];
}

/** Findings in generated CRDs, with where their types say what is wrong. */
export function withOrigins(here: readonly WrittenCrd[], found: readonly Diagnostic[]): readonly Diagnostic[] {
  if (here.length === 0) return found;
  return found.map((one) => {
    const origin = originInTypes(here, one.range.start);
    return origin ? { ...one, related: [...one.related, { ...origin, message: fromTypes }] } : one;
  });
}

/** What mends a finding of a generated CRD in the Go file that it comes from. */
export function fixesAtSource(snapshot: Snapshot, view: GoView, origin: Location, code: string): readonly Fix[] {
  const isAt = ({ range }: Diagnostic) => range.start <= origin.range.end && origin.range.start <= range.end;
  const same = diagnoseGo(snapshot, view).find((one) => one.code === code && isAt(one));
  const fixes = same ? fixesGo(snapshot, view, same) : [];
  return fixes.map((fix) => ({ ...fix, title: `In ${baseName(view.uri)}: ${fix.title}` }));
}

interface Said {
  readonly code: 'go/stale' | 'go/by-hand';
  readonly message: string;
  readonly range: Diagnostic['range'];
  readonly related: readonly Related[];
  readonly key: ProblemKey;
}

function diagnosticOf(snapshot: Snapshot, uri: string, said: Said): Diagnostic[] {
  const severity = codeShownAs(said.code, settingsFor(snapshot, uri));
  return severity === 'off' ? [] : [{ ...said, severity, says: {}, unnecessary: false }];
}
