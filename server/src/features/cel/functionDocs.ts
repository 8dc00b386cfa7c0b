import { compile } from '../../cel/compile.ts';
import { estimateCost } from '../../cel/cost.ts';
import type { Overload } from '../../cel/overload.ts';
import { baseEnvironment } from '../../kubernetes/cel/environment.ts';
import { kubernetesVersions } from '../../kubernetes/releases/all.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { RulePlace } from '../../rules/cel/rulePlace.ts';

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
function costOf(example: string, { schemaEnv, kubernetes }: RulePlace): string {
  const key = `${kubernetes.name} ${example}`;
  let known = costs.get(key);
  if (known === undefined) {
    const { expr, problems, unparsed } = compile(example, baseEnvironment(kubernetes, kubernetes.compatibility));
    const clean = !unparsed && problems.length === 0;
    known = clean ? ` costs ${estimateCost(expr, schemaEnv.model).total.max.toLocaleString('en-US')}` : '';
    costs.set(key, known);
  }
  return known;
}

/** The first minor version whose rules had libraries at all. */
const firstMinor = 25;

let firsts: ReadonlyMap<string, number> | undefined;

/** The minor version whose new rules could first use each overload; those that rules have always had are not in it. */
function firstVersions(): ReadonlyMap<string, number> {
  if (firsts) return firsts;
  const found = new Map<string, number>();
  const note = (server: KubernetesVersion, environment: number, usable: number) => {
    for (const { overloads } of baseEnvironment(server, environment).functions.values())
      for (const { id } of overloads) if (!found.has(id)) found.set(id, usable);
  };
  const [oldest, ...later] = [...kubernetesVersions].sort((a, b) => a.minor - b.minor);
  // What a release brings new rules may use from the next one on.
  for (let minor = firstMinor; minor <= oldest!.compatibility; minor++) note(oldest!, minor, minor + 1);
  for (const server of later) note(server, server.compatibility, server.minor);
  firsts = new Map([...found].filter(([, usable]) => usable > firstMinor + 1));
  return firsts;
}

function sinceText(overloads: readonly Overload[]): string[] {
  const minors = overloads.map(({ id }) => firstVersions().get(id) ?? 0);
  const first = Math.min(...minors);
  return overloads.length === 0 || first === 0 ? [] : [`In new rules since Kubernetes 1.${first}.`];
}
