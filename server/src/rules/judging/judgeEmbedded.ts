import { decodeBuiltin } from '../../kubernetes/builtin/decode.ts';
import type { BuiltinKinds } from '../../kubernetes/builtin/kinds.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { rootOfBuiltin } from '../../workspace/builtin.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { type EmbeddedObject, embeddedObjects } from '../../workspace/embeddedKinds.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { propertyNames, rootSchema, schemaAt } from '../../workspace/schemaNode.ts';
import type { BuiltinFacts } from '../builtin/builtin.ts';
import type { ProblemOf } from '../model/rule.ts';
import { few } from './few.ts';
import { problemAt } from './problemAt.ts';

/** What objects of built-in kinds in a custom resource would be refused for, by whoever creates them from it. */
export function judgeEmbedded(
  manifest: Manifest,
  definition: Definition | undefined,
  kinds: BuiltinKinds | undefined,
  version: KubernetesVersion,
): readonly ProblemOf<BuiltinFacts>[] {
  const root = definition && kinds && rootSchema(definition, manifest.apiVersion);
  if (!root) return [];
  return few(embeddedObjects(kinds, root, manifest.value).flatMap((one) => problemsOf(manifest, one, kinds, version)));
}

function problemsOf(
  manifest: Manifest,
  { path, value, kind }: EmbeddedObject,
  kinds: BuiltinKinds,
  version: KubernetesVersion,
): readonly ProblemOf<BuiltinFacts>[] {
  const { error, strict } = decodeBuiltin(value, kind, kinds, version);
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
      return problemAt(manifest, about, message, [...path, ...one.path], one === error ? 'value' : 'key');
    });
}
