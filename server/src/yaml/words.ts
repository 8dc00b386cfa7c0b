/** The reader's errors in words for a person: what is wrong, and what to do. */
const words: Readonly<Record<string, string>> = {
  "could not find expected ':'": 'A key needs a colon after it.',
  'mapping values are not allowed in this context':
    'A colon followed by a space starts a value, but there is no key here. Quote the text, or start a new line.',
  'block sequence entries are not allowed in this context': 'A list item must start on a line of its own.',
  'mapping keys are not allowed in this context': 'A `?` key must start on a line of its own.',
  'found character that cannot start any token':
    'This character cannot start a value. Quote the text; indent with spaces, not with tabs.',
  'found a tab character that violates indentation': 'Indent with spaces, not with tabs.',
  'found a tab character where an indentation space is expected': 'Indent the text with spaces, not with tabs.',
  'found unexpected end of stream': 'The quote is not closed.',
  'found unexpected document indicator': 'The quote is not closed before the document ends.',
  'found unknown escape character': 'There is no such escape. Write `\\\\` for a backslash, or use single quotes.',
  'did not find expected hexdecimal number': 'The escape needs hexadecimal digits.',
  'found invalid Unicode character escape code': 'There is no such character.',
  'did not find expected comment or line break': 'Nothing but a comment may follow on this line.',
  'found an indentation indicator equal to 0': 'The indentation of a block scalar must be at least 1.',
  'did not find expected alphabetic or numeric character':
    'The name of an anchor consists of letters, digits, `_` and `-`.',
  'did not find expected whitespace or line break': 'A space must follow the tag.',
  'did not find expected tag URI': 'The tag has no name.',
  "did not find the expected '>'": 'The tag is not closed with `>`.',
  'found undefined tag handle': 'The tag uses a handle that no %TAG line defines.',
  'did not find expected key': 'A key of the map is expected here. Check the indentation.',
  "did not find expected '-' indicator": 'The next list item (`- `) is expected here. Check the indentation.',
  "did not find expected ',' or ']'": 'The list needs a comma between its items and a `]` at its end.',
  "did not find expected ',' or '}'": 'The map needs a comma between its pairs and a `}` at its end.',
  'did not find expected node content': 'A value is expected here.',
  'did not find expected <document start>':
    'Lines that start with `%` must be followed by `---`, which kubectl treats as the end of the document.',
  'found unknown directive name':
    'A line that starts with `%` is a directive, and only %YAML and %TAG exist. Quote the text.',
  'found incompatible YAML document': 'Kubernetes reads YAML 1.1 only.',
  'found duplicate %YAML directive': 'There is a second %YAML line.',
  'found duplicate %TAG directive': 'There is a second %TAG line for the same handle.',
  'control characters are not allowed':
    'This control character is not allowed in YAML. In double quotes it can be written as an escape.',
};

export function wordProblem(text: string): string {
  const known = Object.hasOwn(words, text) ? words[text] : undefined;
  if (known !== undefined) return known;
  const anchor = /^unknown anchor '(.*)' referenced$/.exec(text)?.[1];
  if (anchor !== undefined) return `There is no anchor \`&${anchor}\` before this.`;
  const depth = /^exceeded max depth of (\d+)$/.exec(text)?.[1];
  if (depth !== undefined) return `The document is nested more than ${depth} levels deep.`;
  return `The YAML cannot be read: ${text}.`;
}
