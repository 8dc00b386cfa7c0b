import { onOneLine } from '../base/text.ts';

/**
 * Texts of documents inside Markdown of ours. Whoever wrote a CRD must not load pictures from the network, or offer
 * commands of the editor, in the cards of those who read it.
 */

const link =
  /!\[|\](?=\([ \t]*<?(?!https?:|mailto:|#))|^([ \t]*)\[(?=[^\]\n\r\u2028\u2029]*\]:)|<(?=[a-z][\w+.-]*:)(?!https?:|mailto:)/gim;

/** Markdown of a document, without pictures, and without links to anything but pages. */
export function untrusted(markdown: string): string {
  return markdown.replace(link, (found, indent: string | undefined) => {
    if (found === '![') return '!\\[';
    return indent === undefined ? `\\${found}` : `${indent}\\[`;
  });
}

/** A text as code on one line, whatever backquotes it holds. */
export function code(text: string): string {
  const line = onOneLine(text);
  const longest = longestFence(line);
  const fence = '`'.repeat(1 + longest);
  return longest === 0 ? `\`${line}\`` : `${fence} ${line} ${fence}`;
}

/** A text as code on lines of its own, which nothing in it ends. */
export function fenced(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, 1 + longestFence(text)));
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

function longestFence(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

/** Markdown as plain text, for editors that show no other. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/^```.*\n?/gm, '')
    .replace(/(\*{1,2})([^*\n]+)\1/g, '$2')
    .replace(/`([^`\n]+)`/g, '$1')
    .replace(/\[([^[\]\n]+)\]\([^()[\]\n]*\)/g, '$1')
    .replace(/\\([[\]<!])/g, '$1')
    .trim();
}
