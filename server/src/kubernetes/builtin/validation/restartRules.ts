import { child } from '../../field.ts';
import { goString } from '../../goValue.ts';
import type { Fields } from './check.ts';

const policies = ['Always', 'Never', 'OnFailure'];
const operators = ['In', 'NotIn'];
const mostRules = 20;
const mostCodes = 255;

/** When a container starts again: its policy, and rules for exit codes. */
export function validateRestartRules(container: Fields): void {
  const { check } = container;
  const [policy, rules] = [container.pointed('restartPolicy'), container.items('restartPolicyRules')];
  if (policy === undefined) {
    if (rules.length === 0) return;
    container.required('restartPolicy', 'must specify restartPolicy when restart rules are used');
  } else if (!policies.includes(policy)) check.unsupported(container.at('restartPolicy'), goString(policy), policies);
  if (rules.length > mostRules) check.tooMany(container.at('restartPolicyRules'), rules.length, mostRules);
  const actions = check.version.builtin.restartsAllContainers ? ['Restart', 'RestartAllContainers'] : ['Restart'];
  for (const rule of rules) {
    const action = rule.text('action');
    if (!actions.includes(action)) check.unsupported(rule.at('action'), goString(action), actions);
    const codes = rule.pointer('exitCodes');
    if (!codes) rule.required('exitCodes', 'must be specified');
    else exitCodes(codes);
  }
}

function exitCodes(codes: Fields): void {
  const operator = codes.text('operator');
  if (!operators.includes(operator)) codes.check.unsupported(codes.at('operator'), goString(operator), operators);
  const { length } = codes.list('values');
  if (length > mostCodes) codes.check.tooMany(child(codes.spot, 'values'), length, mostCodes);
}
