import { type BuiltinAt, isOnByDefault } from '../workspace/builtin.ts';
import { textOf } from '../workspace/schemaNode.ts';
import { untrusted } from './markdown.ts';

/** What is said wherever a built-in kind is explained: what is not reported is not right for that. */
export const builtinLimits =
  'Names and types of the fields are checked, as the API server decodes them; what it validates afterwards is not.';

/** What a built-in kind is, and how long there is one. */
export function explainBuiltinKind({ kinds, kind, node }: BuiltinAt): string {
  const { apiVersion, introduced, deprecated, removed, replacement, namespaced } = kind;
  const since = kinds.kindSince(`${apiVersion}/${kind.kind}`);
  const facts = [
    since === undefined ? '' : `Since Kubernetes ${since}.`,
    isOnByDefault(kind.version) ? '' : 'API servers serve this version only where it is turned on.',
    introduced !== undefined && deprecated !== undefined ? `Deprecated since Kubernetes ${deprecated}.` : '',
    removed === undefined ? '' : `Not served from Kubernetes ${removed} on.`,
    replacement === undefined ? '' : `Use ${replacement} instead.`,
  ].filter((fact) => fact !== '');
  return [
    `**${kind.kind}** · \`${apiVersion}\` · ${namespaced ? 'Namespaced' : 'Cluster'}`,
    node ? untrusted(textOf(node, 'description').trim()) : '',
    facts.join(' '),
    `*${builtinLimits}*`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
