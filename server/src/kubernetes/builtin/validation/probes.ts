import { child, type FieldPath } from '../../field.ts';
import { goAny, goString } from '../../goValue.ts';
import type { Fields } from './check.ts';
import type { PodContext } from './podContext.ts';
import { validatePort } from './ports.ts';
import { httpHeader, portNumber } from './texts.ts';

const notNegative = 'must be greater than or equal to 0';

/** A number that may not be below zero; absent it is zero. */
export function validateNotNegative(fields: Fields, key: string): void {
  const value = fields.integer(key) ?? 0n;
  if (value < 0n) fields.check.invalid(fields.at(key), value, notNegative);
}

export function validateProbes(container: Fields, context: PodContext): void {
  container.within('livenessProbe', (probe) => {
    validateProbe(probe, context);
    successOnce(probe);
  });
  container.within('readinessProbe', (probe) => {
    validateProbe(probe, context);
    const period = probe.integer('terminationGracePeriodSeconds');
    if (period === undefined) return;
    const why = 'must not be set for readinessProbes';
    probe.check.invalid(probe.at('terminationGracePeriodSeconds'), goAny(period), why);
  });
  container.within('startupProbe', (probe) => {
    validateProbe(probe, context);
    successOnce(probe);
  });
}

function successOnce(probe: Fields): void {
  const threshold = probe.integer('successThreshold') || 1n;
  if (threshold !== 1n) probe.check.invalid(probe.at('successThreshold'), threshold, 'must be 1');
}

const counts = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

function validateProbe(probe: Fields, context: PodContext): void {
  probe.part(() => validateHandler(probe, ofProbe, context));
  for (const key of counts) probe.part(() => validateNotNegative(probe, key));
  const period = probe.integer('terminationGracePeriodSeconds');
  if (period !== undefined && period <= 0n) {
    probe.check.invalid(probe.at('terminationGracePeriodSeconds'), period, 'must be greater than 0');
  }
}

type Handler = 'exec' | 'httpGet' | 'tcpSocket' | 'grpc' | 'sleep';

const ofProbe: readonly Handler[] = ['exec', 'httpGet', 'tcpSocket', 'grpc'];
const ofLifecycle: readonly Handler[] = ['exec', 'httpGet', 'tcpSocket', 'sleep'];

const handlers: Readonly<Record<Handler, (handler: Fields, context: PodContext) => void>> = {
  exec: (exec) => {
    if (exec.list('command').length === 0) exec.required('command');
  },
  httpGet,
  tcpSocket: (socket) => validatePort(socket, 'port'),
  grpc: (grpc) => {
    const port = grpc.integer('port') ?? 0n;
    grpc.wrong(grpc.at('port'), port, portNumber(port), 'builtin/port');
  },
  sleep: (sleep, { gracePeriod }) => {
    const seconds = sleep.integer('seconds') ?? 0n;
    if (gracePeriod === undefined) return;
    const { sleepsZero, sleepHint } = sleep.version.builtin;
    const least = sleepsZero ? 0n : 1n;
    if (seconds >= least && seconds <= gracePeriod) return;
    const what = least === 0n ? 'must be non-negative and' : 'must be greater than 0 and';
    const why = `${what} less than terminationGracePeriodSeconds (${gracePeriod})${sleepHint}`;
    sleep.check.invalid(sleep.spot, seconds, why);
  },
};

/** Exactly one of the ways to ask a container. */
function validateHandler(holder: Fields, kinds: readonly Handler[], context: PodContext): void {
  const [first, ...more] = kinds.filter((kind) => holder.has(kind));
  if (first === undefined) {
    holder.check.required(holder.spot, 'must specify a handler type');
    return;
  }
  holder.within(first, (handler) => handlers[first](handler, context));
  for (const kind of more) {
    holder.check.forbidden(holder.at(kind), 'may not specify more than 1 handler type', 'builtin/one-of');
  }
}

const schemes = ['HTTP', 'HTTPS'];

function httpGet(http: Fields): void {
  http.part(() => validatePort(http, 'port'));
  const scheme = http.text('scheme') || 'HTTP';
  if (!schemes.includes(scheme)) http.check.unsupported(http.at('scheme'), goString(scheme), schemes);
  for (const header of http.items('httpHeaders')) {
    const name = header.text('name');
    http.wrong(headerSpot(http, header), name, httpHeader(name), 'builtin/name');
  }
}

/** The server names the list. */
function headerSpot(http: Fields, header: Fields): FieldPath {
  return { parent: child(http.spot, 'httpHeaders'), field: '', steps: [...header.spot.steps, 'name'] };
}

export function validateLifecycle(lifecycle: Fields, context: PodContext): void {
  for (const key of ['postStart', 'preStop']) {
    lifecycle.within(key, (handler) => validateHandler(handler, ofLifecycle, context));
  }
}
