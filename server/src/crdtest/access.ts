import type { AccessCheck, Authorizer } from '../kubernetes/cel/libraries/authorization.ts';
import type { AccessList, AccessRow } from './policySuite.ts';

/** What users may do, as a table of tests says it: the first row that fits answers, and no other than an allowed one allows. */
export function accessOf(rows: readonly AccessRow[]): Authorizer {
  return (check) => {
    const row = rows.find((one) => fits(one, check));
    if (!row) return { decision: 'no opinion', reason: '' };
    const { decision, reason, error } = row;
    return error === undefined ? { decision, reason } : { decision: 'no opinion', reason, error };
  };
}

const asked: Readonly<Record<AccessList, (check: AccessCheck) => readonly string[] | undefined>> = {
  users: ({ user }) => [user.name],
  groups: ({ user }) => user.groups,
  verbs: ({ verb }) => [verb],
  apiGroups: ({ group }) => (group === undefined ? undefined : [group]),
  resources: ({ resource, subresource }) =>
    resource === undefined ? undefined : [subresource ? `${resource}/${subresource}` : resource],
  resourceNames: ({ name }) => [name ?? ''],
  namespaces: ({ namespace }) => [namespace ?? ''],
  nonResourceURLs: ({ path }) => (path === undefined ? undefined : [path]),
};

function fits({ lists }: AccessRow, check: AccessCheck): boolean {
  return [...lists].every(([list, wanted]) => {
    const found = asked[list](check);
    return found?.some((one) => wanted.some((pattern) => isMeant(pattern, one, list))) ?? false;
  });
}

function isMeant(pattern: string, one: string, list: AccessList): boolean {
  if (pattern === one || pattern === '*') return true;
  if (list === 'nonResourceURLs') return pattern.endsWith('*') && one.startsWith(pattern.slice(0, -1));
  return list === 'resources' && pattern.startsWith('*/') && one.endsWith(pattern.slice(1));
}
