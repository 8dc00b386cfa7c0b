import { loadScript } from './loadScript.ts';

// What the engine reads on demand. A page that is opened as a file may not read others, but it may run them: each holds its
// bytes as base64 in a call.

const loaded = new Map<string, Promise<string>>();
const given = new Map<string, string>();

Object.assign(globalThis, {
  kubeCrdData: (name: string, base64: string) => given.set(name, base64),
});

/** The bytes of a file of server/data as base64; undefined where the address is another. */
export function packagedData(uri: string): Promise<string> | undefined {
  const name = /^data:\/([\w.]+\.json\.gz)$/.exec(uri)?.[1];
  if (name === undefined) return undefined;
  const known = loaded.get(name) ?? load(name);
  loaded.set(name, known);
  return known;
}

async function load(name: string): Promise<string> {
  await loadScript(`data/${name}.js`);
  return given.get(name) ?? '';
}
