/**
 * Text that a template engine still has to fill in. Nothing is said about such text, since nobody knows what it
 * becomes; but charts often wrap a whole CRD in `{{- if … }}` lines, and such a CRD is still good to know.
 */

const action = /\{\{[\s\S]*?\}\}/;
const actionOnlyLine = /^[ \t]*(?:\{\{-?[^\r\n]*?-?\}\}[ \t]*)+$/gm;
const jinjaLine = /^[ \t]*\{%/m;

export function isTemplate(text: string, uri: string, languageId: string | undefined): boolean {
  if (languageId === 'helm') return true;
  if (!text.includes('{{') && !text.includes('{%')) return false;
  // A CRD's description may quote a template; a line that is nothing but an action, or a chart's folder, may not.
  return (
    new RegExp(actionOnlyLine.source, 'm').test(text) ||
    jinjaLine.test(text) ||
    (uri.includes('/templates/') && action.test(text)) ||
    unquotedAction(text)
  );
}

/** An action as (part of) a plain value, such as `name: {{ .Release.Name }}-x`. */
function unquotedAction(text: string): boolean {
  return /^[ \t]*(?:- +)?[\w./"'-]+:[ \t]+(?![|>'"])\S*\{\{/m.test(text) || /^[ \t]*- +\{\{/m.test(text);
}

/** The text with lines that are nothing but template actions blanked out, every other place unmoved. */
export function blankTemplateLines(text: string): string {
  return text.replace(actionOnlyLine, (line) => ' '.repeat(line.length));
}
