import { Session } from 'node:inspector/promises';

type Calls = (name?: string) => number;

let before: Promise<unknown> = Promise.resolve();

/**
 * How often the functions of these names are called, and all together. One count after the other: files of one process are
 * loaded side by side, and each would count what the others do.
 */
export function callsOf(run: () => unknown): Promise<Calls> {
  const calls = before.then(() => counted(run));
  // Whoever asked for it hears of an error.
  before = calls.catch(() => {});
  return calls;
}

async function counted(run: () => unknown): Promise<Calls> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  const own = result.filter((script) => !script.url.startsWith('node:')).flatMap(({ functions }) => functions);
  return (name) => {
    // Where files are bundled, functions of one name are numbered.
    const called = own.filter(({ functionName }) => name === undefined || functionName.replace(/\d+$/, '') === name);
    return called.reduce((sum, { ranges }) => sum + ranges[0]!.count, 0);
  };
}
