import { humanDuration } from '../gostd/humanDuration.ts';
import { at, type JsonMap, type JsonValue, listAt, mapAt, textAt } from './json.ts';

// What tables say of pods: how many containers are ready, what keeps them from it, how often they were started.

interface Pod {
  readonly reason: string;
  readonly ready: number;
  readonly total: number;
  readonly restarts: number;
  /** When a container ended last, in milliseconds since 1970; 0 where none has. */
  readonly ended: number;
}

const hasCondition = (object: JsonMap, type: string) =>
  textAt(
    listAt(object, 'status', 'conditions').find((one) => textAt(one, 'type') === type),
    'status',
  ) === 'True';

const restartsOf = (container: JsonValue) => Number(at(container, 'restartCount') ?? 0);

const endedAt = (container: JsonValue): number => {
  return Date.parse(textAt(container, 'lastState', 'terminated', 'finishedAt')) || 0;
};

/** Why a container ended, with what stands before the number of a signal or an exit code. */
function endReason(container: JsonValue, before = ''): string {
  const { reason, signal, exitCode = 0 } = mapAt(container, 'state', 'terminated');
  if (reason) return `${before}${reason}`;
  return signal ? `${before}Signal:${signal}` : `${before}ExitCode:${exitCode}`;
}

const isEnded = (container: JsonValue) => at(container, 'state', 'terminated') !== undefined;
const exitCode = (container: JsonValue) => Number(at(container, 'state', 'terminated', 'exitCode') ?? 0);

interface Initial {
  readonly reason: string | undefined;
  readonly ready: number;
  readonly restarts: number;
  readonly ended: number;
  /** Of those that go on beside the containers of the pod. */
  readonly lasting: { readonly restarts: number; readonly ended: number };
}

/** What the init containers come to, up to the first that is not done. */
function initial(object: JsonMap, lasts: ReadonlySet<string>): Initial {
  const statuses = listAt(object, 'status', 'initContainerStatuses');
  let [ready, restarts, ended, lastingRestarts, lastingEnded] = [0, 0, 0, 0, 0];
  let reason: string | undefined;
  for (const [i, status] of statuses.entries()) {
    const isLasting = lasts.has(textAt(status, 'name'));
    restarts += restartsOf(status);
    ended = Math.max(ended, endedAt(status));
    if (isLasting) {
      lastingRestarts += restartsOf(status);
      lastingEnded = Math.max(lastingEnded, endedAt(status));
    }
    if (isEnded(status) && exitCode(status) === 0) continue;
    if (isLasting && at(status, 'started') === true) {
      if (at(status, 'ready') === true) ready++;
      continue;
    }
    const waits = textAt(status, 'state', 'waiting', 'reason');
    if (isEnded(status)) reason = endReason(status, 'Init:');
    else if (waits !== '' && waits !== 'PodInitializing') reason = `Init:${waits}`;
    else reason = `Init:${i}/${listAt(object, 'spec', 'initContainers').length}`;
    break;
  }
  return { reason, ready, restarts, ended, lasting: { restarts: lastingRestarts, ended: lastingEnded } };
}

function phaseOf(object: JsonMap): string {
  const isGated = listAt(object, 'status', 'conditions').some(
    (one) => textAt(one, 'type') === 'PodScheduled' && textAt(one, 'reason') === 'SchedulingGated',
  );
  return isGated ? 'SchedulingGated' : textAt(object, 'status', 'reason') || phase(object);
}

const phase = (object: JsonMap) => textAt(object, 'status', 'phase') || 'Pending';

function podOf(object: JsonMap): Pod {
  const lasts = new Set(
    listAt(object, 'spec', 'initContainers')
      .filter((one) => textAt(one, 'restartPolicy') === 'Always')
      .map((one) => textAt(one, 'name')),
  );
  const total = listAt(object, 'spec', 'containers').length + lasts.size;
  const first = initial(object, lasts);
  const { ready, restarts, ended } = first;
  const begun = first.reason === undefined || hasCondition(object, 'Initialized');
  if (!begun) return { reason: goingReason(object, first.reason!), ready, total, restarts, ended };
  const main = running(object, first.reason ?? phaseOf(object));
  return {
    reason: goingReason(object, main.reason),
    ready: ready + main.ready,
    total,
    restarts: first.lasting.restarts + main.restarts,
    ended: Math.max(first.lasting.ended, main.ended),
  };
}

/** The containers of a pod from the last to the first, whose reason counts most. */
function running(object: JsonMap, before: string): Omit<Pod, 'total'> {
  let [reason, failure, isRunning] = [before, '', false];
  let [ready, restarts, ended] = [0, 0, 0];
  for (const status of listAt(object, 'status', 'containerStatuses').toReversed()) {
    restarts += restartsOf(status);
    ended = Math.max(ended, endedAt(status));
    const waits = textAt(status, 'state', 'waiting', 'reason');
    if (waits !== '') reason = waits;
    else if (isEnded(status)) {
      reason = endReason(status);
      if (exitCode(status) !== 0) failure = reason;
    } else if (at(status, 'ready') === true && at(status, 'state', 'running') !== undefined) {
      isRunning = true;
      ready++;
    }
  }
  if (reason === 'Completed') {
    if (isRunning && hasCondition(object, 'Ready')) reason = 'Running';
    else if (failure !== '') reason = failure;
    else if (isRunning) reason = 'NotReady';
  }
  return { reason, ready, restarts, ended };
}

function goingReason(object: JsonMap, reason: string): string {
  if (textAt(object, 'metadata', 'deletionTimestamp') === '') return reason;
  if (textAt(object, 'status', 'reason') === 'NodeLost') return 'Unknown';
  return ['Succeeded', 'Failed'].includes(phase(object)) ? reason : 'Terminating';
}

export const podReady = (object: JsonMap): string => {
  const { ready, total } = podOf(object);
  return `${ready}/${total}`;
};

export const podStatus = (object: JsonMap): string => podOf(object).reason;

export function podRestarts(object: JsonMap, now: number): string {
  const { restarts, ended } = podOf(object);
  return restarts !== 0 && ended !== 0 ? `${restarts} (${humanDuration(now - ended / 1000)} ago)` : String(restarts);
}

export function readinessGates(object: JsonMap): string {
  const gates = listAt(object, 'spec', 'readinessGates').map((one) => textAt(one, 'conditionType'));
  if (gates.length === 0) return '<none>';
  return `${gates.filter((type) => hasCondition(object, type)).length}/${gates.length}`;
}

const completed = new Map([
  ['Succeeded', 'The pod has completed successfully.'],
  ['Failed', 'The pod failed.'],
]);

/** What a row says of a pod that runs no more. */
export function rowConditions(object: JsonMap): JsonMap[] {
  const reason = textAt(object, 'status', 'phase');
  const message = completed.get(reason);
  return message === undefined ? [] : [{ type: 'Completed', status: 'True', reason, message }];
}
