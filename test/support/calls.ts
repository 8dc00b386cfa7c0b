import { Session } from 'node:inspector/promises';

/** How often the functions of these names are called, and all together. */
export async function callsOf(run: () => unknown): Promise<(name?: string) => number> {
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
