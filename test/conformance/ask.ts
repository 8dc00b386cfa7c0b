// npm run --silent ask -- --kubernetes VERSION: answers the oracle's JSON lines from our engine.
import { parseArgs } from 'node:util';
import { answerLine } from './answer.ts';
import { kubernetesVersions } from './protocol.ts';

const { values } = parseArgs({ options: { kubernetes: { type: 'string', default: kubernetesVersions[0]! } } });
if (!kubernetesVersions.includes(values.kubernetes)) {
  console.error(`Kubernetes ${values.kubernetes} is not known; there is ${kubernetesVersions.join(', ')}`);
  process.exit(2);
}

function answer(line: string): string {
  try {
    return `${answerLine(line, values.kubernetes)}\n`;
  } catch (error) {
    // One request that we cannot answer must not end the conversation; it is never passed off as an answer.
    console.error(error);
    return `${JSON.stringify({ unsupported: `failed: ${error instanceof Error ? error.message : String(error)}` })}\n`;
  }
}

let rest = '';
process.stdin.setEncoding('utf8');
for await (const chunk of process.stdin) {
  rest += chunk;
  // A request may span many chunks: only the one that ends it is worth splitting.
  if (!chunk.includes('\n')) continue;
  const lines = rest.split('\n');
  rest = lines.pop() ?? '';
  const answers = lines.filter((line) => line.trim() !== '').map(answer);
  if (answers.length > 0 && !process.stdout.write(answers.join(''))) {
    await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}
if (rest.trim() !== '') process.stdout.write(answer(rest));
