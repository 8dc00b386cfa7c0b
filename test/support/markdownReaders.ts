import MarkdownIt from 'markdown-it';
import { Marked, type Token } from 'marked';

/** What Markdown became that is more than text, as a reader of it sees it: links, pictures and HTML. */
export type Readers = Readonly<Record<string, (markdown: string) => readonly string[]>>;

const preview = new MarkdownIt({ html: true, linkify: true });
// As previews of editors set it: names of hosts without a scheme are no links.
preview.linkify.set({ fuzzyLink: false });
const plainCommonMark = new MarkdownIt('commonmark');
const marked = new Marked({ gfm: true });

/** CommonMark alone, with GitHub's additions as in previews of editors, and as in their cards. */
export const readers: Readers = {
  commonmark: (markdown) => inPreview(plainCommonMark, markdown),
  preview: (markdown) => inPreview(preview, markdown),
  card: (markdown) => [...inCard(marked.lexer(markdown))],
};

type PreviewToken = ReturnType<MarkdownIt['parse']>[number];

function inPreview(reader: MarkdownIt, markdown: string): string[] {
  const walk = (tokens: readonly PreviewToken[]): string[] =>
    tokens.flatMap((token) => {
      const own = seenIn(token);
      return [...(own === undefined ? [] : [own]), ...walk(token.children ?? [])];
    });
  return walk(reader.parse(markdown, {}));
}

function seenIn(token: PreviewToken): string | undefined {
  const { type, content } = token;
  if (type === 'link_open') return `link href=${token.attrGet('href')}`;
  if (type === 'image') return `picture src=${token.attrGet('src')}`;
  return type === 'html_inline' || type === 'html_block' ? `html ${content}` : undefined;
}

function* inCard(tokens: readonly Token[]): Generator<string> {
  for (const token of tokens) {
    if (token.type === 'link') yield `link href=${token.href}`;
    else if (token.type === 'image') yield `picture src=${token.href}`;
    else if (token.type === 'html') yield `html ${token.raw}`;
    else if (token.type === 'def') yield `link ${token.raw}`;
    if ('tokens' in token && token.tokens) yield* inCard(token.tokens);
    if (token.type === 'list') yield* inCard(token.items);
    if (token.type === 'table')
      for (const row of [token.header, ...token.rows]) for (const cell of row) yield* inCard(cell.tokens);
  }
}
