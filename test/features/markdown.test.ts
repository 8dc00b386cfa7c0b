import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  blocks,
  code,
  fenced,
  link,
  list,
  type Markdown,
  md,
  own,
  plainText,
  prose,
  table,
  text,
  words,
} from '../../server/src/features/words/markdown.ts';
import { readers } from '../support/markdownReaders.ts';

/** What readers make of it that is more than text. */
const seen = ({ source }: Markdown) => Object.values(readers).flatMap((read) => read(source));

/** Texts that were links, pictures or HTML where they were put into Markdown as they are. */
const hostile = [
  '[x\\](command:a)',
  '\\<command:a>',
  '> [r]: command:a\n\n[r]',
  '- [r]: command:a\n\n[r]',
  '1. [r]: command:a\n\n[r]',
  '[a\nb]: command:a\n\n[a b]',
  '[a\\]b]: command:a\n\n[a\\]b]',
  '![x](https://example.com/x.png)',
  '<img src=https://example.com/x.png>',
  '<iframe src="https://example.com">',
  '<a href=command:a>x</a>',
  'https://example.com and www.example.com and HTTP://EXAMPLE.COM and //example.com',
  'a@example.com, mailto:a@example.com, xmpp:a@example.com',
  '&#60;img src=x&#62; &lbrack;x](command:a)',
  '`a` [x](command:a) ``',
  '` [x](command:a)',
  '```\n[x](command:a)\n```\n[x](command:a)',
  '~~~\n~~~\n<b>',
  '    code\n[x](command:a)',
  '| a |\n|---|\n| [x](command:a) |',
  '\t<b>',
  'a\n===\n---\n<!-- x -->',
  '<!DOCTYPE x><![CDATA[x]]><?x?>',
  '\\',
  '``',
  'a ![b](2) # ](',
  '',
];

test('the readers see what there is to see', () => {
  const all: readonly (readonly [markdown: string, seen: readonly string[]])[] = [
    ['[x](command:a)', ['link href=command:a']],
    ['![x](y.png)', ['picture src=y.png']],
    ['a <b> c', ['html <b>']],
    ['<div>\n', ['html <div>\n']],
    ['- > [x](y)', ['link href=y']],
    ['| a |\n|---|\n| [x](y) |', ['link href=y']],
  ];
  for (const [markdown, wanted] of all) {
    assert.deepEqual(readers.preview!(markdown), wanted, markdown);
    assert.equal(readers.card!(markdown).length, 1, markdown);
  }
  assert.equal(readers.commonmark!('<https://example.com>').length, 1);
  for (const address of ['https://example.com', 'a@example.com'])
    for (const read of [readers.preview!, readers.card!]) assert.equal(read(`see ${address} there`).length, 1, address);
  assert.equal(readers.card!('see www.example.com').length, 1);
});

test('no text of a document becomes a link, a picture or HTML, whatever it is put into', () => {
  for (const one of hostile) {
    const ways: Readonly<Record<string, Markdown>> = {
      text: text(one),
      words: words(one),
      prose: prose(one),
      code: code(one),
      fenced: fenced('yaml', one),
      framed: md`**${one}** · ${code(one)}${text(one)}${words(one)}*${one}*`,
      list: list([text(one), words(one), code(one)]),
      blocks: blocks(md`# ${one}`, prose(one), prose(one), text(one)),
    };
    for (const [way, markdown] of Object.entries(ways))
      assert.deepEqual(seen(markdown), [], `${way} ${markdown.source}`);
    const cells = table([one, 'b'], [[code(one), words(one)]]);
    assert.deepEqual(seen(cells), [], cells.source);
  }
});

test('a link leads where we say, whatever its label and its address hold', () => {
  for (const one of hostile.filter((label) => label !== '')) {
    const found = readers.commonmark!(link(one, 'https://a/b.yaml#L1').source);
    assert.deepEqual(found, ['link href=https://a/b.yaml#L1'], one);
    assert.deepEqual(readers.card!(link(`!${one}`, 'https://a/b.yaml#L1').source), found, one);
    for (const way of readers.commonmark!(link('a', `https://a/${one}`).source))
      assert.match(way, /^link href=https:\/\/a\//);
  }
});

test('what people write is shown as they meant it, as far as that is text, lists and code', () => {
  const written =
    'Use `a|b` or *c*:\n\n- one\n- `two`\n  goes on\n\n1. first\n\n    key: value\n\n```yaml\na: <b>\n```\nThe end.';
  assert.equal(
    prose(written).source,
    'Use `a|b` or \\*c\\*:\n\n- one\n- `two`\ngoes on\n\n1. first\n\n```\nkey: value\n```\n\n```\na: <b>\n```\n\nThe end.',
  );
  assert.equal(text('1. a').source, '1\\. a');
  assert.equal(text('# a').source, '\\# a');
  assert.equal(text('a.b/c-d_e: "f" (g)').source, 'a.b/c-d_e: "f" (g)');
});

test('plain text is what was put in', () => {
  for (const one of ['a | b', '<b> & [c](d)', '2 * 3', 'https://example.com', '`']) {
    assert.equal(text(one).plain, one);
    assert.equal(code(one).plain, one);
    assert.equal(md`**${one}** of ${code(one)}`.plain, `${one} of ${one}`);
  }
  assert.equal(prose('Use `a`:\n\n- b').plain, 'Use a:\n\n- b');
  assert.equal(own('**a** `b`').plain, 'a b');
});

test('code holds whatever backquotes there are', () => {
  assert.equal(code('a').source, '`a`');
  assert.equal(code('a`[x](command:y)`b').source, '`` a`[x](command:y)`b ``');
  assert.equal(code('a\n  b').source, '`a b`');
  assert.equal(code('').source, '`  `');
});

test('no control character is left in Markdown', () => {
  const controls = '\u001b[31ma\r\u0007\u202eb\u2066';
  for (const one of [text(controls), words(controls), prose(controls), code(controls), fenced('', controls)])
    assert.doesNotMatch(one.source, /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u2066]/);
});

test('plain text keeps the words', () => {
  assert.equal(
    plainText('`a` · **b**\n\n```yaml\nc: 1\n```\n*d* [e](f)'),
    'a · b\n\nc: 1\n```\nd e'.replace('```\n', ''),
  );
});
