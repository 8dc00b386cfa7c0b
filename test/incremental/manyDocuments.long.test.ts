import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Connection, InitializeParams } from 'vscode-languageserver';
import { type Context, type Host, newContext } from '../../server/src/lsp/context.ts';
import { initialize, watchedFilesChanged } from '../../server/src/lsp/lifecycle.ts';
import { diagnosticReport } from '../../server/src/lsp/reporting.ts';
import { changed, closed, opened } from '../../server/src/lsp/textSync.ts';
import type { Files } from '../../server/src/workspace/files.ts';
import { boxCrd } from '../support/boxCrd.ts';
import { callsOf } from '../support/calls.ts';

// What opening, changing, judging and closing many documents costs: as many times as much as one, and no more. Counted as
// calls of functions of ours, as the engine counts them, with all that the server does later on its own.

/** A server whose timers run when nothing else is left to do. */
function started(capabilities: InitializeParams['capabilities'], disk: ReadonlyMap<string, string>) {
  const timers = new Map<string, () => void>();
  let sent = 0;
  const send = async () => void sent++;
  const connection = {
    console: { warn: () => {}, info: () => {}, error: (message: string) => assert.fail(message) },
    sendNotification: send,
    sendDiagnostics: send,
    sendRequest: async () => null,
    languages: { diagnostics: { refresh: send } },
  } as unknown as Connection;
  const files = {
    read: async (uri: string) => (disk.has(uri) ? new TextEncoder().encode(disk.get(uri)) : undefined),
    isInside: async () => true,
    entries: async () => [],
  } as unknown as Files;
  const host = {
    disk: files,
    caches: { goModules: undefined, helm: undefined, fetched: undefined },
    data: async () => undefined,
    debounce: (name: string, _pause: number, run: () => void) => {
      timers.delete(name);
      timers.set(name, run);
    },
    docs: () => undefined,
  } as unknown as Host;
  const context: Context = newContext(connection, host);
  const initializationOptions = { files: true, yamlExtension: true, trusted: true };
  initialize(context, { processId: null, rootUri: null, capabilities, initializationOptions });
  const { session } = context;
  session.loading = false;
  // What goes on behind a step is work of that step: nothing of it may be left for when nobody counts.
  const isBusy = () => session.learning !== undefined || session.looking > 0;
  const settle = async () => {
    for (let [first] = timers; first || isBusy(); [first] = timers) {
      if (first) {
        timers.delete(first[0]);
        first[1]();
      }
      await new Promise(setImmediate);
      await session.loaded;
      await session.learning;
    }
  };
  return { context, settle, sent: () => sent };
}

const resource = (group: string, i: number) =>
  `apiVersion: ${group}/v1\nkind: Box\nmetadata: {name: a${i}, namespace: b}\nspec: {size: ${i}}\n`;
const crd = boxCrd('{type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}');

const texts: Readonly<Record<string, (i: number) => string>> = {
  'resources of a kind that is known': (i) => resource('example.com', i),
  'resources of kinds that nobody knows': (i) => resource(`g${i}.example.org`, i),
  'CRDs of different kinds': (i) => crd.replaceAll('example.com', `g${i}.example.com`),
  'CRDs of one kind': () => crd,
};
const clients: Readonly<Record<string, InitializeParams['capabilities']>> = {
  'that waits for diagnostics': {},
  'that asks for diagnostics': {
    textDocument: { diagnostic: {} },
    workspace: { diagnostics: { refreshSupport: true } },
  },
};

async function work(text: (i: number) => string, capabilities: InitializeParams['capabilities'], n: number) {
  const all = Array.from({ length: n }, (_, i) => ({ uri: `file:///w/d${i}.yaml`, text: text(i) }));
  const disk = new Map(all.map(({ uri, text: one }) => [uri, one]));
  const { context, settle, sent } = started(capabilities, disk);
  const first = { uri: 'file:///crd.yaml', languageId: 'yaml', version: 1, text: crd };
  await opened(context, { textDocument: first });
  await settle();
  const steps: Record<string, () => Promise<void> | void> = {
    open: () => {
      for (const one of all) opened(context, { textDocument: { ...one, languageId: 'yaml', version: 1 } });
    },
    change: () => {
      for (const { uri, text: one } of all)
        changed(context, { textDocument: { uri, version: 2 }, contentChanges: [{ text: `${one}# a\n` }] });
    },
    judge: async () => {
      for (const { uri } of all) await diagnosticReport(context, { textDocument: { uri } });
    },
    'change on disk': async () =>
      await watchedFilesChanged(context, { changes: all.map(({ uri }) => ({ uri, type: 2 })) }),
    close: async () => {
      for (const { uri } of all) await closed(context, { textDocument: { uri } });
    },
    'change on disk when closed': async () =>
      await watchedFilesChanged(context, { changes: all.map(({ uri }) => ({ uri, type: 3 })) }),
  };
  const found: Record<string, number> = {};
  for (const [name, run] of Object.entries(steps)) {
    const before = sent();
    const calls = await callsOf(async () => {
      await run();
      await settle();
    });
    // What is sent is work as well.
    found[name] = calls() + sent() - before;
  }
  return found;
}

const few = 40;

for (const [what, text] of Object.entries(texts)) {
  for (const [who, capabilities] of Object.entries(clients)) {
    test(`twice as many ${what} cost twice as much, for a client ${who}`, async () => {
      // What is made once is there by then.
      await work(text, capabilities, 5);
      const [some, more] = [await work(text, capabilities, few), await work(text, capabilities, 2 * few)];
      for (const [step, calls] of Object.entries(some)) {
        const times = more[step]! / calls;
        assert.ok(times < 2.3, `${step}: ${calls} and ${more[step]}, ${times.toFixed(2)} times as much`);
      }
    });
  }
}
