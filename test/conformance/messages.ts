import { readFileSync } from 'node:fs';
import path from 'node:path';
import { conformanceFolder } from './cases.ts';

interface Message {
  readonly section: string;
  readonly op: string;
  readonly pattern: RegExp;
  hits: number;
}

interface Parsed {
  readonly decode?: string;
  readonly errors?: readonly { type: string; field: string; message: string }[];
  readonly warnings?: readonly string[];
  readonly strict?: readonly string[];
  readonly cel?: { readonly issues?: string; readonly error?: string };
}

/** Counts which of the API server's messages (messages.tsv) some answers contain. */
export function messageCoverage(): { add(op: string, answer: Parsed): void; report(): string; missing(): string[] } {
  const messages = readMessages();
  const missing = () => messages.filter((m) => m.hits === 0).map((m) => `${m.section}\t${m.op}\t${m.pattern.source}`);
  return {
    add: (op, answer) => {
      for (const text of texts(answer)) {
        for (const message of messages) if (op.startsWith(message.op) && message.pattern.test(text)) message.hits++;
      }
    },
    report: () => `messages seen: ${messages.length - missing().length} of ${messages.length}`,
    missing,
  };
}

function readMessages(): Message[] {
  const rows = readFileSync(path.join(conformanceFolder, 'messages.tsv'), 'utf8').split('\n');
  return rows
    .filter((row) => row !== '' && !row.startsWith('#'))
    .map((row) => {
      const [section, op, pattern] = row.split('\t');
      return { section: section!, op: op!, pattern: new RegExp(pattern!, 's'), hits: 0 };
    });
}

/** Each message of an answer in the form that the patterns are written for: `KIND TEXT @FIELD`. */
function texts(answer: Parsed): string[] {
  const cel = answer.cel;
  return [
    ...(answer.decode === undefined ? [] : [`D ${answer.decode}`]),
    ...(answer.errors ?? []).map((error) => `E ${error.type}: ${error.message} @${error.field}`),
    ...(answer.warnings ?? []).map((warning) => `W ${warning}`),
    ...(answer.strict ?? []).map((strict) => `S ${strict}`),
    ...issuesIn(cel?.issues ?? '').map((issue) => `I ${issue}`),
    ...(cel?.error === undefined ? [] : [`R ${cel.error}`]),
  ];
}

/** The single complaints of cel-go's text, without their places. */
function issuesIn(text: string): string[] {
  return text.split(/^ERROR: <input>:-?\d+:-?\d+: /m).filter((issue) => issue !== '');
}
