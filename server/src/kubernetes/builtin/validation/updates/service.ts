import { child, index } from '../../../field.ts';
import { goNil, goString, goStrings } from '../../../goValue.ts';
import type { Fields } from '../check.ts';

// The addresses of a Service, which it keeps. What it does not say it keeps as it was, whatever the server gave it.

const once = 'may not change once set';

export function updateService(now: Fields, before: Fields): void {
  const [spec, old] = [now.object('spec'), before.object('spec')];
  const [type, oldType] = [typeOf(spec), typeOf(old)];
  if (type !== 'ExternalName' && oldType !== 'ExternalName') {
    spec.part(() => clusterIPs(spec, old));
    spec.part(() => families(spec, old));
  }
  if (type !== 'LoadBalancer' || oldType !== 'LoadBalancer') return;
  spec.part(() => loadBalancerClass(spec, old));
  spec.part(() => healthCheck(spec, old));
}

const typeOf = (spec: Fields) => spec.text('type') || 'ClusterIP';

function addressesOf(spec: Fields): readonly string[] {
  const [one, all] = [spec.text('clusterIP'), spec.texts('clusterIPs')];
  return all.length > 0 ? all : one === '' ? [] : [one];
}

/** A Service without an address asks for that; else it gets one. */
const isHeadless = (spec: Fields) => addressesOf(spec)[0] === 'None';

function clusterIPs(now: Fields, before: Fields): void {
  const [is, was] = [addressesOf(now), addressesOf(before)];
  if (is.length === 0) return;
  const getsOne = was.length === 0 && is[0] === 'None';
  // Of two the server may have found the second.
  const changed = getsOne ? [0] : [0, 1].filter((i) => is[i] !== undefined && was[i] !== undefined && is[i] !== was[i]);
  const written = now.list('clusterIPs').length > 0 && !now.has('clusterIP');
  for (const i of changed) {
    const spot = written
      ? index(now.at('clusterIPs'), i)
      : { parent: now.spot, field: '.clusterIPs[0]', steps: ['clusterIP'] };
    now.check.invalid(spot, goStrings(is), once, 'builtin/immutable');
  }
}

function families(now: Fields, before: Fields): void {
  if (isHeadless(now) || isHeadless(before)) return;
  const [is, was] = [now.texts('ipFamilies'), before.texts('ipFamilies')];
  if (is.length !== was.length || isDual(now) || isDual(before)) return;
  const list = now.at('ipFamilies');
  for (const [i, family] of is.entries()) {
    if (family === was[i]) continue;
    const shown = { go: 'slice' as const, type: '[]core.IPFamily', items: is.map(goString) };
    // The server names the first of them, whichever it is.
    const spot = { ...index(list, 0), steps: [i] };
    now.check.invalid(spot, shown, once, 'builtin/immutable');
  }
}

/** With one family written the server may have added the other. */
function isDual(spec: Fields): boolean {
  return spec.list('ipFamilies').length < 2 && !['', 'SingleStack'].includes(spec.text('ipFamilyPolicy'));
}

/** A webhook may have chosen one where none is written. */
function loadBalancerClass(now: Fields, before: Fields): void {
  const [is, was] = [now.pointed('loadBalancerClass'), before.pointed('loadBalancerClass')];
  if (was === undefined || is === was) return;
  const spot = is === undefined ? child(now.spot, 'loadBalancerClass', []) : now.at('loadBalancerClass');
  now.check.invalid(spot, is === undefined ? goNil('*string') : goString(is), once, 'builtin/immutable');
}

function healthCheck(now: Fields, before: Fields): void {
  const port = (spec: Fields) =>
    spec.text('externalTrafficPolicy') === 'Local' ? (spec.integer('healthCheckNodePort') ?? 0n) : 0n;
  const [is, was] = [port(now), port(before)];
  if (is === 0n || was === 0n || is === was) return;
  now.check.forbidden(now.at('healthCheckNodePort'), 'field is immutable', 'builtin/immutable');
}
