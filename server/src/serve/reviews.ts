import type { JsonMap } from './json.ts';
import type { User } from './users.ts';

// Objects that are questions: they are answered and not kept. Everybody may do everything here.

const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };

const rules: JsonMap = {
  resourceRules: [everything],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
};

const answers = new Map<string, (user: User) => JsonMap>([
  ...['SubjectAccessReview', 'SelfSubjectAccessReview', 'LocalSubjectAccessReview'].map(
    (kind) => [kind, () => ({ allowed: true })] as const,
  ),
  ['SelfSubjectRulesReview', () => rules],
  [
    'SelfSubjectReview',
    ({ name, uid, groups }) => ({ userInfo: { username: name, ...(uid !== '' && { uid }), groups: [...groups] } }),
  ],
]);

/** Whether a kind is a question that is answered here. */
export const isReview = (kind: string) => answers.has(kind);

/** The status of a question. */
export function reviewed(kind: string, user: User): JsonMap {
  return answers.get(kind)!(user);
}
