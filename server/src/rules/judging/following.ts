import type { Path } from '../../base/value.ts';
import type { CrFacts } from '../../kubernetes/cr/findings.ts';
import type { Problem } from '../model/rule.ts';

const unknown: keyof CrFacts = 'cr/unknown-field';
const missing: keyof CrFacts = 'cr/required';

/** What a map lacks may be there under a name that is not known: such a problem says which, as far as there is one for each. */
export function following<P extends Problem>(problems: readonly P[]): P[] {
  const strange = problems.filter(({ code }) => code === unknown);
  if (strange.length === 0) return [...problems];
  return problems.map((problem) => {
    if (problem.code !== missing) return problem;
    const beside = strange.filter(({ path }) => isIn(path, problem.path));
    return beside.length > 0 && beside.length >= (problem.missing?.length ?? 1)
      ? { ...problem, follows: beside[0]! }
      : problem;
  });
}

/** Whether a path leads to an entry of a map. */
function isIn(path: Path, map: Path): boolean {
  return path.length === map.length + 1 && map.every((step, i) => path[i] === step);
}
