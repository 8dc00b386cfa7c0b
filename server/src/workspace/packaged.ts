import { xrdGroup } from '../kubernetes/crossplane/derive.ts';
import { crossplaneVersion } from '../kubernetes/crossplane/fields.ts';
import { renderBlock } from '../yaml/render.ts';
import type { WantedKind } from './kinds.ts';
import { defaultLimits } from './limits.ts';
import { type SourceFile, sourceFile } from './sourceFile.ts';
import { jsonObject } from './sources/json.ts';
import { shownUri } from './sources/shown.ts';
import { xrdCrd } from './xrdCrd.ts';

// The CRD that this program brings along: that of the definitions that it makes CRDs of.

const origin = {
  text: `Crossplane ${crossplaneVersion.slice(1)}, which comes with kube-crd`,
  source: 'crossplane',
} as const;

let file: SourceFile | undefined;

/** The file that defines a kind of which nobody else has a CRD. */
export function packagedFor({ group, kind }: WantedKind): readonly SourceFile[] {
  if (group !== xrdGroup || kind !== 'CompositeResourceDefinition') return [];
  file ??= sourceFile(shownUri('crossplane', 'compositeresourcedefinitions.yaml'), crdText(), {
    ...{ limits: defaultLimits, origin, dormant: true },
  });
  return [file];
}

function crdText(): string {
  return `${renderBlock(jsonObject(xrdCrd)!, 0, { eol: '\n', step: 2, indentLists: true })}\n`;
}
