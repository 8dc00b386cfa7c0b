import { atOnce } from '../../../server/src/base/steps.ts';
import type { Range } from '../../../server/src/base/text.ts';
import { parseGo } from '../../../server/src/controllergen/syntax/parse.ts';
import { diagnoseGo } from '../../../server/src/features/golang/diagnoseGo.ts';
import { fixesGo } from '../../../server/src/features/golang/fixesGo.ts';
import {
  colorsGo,
  completeGo,
  definitionGo,
  hintsGo,
  hoverGo,
  signatureGo,
} from '../../../server/src/features/golang/inRules.ts';
import { lensesGo } from '../../../server/src/features/golang/lensesGo.ts';
import { renameInGo } from '../../../server/src/features/golang/renameGo.ts';
import { crdAt } from '../../../server/src/features/golang/shownCrd.ts';
import { differencesInCrds, staleCrds } from '../../../server/src/features/golang/stale.ts';
import { foldsGo, outlineGo, selectionGo } from '../../../server/src/features/golang/structureGo.ts';
import { highlightsGo, searchGo } from '../../../server/src/features/golang/usesGo.ts';
import { writtenIn } from '../../../server/src/features/golang/written.ts';
import { isRefusal } from '../../../server/src/features/navigate/rename/places.ts';
import type { Fix } from '../../../server/src/rules/model/diagnostic.ts';
import { GoPackages, type GoResult } from '../../../server/src/workspace/goPackages.ts';
import { crdsOf, type GoView, viewOf } from '../../../server/src/workspace/projections/goTypes.ts';
import type { Snapshot } from '../../../server/src/workspace/snapshot.ts';
import { filesOf } from '../../support/goFiles.ts';
import { packagedText } from '../../support/packaged.ts';
import { snapshotOf } from '../../support/workspace.ts';
import type { Timed } from './bombs.ts';

const folder = 'file:///api/v1';
const uri = `${folder}/types.go`;
/** A CRD that somebody generated of a type that the packages may have. */
const generated = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gizmos.example.com
  annotations: {controller-gen.kubebuilder.io/version: v0.23.0}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: gizmos, kind: Gizmo}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`;
const crdUri = 'file:///gizmos.yaml';

/** Files of a workspace by their path; one of them is open. */
export interface GoWorkspace {
  readonly text: string;
  readonly others?: Readonly<Record<string, string>>;
}

export interface OpenGo {
  readonly result: GoResult;
  readonly snapshot: Snapshot;
  readonly view: GoView | undefined;
}

/** Reads the packages of a workspace and makes what they are looked at by. */
export async function openedGo({ text, others = {} }: GoWorkspace, timed: Timed = (_, run) => run()): Promise<OpenGo> {
  const texts = new Map([
    [uri, text],
    ...Object.entries(others).map(([path, other]) => [`file://${path}`, other] as const),
  ]);
  timed('parse', () => parseGo(text));
  const packages = new GoPackages(filesOf(texts), undefined, packagedText);
  await packages.generate([folder]);
  const result = timed('generate', () => packages.generateNow([folder], new Map([[uri, `${text}\n`]])))!;
  const source = timed('write', () => crdsOf(result, folder));
  const view = timed('view', () => viewOf(source, uri));
  return { result, view, snapshot: snapshotOf([{ uri: crdUri, text: generated }]) };
}

export type GoRequest = (snapshot: Snapshot, view: GoView, offset: number) => unknown;

/** What an editor asks of a place in a Go file. */
export const goRequests: Readonly<Record<string, GoRequest>> = {
  diagnose: (snapshot, view) => diagnoseGo(snapshot, view),
  complete: completeGo,
  hover: hoverGo,
  signatureHelp: signatureGo,
  definition: definitionGo,
  colors: (snapshot, view) => colorsGo(snapshot, view),
  'colors on screen': (snapshot, view, offset) => colorsGo(snapshot, view, { start: offset, end: offset + 2000 }),
  hints: (snapshot, view) => hintsGo(snapshot, view, wholeOf(view)),
  outline: (_, view) => outlineGo(view),
  folds: (_, view) => foldsGo(view.file.go),
  selection: selectionGo,
  highlights: highlightsGo,
  references: searchGo,
  renamed,
  lenses: (snapshot, view) => atOnce(lensesGo(snapshot, view, [])),
  shown: (_, view, offset) => crdAt(view, offset),
  stale: staleCrds,
  written: (snapshot, { crds }) => differencesInCrds(snapshot, crdUri, writtenIn(snapshot, crdUri, crds)),
  fixes: (snapshot, view) => fixesOf(snapshot, view, 0),
  'other fixes': (snapshot, view) => fixesOf(snapshot, view, -1),
  typed: (_, view) => view.remade(`${view.file.go.text}\n`),
};

function renamed(snapshot: Snapshot, view: GoView, offset: number): unknown {
  const found = renameInGo(snapshot, view, offset);
  return found && !isRefusal(found) ? found.to('other') : found;
}

function wholeOf({ file }: GoView): Range {
  return { start: 0, end: file.go.text.length };
}

function fixesOf(snapshot: Snapshot, view: GoView, nth: number): readonly Fix[] {
  const found = diagnoseGo(snapshot, view).at(nth);
  return found ? fixesGo(snapshot, view, found) : [];
}
