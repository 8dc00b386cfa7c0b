/** What goyaml.v3 says of a text that is not YAML: the lines that it names are others than those of v2. */
import type { YamlDocument } from '../../yaml/document.ts';
import { linesBefore } from '../../yaml/place.ts';

/** Errors of the grammar, whose lines are counted from 0. */
const ofGrammar =
  /^(?:did not find expected (?:key|'-' indicator|node content|',' or|<document)|found (?:undefined tag handle|duplicate %|incompatible YAML))/;

export function yamlError({ text, readerError, problems }: YamlDocument): string {
  const message = readerError!.text.replace(/^yaml: (?:line \d+: )?/, '');
  const start = problems[0]?.range.start;
  if (start === undefined) return readerError!.text;
  if (message.startsWith('control characters') || message.startsWith('unknown anchor')) return `yaml: ${message}`;
  const context = linesBefore(text, readerError!.context ?? start);
  const isOfGrammar = ofGrammar.test(message);
  const line = context !== 0 ? context : problemLine(readerError!.line, isOfGrammar);
  return line === 0 ? `yaml: ${message}` : `yaml: line ${isOfGrammar ? line : line + 1}: ${message}`;
}

/** From 0; v2 names the line of the problem. */
function problemLine(line: number | undefined, isOfGrammar: boolean): number {
  if (line === undefined) return 0;
  return isOfGrammar ? line : line - 1;
}
