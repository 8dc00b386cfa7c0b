import { validatedKinds } from '../../kubernetes/builtin/validation/validate.ts';
import { hostGroup } from '../../kubernetes/policy/hosts.ts';
import { type BuiltinAt, isOnByDefault } from '../../workspace/builtin.ts';
import { textOf } from '../../workspace/schemaNode.ts';
import { blocks, code, type Markdown, md, own, prose } from './markdown.ts';

/** What is said wherever a built-in kind is explained: what is not reported is not right for that. */
const limits = own(
  '*Names and types of the fields are checked, as the API server decodes them; what it validates afterwards is not.*',
);

/** Of policies and webhooks everything is checked, and of the kinds that people write what the API server validates. */
export function builtinLimits({ kind }: BuiltinAt): Markdown {
  return kind.group === hostGroup || validated.has(`${kind.apiVersion}/${kind.kind}`) ? own('') : limits;
}

const validated: ReadonlySet<string> = new Set(validatedKinds);

/** What a built-in kind is, and how long there is one. */
export function explainBuiltinKind(builtin: BuiltinAt): Markdown {
  const { kinds, kind, node } = builtin;
  const { apiVersion, introduced, deprecated, removed, replacement, namespaced } = kind;
  const since = kinds.kindSince(`${apiVersion}/${kind.kind}`);
  const facts = [
    since === undefined ? '' : `Since Kubernetes ${since}.`,
    isOnByDefault(kind.version) ? '' : 'API servers serve this version only where it is turned on.',
    introduced !== undefined && deprecated !== undefined ? `Deprecated since Kubernetes ${deprecated}.` : '',
    removed === undefined ? '' : `Not served from Kubernetes ${removed} on.`,
    replacement === undefined ? '' : `Use ${replacement} instead.`,
  ].filter((fact) => fact !== '');
  return blocks(
    md`**${kind.kind}** · ${code(apiVersion)} · ${namespaced ? 'Namespaced' : 'Cluster'}`,
    prose(node ? textOf(node, 'description') : ''),
    md`${facts.join(' ')}`,
    builtinLimits(builtin),
  );
}
