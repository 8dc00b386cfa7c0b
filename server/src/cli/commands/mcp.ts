import path from 'node:path';
import { kindAt } from '../../files/folders.ts';
import { linesOf } from '../../mcp/lines.ts';
import { serverOf } from '../../mcp/messages.ts';
import { rootAround } from '../caches.ts';
import { ownCommand } from '../oneFile.ts';
import { command } from '../table/command.ts';
import { emit } from '../terminal.ts';
import { answerOf } from '../toolCall.ts';

/** Answers the tools of a model's client until its input ends; gives the exit code. */
async function mcp(folder: string): Promise<number> {
  if ((await kindAt(folder)) !== 'folder') throw new Error(`there is no folder ${folder}`);
  const own = {
    program: ownCommand(),
    root: path.resolve(folder),
    crds: rootAround(path.resolve(folder)) === undefined ? ['.'] : [],
  };
  const handle = serverOf({
    version: VERSION,
    answer: (tool, values, signal) => answerOf(own, tool, values, signal),
  });
  const open = new Set<Promise<void>>();
  process.stdin.setEncoding('utf8');
  for await (const line of linesOf(process.stdin)) {
    if (line?.trim() === '') continue;
    // A line that is too long is not JSON either.
    const reply = handle(line ?? '').then((text) => {
      if (text !== undefined) emit(`${text}\n`);
    });
    open.add(reply);
    void reply.finally(() => open.delete(reply));
  }
  await Promise.all(open);
  return 0;
}

export const mcpCommand = command({
  name: 'mcp',
  about: 'gives language models the tools check, explain, complete, eval, test, render, diff and generate',
  inShort:
    'gives language models the tools check, explain, complete, eval, test, render, diff and generate, over the Model Context Protocol; [docs/agents.md](agents.md)',
  takes: '[FOLDER]',
  explains: `Answers the client of a language model over standard input and output, as the Model Context Protocol has it. The \
tools read files of the folder, the one it runs in by default, and change none; each call is bounded in time and size.`,
  options: {},
  examples: ['kube-crd mcp < /dev/null'],
  run: (_, [folder = '.', ...more]) => {
    if (more.length > 0) throw new Error('mcp takes one folder');
    return mcp(folder);
  },
});
