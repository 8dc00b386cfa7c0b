import { goStrings } from '../../goValue.ts';
import { dns1123Subdomain, pathSegment } from '../../names.ts';
import type { Fields } from './check.ts';
import { validateLabelSelector } from './selectors.ts';

const group = 'rbac.authorization.k8s.io';

export function validateRole(role: Fields): void {
  role.each('rules', (rule) => validateRule(rule, true));
}

export function validateClusterRole(role: Fields): void {
  role.each('rules', (rule) => validateRule(rule, false));
  role.within('aggregationRule', (aggregation) => {
    if (aggregation.list('clusterRoleSelectors').length === 0) {
      const why = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
      aggregation.required('clusterRoleSelectors', why);
    }
    aggregation.each('clusterRoleSelectors', (selector) => {
      const before = selector.check.found.length;
      validateLabelSelector(selector);
      if (selector.check.found.length > before) {
        selector.check.invalid(selector.spot, undefinedSelector, 'invalid label selector.', 'builtin/follows');
      }
    });
  });
}

/** The server shows what could not be made of the selector. */
const undefinedSelector = null;

function validateRule(rule: Fields, isNamespaced: boolean): void {
  const { check } = rule;
  if (rule.list('verbs').length === 0) rule.declared('verbs', 'verbs must contain at least one value');
  const urls = rule.texts('nonResourceURLs');
  const isEmpty = (key: string) => rule.list(key).length === 0;
  if (urls.length > 0) {
    const spot = rule.at('nonResourceURLs');
    if (isNamespaced) check.invalid(spot, goStrings(urls), 'namespaced rules cannot apply to non-resource URLs');
    if (!['apiGroups', 'resources', 'resourceNames'].every(isEmpty)) {
      const why = 'rules cannot apply to both regular resources and non-resource URLs';
      check.invalid(spot, goStrings(urls), why, 'builtin/one-of');
    }
    return;
  }
  if (isEmpty('apiGroups')) rule.required('apiGroups', 'resource rules must supply at least one api group');
  if (isEmpty('resources')) rule.required('resources', 'resource rules must supply at least one resource');
}

export function validateRoleBinding(binding: Fields): void {
  validateBinding(binding, ['Role', 'ClusterRole'], true);
}

export function validateClusterRoleBinding(binding: Fields): void {
  validateBinding(binding, ['ClusterRole'], false);
}

function validateBinding(binding: Fields, kinds: readonly string[], isNamespaced: boolean): void {
  const role = binding.object('roleRef');
  const { check } = binding;
  role.part(() => {
    const [apiGroup, kind, name] = [role.text('apiGroup') || group, role.text('kind'), role.text('name')];
    if (apiGroup !== group) check.unsupported(role.at('apiGroup'), apiGroup, [group]);
    if (!kinds.includes(kind)) check.unsupported(role.at('kind'), kind, kinds);
    if (name === '') role.required('name');
    else role.wrong(role.at('name'), name, pathSegment(name, false), 'builtin/name');
  });
  binding.each('subjects', (subject) => validateSubject(subject, isNamespaced));
}

const subjectKinds = ['ServiceAccount', 'User', 'Group'];

function validateSubject(subject: Fields, isNamespaced: boolean): void {
  const { check } = subject;
  const [kind, name, apiGroup] = [subject.text('kind'), subject.text('name'), subject.text('apiGroup')];
  if (name === '') subject.required('name');
  if (kind === 'ServiceAccount') {
    if (name !== '') subject.wrong(subject.at('name'), name, dns1123Subdomain(name), 'builtin/name');
    if (apiGroup !== '') check.unsupported(subject.at('apiGroup'), apiGroup, ['']);
    if (!isNamespaced && subject.text('namespace') === '') subject.required('namespace');
  } else if (kind === 'User' || kind === 'Group') {
    if (apiGroup !== '' && apiGroup !== group) check.unsupported(subject.at('apiGroup'), apiGroup, [group]);
  } else check.unsupported(subject.at('kind'), kind, subjectKinds);
}
