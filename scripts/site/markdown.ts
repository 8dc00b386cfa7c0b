import { Marked, type Tokens } from 'marked';

/** A part of a page under one heading, as the search looks at it. */
export interface Section {
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
}

export interface MadePage {
  readonly title: string;
  /** Without its first heading's element. */
  readonly html: string;
  readonly sections: readonly Section[];
}

/** As GitHub makes it from a heading, so that links of the docs fit. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[letter]};`);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where links and pictures of a page are on the site. */
export interface Places {
  linkOf(href: string): string;
  /** So that a page does not move while its pictures come. */
  sizeOf(href: string): Size;
}

/** A page of Markdown, with its links led to where they are on the site. */
export function madePage(source: string, { linkOf, sizeOf }: Places): MadePage {
  const sections: { anchor: string; heading: string; text: string }[] = [];
  const taken = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const words = plain(text);
        const times = taken.get(anchorOf(words)) ?? 0;
        taken.set(anchorOf(words), times + 1);
        const anchor = times === 0 ? anchorOf(words) : `${anchorOf(words)}-${times}`;
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escaped(linkOf(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        const { width, height } = sizeOf(href);
        const places = `src="${escaped(linkOf(href))}" alt="${escaped(text)}"`;
        return `<img ${places} width="${width}" height="${height}" loading="lazy">`;
      },
      code({ text, lang }: Tokens.Code) {
        const shown = /^ya?ml/.test(lang ?? '') ? coloredYaml(text) : escaped(text);
        return `<pre tabindex="0"><code>${shown}</code></pre>\n`;
      },
    },
    hooks: { postprocess: (html) => html.replace(/<table>[\s\S]*?<\/table>/g, '<div class="table">$&</div>') },
  });
  const html = marked.parse(source, { async: false });
  let fence = '';
  for (const line of source.split('\n')) {
    const mark = /^ *(`{3,})/.exec(line)?.[1] ?? '';
    if (mark !== '' && (fence === '' || mark === fence)) fence = fence === '' ? mark : '';
    const heading = fence === '' ? /^#{1,6} +(.+)$/.exec(line)?.[1] : undefined;
    if (heading === undefined) sections.at(-1)!.text += `${plain(line)} `;
    else
      sections.push({
        anchor: sections.length === 0 ? '' : anchorOf(plain(heading)),
        heading: plain(heading),
        text: '',
      });
  }
  return {
    title: sections[0]!.heading,
    html,
    sections: sections.map((one) => ({ ...one, text: one.text.replace(/\s+/g, ' ').trim() })),
  };
}

/** The words of a line, without its marks. */
function plain(line: string): string {
  return line
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|]/g, '')
    .replace(/^[-#> ]+/, '');
}

/** Keys and comments, as far as a line by itself says which they are. */
function coloredYaml(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const [, before = '', key = '', rest = ''] = /^([\s-]*)([\w./$"'-]+:(?= |$))?(.*)$/.exec(line) ?? [];
      const comment = /(?:^|\s)#.*$/.exec(rest);
      const value = comment ? rest.slice(0, comment.index) : rest;
      const mark = (name: string, part: string) => (part === '' ? '' : `<span class="${name}">${escaped(part)}</span>`);
      return `${escaped(before)}${mark('k', key)}${escaped(value)}${mark('c', comment?.[0] ?? '')}`;
    })
    .join('\n');
}
