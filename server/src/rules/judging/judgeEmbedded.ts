import { hasUnknown, type ValueMap, valueAt } from '../../base/value.ts';
import { decodeBuiltin } from '../../kubernetes/builtin/decode.ts';
import type { ValidationFinding } from '../../kubernetes/builtin/findings.ts';
import { judgeBuiltin } from '../../kubernetes/builtin/judge.ts';
import type { BuiltinKind, BuiltinKinds } from '../../kubernetes/builtin/kinds.ts';
import { validateBuiltin } from '../../kubernetes/builtin/validation/validate.ts';
import type { Decoded } from '../../kubernetes/decode.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { rootOfBuiltin } from '../../workspace/builtin.ts';
import type { Definition } from '../../workspace/definitions.ts';
import {
  type EmbeddedObject,
  type EmbeddedPart,
  embeddedIn,
  namedObjects,
  podTemplates,
} from '../../workspace/embeddedKinds.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { isRgd } from '../../workspace/rgd.ts';
import { propertyNames, rootSchema, schemaAt } from '../../workspace/schemaNode.ts';
import type { BuiltinFacts } from '../builtin/builtin.ts';
import { asFarAsKnown, knownToKro } from '../cr/placeholders.ts';
import type { ProblemOf } from '../model/rule.ts';
import { few } from './few.ts';
import { problemAt, saysOf } from './problemAt.ts';
import { saysOfDecoding } from './says.ts';

/**
 * What objects of built-in kinds in a custom resource would be refused for, by whoever creates them from it. `kindsNow` is
 * asked where there is one: most resources hold none, and what is built in takes longer to load than they to judge.
 */
export function judgeEmbedded(
  manifest: Manifest,
  definition: Definition | undefined,
  kindsNow: () => BuiltinKinds | undefined,
  version: KubernetesVersion,
): readonly ProblemOf<BuiltinFacts>[] {
  const root = definition && rootSchema(definition, manifest.apiVersion);
  if (!root) return [];
  const value = isRgd(manifest) ? knownToKro(manifest.value) : manifest.value;
  const objects = namedObjects(root, value);
  const templates = podTemplates(root, asFarAsKnown(manifest));
  const kinds = objects.length + templates.length > 0 ? kindsNow() : undefined;
  if (!kinds) return [];
  return few([
    ...embeddedIn(kinds, objects).flatMap((one) => problemsOf(manifest, one, kinds, version)),
    ...templates.flatMap((one) => problemsOfTemplate(manifest, one, kinds, version)),
  ]);
}

/** What is wrong with a pod template as it is. What is missing, or leads nowhere, its controller may add. */
const wrongAnyway: ReadonlySet<ValidationFinding['code']> = new Set<ValidationFinding['code']>([
  ...(['builtin/invalid', 'builtin/name', 'builtin/port', 'builtin/unsupported', 'builtin/duplicate'] as const),
  ...(['builtin/one-of', 'builtin/resources', 'builtin/too-long'] as const),
]);

function problemsOfTemplate(
  manifest: Manifest,
  { path, value }: EmbeddedPart,
  kinds: BuiltinKinds,
  version: KubernetesVersion,
): readonly ProblemOf<BuiltinFacts>[] {
  const kind = kinds.kinds.get('v1/PodTemplate');
  if (!kind) return [];
  const around = new Map([['template', value]]);
  // The CRD's schema has said what cannot be decoded.
  if (decodeBuiltin(around, kind, kinds, version).error) return [];
  const found = validateBuiltin(around, kind, version).filter(
    ({ code, path: at }) => wrongAnyway.has(code) && valueAt(around, at) !== undefined,
  );
  return found.map((one) => {
    const where = one.field.replace(/^template\./, '');
    const message = `It is stored as it is, but the API server would not accept a Pod that is made of it: ${where}: ${one.message}`;
    const about = { code: 'builtin/embedded', facts: { known: [] } } as const;
    return problemAt(manifest, about, message, [...path, ...one.path.slice(1)], one.anchor, {
      says: saysOf(one, message),
    });
  });
}

function problemsOf(
  manifest: Manifest,
  { path, value, kind }: EmbeddedObject,
  kinds: BuiltinKinds,
  version: KubernetesVersion,
): readonly ProblemOf<BuiltinFacts>[] {
  const { error, strict } = decoded(value, kind, kinds, version);
  const node = rootOfBuiltin(kinds, kind);
  const found = error ? [error] : strict;
  // The metadata of embedded objects is the API server's to judge, and it does.
  return found
    .filter((one) => one.path[0] !== 'metadata')
    .map((one) => {
      const around = node && schemaAt(node, one.path.slice(0, -1));
      const known = around && one !== error ? propertyNames(around, one.path.length === 1) : [];
      const message = `It is stored as it is, but the API server would not accept it as a ${kind.kind}: ${one.message}`;
      const about = { code: 'builtin/embedded', facts: { known } } as const;
      const rest = error && one === error ? { says: saysOfDecoding(error) } : {};
      return problemAt(manifest, about, message, [...path, ...one.path], one === error ? 'value' : 'key', rest);
    });
}

/** What is filled in later may be anything. */
function decoded(value: ValueMap, kind: BuiltinKind, kinds: BuiltinKinds, version: KubernetesVersion): Decoded {
  if (!hasUnknown(value)) return decodeBuiltin(value, kind, kinds, version);
  const { decode, strict } = judgeBuiltin(value, kind, kinds, version);
  return { strict, ...(decode[0] && { error: decode[0] }) };
}
