import { semanticEqual } from '../../kubernetes/crd/equal.ts';
import type { NestedValueValidation, Structural } from '../../kubernetes/schema/structural.ts';
import type { Change } from './change.ts';
import { type ComparedSchema, refusedLater, schemaChange } from './schemaChange.ts';

type Junctor = 'allOf' | 'anyOf' | 'oneOf' | 'not';
type Branches = readonly NestedValueValidation[];

/** Whether a change of the branches excludes values that were allowed, as far as their number tells. */
type Way = 'tighter' | 'looser';

/** By what is said of branches that are gone, and of new ones. */
const ways: Readonly<Record<Junctor, (gone: number, added: number, was: number, is: number) => Way>> = {
  allOf: (_, added) => (added > 0 ? 'tighter' : 'looser'),
  // No branches at all demand nothing.
  anyOf: (gone, _, was, is) => (is === 0 || (gone === 0 && was > 0) ? 'looser' : 'tighter'),
  oneOf: (_, __, ___, is) => (is === 0 ? 'looser' : 'tighter'),
  not: (_, added) => (added > 0 ? 'tighter' : 'looser'),
};

export function junctorChanges(compared: ComparedSchema): Change[] {
  return (Object.keys(ways) as Junctor[]).flatMap((junctor) => junctorChange(compared, junctor));
}

function junctorChange(compared: ComparedSchema, junctor: Junctor): Change[] {
  const [was, is] = [branchesOf(compared.old, junctor), branchesOf(compared.place.schema, junctor)];
  if (was.length === is.length && was.every((one, i) => semanticEqual(one, is[i]))) return [];
  const gone = without(was, is).length;
  const added = without(is, was).length;
  // A value that matches a branch of oneOf matches its double as well, and then no longer one alone.
  const isDoubled = junctor === 'oneOf' && was.length !== is.length;
  if (gone === 0 && added === 0 && !isDoubled) return [];
  const title = `\`${junctor}\` ${was.length === 0 ? 'added' : is.length === 0 ? 'removed' : 'changed'}`;
  if (ways[junctor](gone, added, was.length, is.length) === 'looser') {
    const message = 'All values that were accepted still are.';
    return [schemaChange(compared, 'limit-loosened', 'widens', title, message, [junctor])];
  }
  const before = was.length === 0 ? `${compared.ref} has none.` : `In ${compared.ref} it says something else.`;
  const message = `${before} Whether a value that was accepted still is depends on the value. ${refusedLater(compared, 'Stored objects that do not match it')}`;
  return [schemaChange(compared, 'limit-tightened', 'may-break', title, message, [junctor])];
}

/** Beyond this many, branches that differ are not looked for one by one. */
const mostBranches = 100;

function without(some: Branches, others: Branches): Branches {
  if (some.length > mostBranches || others.length > mostBranches) return some;
  return some.filter((one) => !others.some((other) => semanticEqual(one, other)));
}

function branchesOf({ validation, extensions }: Structural, junctor: Junctor): Branches {
  if (!validation) return [];
  if (junctor === 'not') return validation.not ? [validation.not] : [];
  const branches = validation[junctor];
  return junctor === 'anyOf' && extensions.intOrString && branches.every(isEitherType) ? [] : branches;
}

/** What x-kubernetes-int-or-string says already, which tools write beside it. */
function isEitherType({ forbidden, ...rest }: NestedValueValidation): boolean {
  const isType = forbidden.type === 'integer' || forbidden.type === 'string';
  return isType && Object.values(rest).every((value) => !value || (Array.isArray(value) && value.length === 0));
}
