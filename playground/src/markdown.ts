// The script of the page that is loaded by the first card or page: dist/playground/markdown.js.
import { lexer, type Token, type Tokens } from 'marked';
import { element } from './dom.ts';

Object.assign(globalThis, { kubeCrdMarkdown: markdown });

/** Markdown of the server, as elements. HTML in it stays text, and links lead to https or nowhere. */
function markdown(source: string): HTMLElement {
  return element('div', { class: 'markdown' }, ...blocks(lexer(source)));
}

function blocks(tokens: readonly Token[]): Node[] {
  return tokens.flatMap((token) => block(token) ?? []);
}

function block(token: Token): Node | undefined {
  switch (token.type) {
    case 'space':
    case 'def':
      return undefined;
    case 'heading':
      return element('h4', {}, ...spans(token.tokens));
    case 'paragraph':
      return element('p', {}, ...spans(token.tokens));
    case 'code':
      return element('pre', {}, element('code', {}, token.text as string));
    case 'blockquote':
      return element('blockquote', {}, ...blocks(token.tokens ?? []));
    case 'hr':
      return element('hr');
    case 'list': {
      const { ordered, items } = token as Tokens.List;
      return element(ordered ? 'ol' : 'ul', {}, ...items.map(({ tokens }) => element('li', {}, ...blocks(tokens))));
    }
    case 'table':
      return table(token as Tokens.Table);
    case 'text':
      return element('span', {}, ...spans(token.tokens ?? [token]));
    default:
      return document.createTextNode(token.raw);
  }
}

function table({ header, rows }: Tokens.Table): Node {
  const cells = (tag: 'th' | 'td', row: readonly Tokens.TableCell[]) =>
    element('tr', {}, ...row.map(({ tokens }) => element(tag, {}, ...spans(tokens))));
  return element(
    'table',
    {},
    element('thead', {}, cells('th', header)),
    element('tbody', {}, ...rows.map((row) => cells('td', row))),
  );
}

function spans(tokens: readonly Token[] = []): Node[] {
  return tokens.map(span);
}

function span(token: Token): Node {
  switch (token.type) {
    case 'strong':
      return element('strong', {}, ...spans(token.tokens));
    case 'em':
      return element('em', {}, ...spans(token.tokens));
    case 'codespan':
      return element('code', {}, token.text as string);
    case 'br':
      return element('br');
    case 'link': {
      const { href, tokens } = token as Tokens.Link;
      if (!href.startsWith('https://')) return element('span', {}, ...spans(tokens));
      return element('a', { href, rel: 'noopener noreferrer', target: '_blank' }, ...spans(tokens));
    }
    case 'escape':
      return document.createTextNode(token.text as string);
    case 'text':
      return token.tokens
        ? element('span', {}, ...spans(token.tokens))
        : document.createTextNode(unescaped(token.text));
    default:
      return document.createTextNode(unescaped(token.raw));
  }
}

/** The characters that our Markdown names so that they cannot begin HTML. */
const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', nbsp: '\u00a0' };

function unescaped(text: string): string {
  return text.replace(/&(?:(lt|gt|amp|quot|nbsp)|#(\d{1,6}));/g, (_, name: string | undefined, code: string) =>
    name === undefined ? String.fromCodePoint(Number(code)) : named[name]!,
  );
}
