import { compile } from '../../cel/compile.ts';
import { estimateCost } from '../../cel/cost.ts';
import type { Overload } from '../../cel/overload.ts';
import { schemaEnvironment } from '../../kubernetes/cel/environment.ts';
import { kubernetesVersions } from '../../kubernetes/releases/all.ts';
import { firstReleases } from '../../kubernetes/releases/environments.ts';
import type { RulePlace } from '../../workspace/rulePlace.ts';

/** The documentation of overloads: each signature, what they do, an example with its cost, and since when there are any. */
export function overloadsText(overloads: readonly Overload[], place: RulePlace): string {
  const signatures = overloads.map(({ signature }) => signature).join('\n');
  const docs = [...new Set(overloads.map(({ doc }) => doc).filter(Boolean))];
  const example = overloads.find((overload) => overload.example !== '')?.example;
  const shown = example === undefined ? [] : [`\`${example}\`${costOf(example, place)}`];
  return [`\`\`\`cel\n${signatures}\n\`\`\``, ...docs, ...shown, ...sinceText(overloads)].join('\n\n');
}

const costs = new Map<string, string>();

/** What an example costs at most, on the server that the rule is written for. */
function costOf(example: string, { kubernetes }: RulePlace): string {
  const key = `${kubernetes.name} ${example}`;
  let known = costs.get(key);
  if (known === undefined) {
    // Without a schema: what is said of a function must not depend on the rule that it was first asked for in.
    const { env, model } = schemaEnvironment(kubernetes, kubernetes.compatibility, undefined);
    const { expr, problems, unparsed } = compile(example, env);
    const clean = !unparsed && problems.length === 0;
    known = clean ? ` costs ${estimateCost(expr, model).total.max.toLocaleString('en-US')}` : '';
    costs.set(key, known);
  }
  return known;
}

function sinceText(overloads: readonly Overload[]): string[] {
  const releases = overloads.map(({ id }) => firstReleases(kubernetesVersions).get(id));
  if (overloads.length === 0 || releases.includes(undefined)) return [];
  const [first] = releases.sort();
  return [`Available in new rules since Kubernetes ${first}.`];
}
