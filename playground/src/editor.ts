import { autocompletion, type Completion, type CompletionContext, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic as Lint, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import {
  type ChangeSet,
  EditorState,
  type Extension,
  RangeSet,
  StateEffect,
  StateField,
  type Text,
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  showTooltip,
  type Tooltip,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Diagnostic, Position, Range, TextEdit } from './client.ts';
import { markdown } from './words.ts';

/** What a file of the server can do in an editor; `name` says which file. */
export interface Language {
  changed(name: string, changes: readonly { readonly range: Range; readonly text: string }[], text: string): void;
  complete(name: string, at: Position): Promise<readonly Completed[]>;
  hover(
    name: string,
    at: Position,
  ): Promise<{ readonly source: string; readonly range: Range | undefined } | undefined>;
}

export interface Completed {
  readonly label: string;
  readonly detail?: string;
  readonly documentation?: { readonly value: string } | string;
  readonly insertText?: string;
  readonly textEdit?: TextEdit;
  readonly filterText?: string;
  readonly sortText?: string;
  readonly kind?: number;
}

/** A part of a text with a colour, from the server. */
export interface Colored {
  readonly start: Position;
  readonly length: number;
  readonly color: string;
}

export function offsetIn(text: Text, { line, character }: Position): number {
  if (line >= text.lines) return text.length;
  const { from, to } = text.line(line + 1);
  return Math.min(from + character, to);
}

export function positionIn(text: Text, offset: number): Position {
  const { number, from } = text.lineAt(offset);
  return { line: number - 1, character: offset - from };
}

const setColors = StateEffect.define<readonly Colored[]>();

const colors = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { changes, effects, newDoc }) => {
    const sent = effects.find((effect) => effect.is(setColors));
    if (!sent) return marks.map(changes);
    const ranges = (sent.value as readonly Colored[]).map(({ start, length, color }) => {
      const from = offsetIn(newDoc, start);
      return Decoration.mark({ class: `cel-${color}` }).range(from, Math.min(from + length, newDoc.length));
    });
    return RangeSet.of(
      ranges.filter(({ from, to }) => from < to),
      true,
    );
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** A card that the keyboard asked for; the next key or change takes it away. */
const setCard = StateEffect.define<Tooltip | null>();
const card = StateField.define<Tooltip | null>({
  create: () => null,
  update: (shown, { docChanged, selection, effects }) => {
    for (const effect of effects) if (effect.is(setCard)) return effect.value;
    return docChanged || selection ? null : shown;
  },
  provide: (field) => showTooltip.from(field),
});

/** The colours are variables of the style sheet, for light and dark. */
const yamlColors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], class: 'yaml-key' },
  { tag: tags.comment, class: 'yaml-comment' },
  { tag: tags.string, class: 'yaml-string' },
  { tag: [tags.keyword, tags.meta, tags.typeName, tags.labelName], class: 'yaml-meta' },
]);

const severities: Readonly<Record<number, Lint['severity']>> = { 1: 'error', 2: 'warning', 3: 'info', 4: 'hint' };

export class Editor {
  readonly view: EditorView;
  private readonly states = new Map<string, EditorState>();
  private readonly language: Language;
  private name = '';

  constructor(parent: HTMLElement, language: Language) {
    this.language = language;
    this.view = new EditorView({ parent });
  }

  get shown(): string {
    return this.name;
  }

  /** Shows a file; what was undone and where the cursor was stays with each. */
  show(name: string, text: string): void {
    if (this.name) this.states.set(this.name, this.view.state);
    this.name = name;
    const known = this.states.get(name);
    // The place of a card may still be due to be measured. It is in this text, not in the next: reading the layout measures it now.
    this.view.coordsAtPos(0);
    this.view.setState(known?.doc.toString() === text ? known : this.newState(name, text));
  }

  forget(name: string): void {
    this.states.delete(name);
    if (this.name === name) this.name = '';
  }

  forgetAll(): void {
    this.states.clear();
    this.name = '';
  }

  diagnose(diagnostics: readonly Diagnostic[], fixesOf: (one: Diagnostic) => readonly Fix[]): void {
    const { doc } = this.view.state;
    const marks = diagnostics.map((one): Lint => {
      const from = offsetIn(doc, one.range.start);
      return {
        from,
        to: Math.max(from, offsetIn(doc, one.range.end)),
        severity: severities[one.severity ?? 1]!,
        message: one.message,
        source: one.code ?? '',
        actions: fixesOf(one).map(({ title, apply }) => ({ name: title, apply })),
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  color(parts: readonly Colored[]): void {
    this.view.dispatch({ effects: setColors.of(parts) });
  }

  edit(edits: readonly TextEdit[]): void {
    const { doc } = this.view.state;
    this.view.dispatch({
      changes: edits.map(({ range, newText }) => ({
        from: offsetIn(doc, range.start),
        to: offsetIn(doc, range.end),
        insert: newText,
      })),
      userEvent: 'input.fix',
    });
  }

  reveal({ start, end }: Range): void {
    const { doc } = this.view.state;
    const [anchor, head] = [offsetIn(doc, start), offsetIn(doc, end)];
    this.view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    this.view.focus();
  }

  get cursor(): Position {
    return positionIn(this.view.state.doc, this.view.state.selection.main.head);
  }

  private newState(name: string, text: string): EditorState {
    const { language } = this;
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        lintGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of('  '),
        bracketMatching(),
        EditorView.lineWrapping,
        highlightActiveLine(),
        highlightActiveLineGutter(),
        yaml(),
        syntaxHighlighting(yamlColors),
        colors,
        card,
        autocompletion({ override: [(context) => completions(language, name, context)], icons: false }),
        hovers(language, name),
        // Tab leaves the editor, as everywhere on a page.
        keymap.of([
          { key: 'Alt-F1', run: (view) => showCard(view, language, name) },
          ...defaultKeymap,
          ...historyKeymap,
          ...foldKeymap,
          ...completionKeymap,
          ...lintKeymap,
        ]),
        EditorView.contentAttributes.of({ 'aria-label': `Text of ${name}`, 'aria-describedby': 'editor-keys' }),
        EditorView.updateListener.of(({ changes, docChanged, startState, state }) => {
          if (docChanged) language.changed(name, changesOf(startState.doc, changes), state.doc.toString());
        }),
      ],
    });
  }
}

export interface Fix {
  readonly title: string;
  readonly apply: () => void;
}

/** From the last to the first, so that each is in a text in which those before it have not moved. */
function changesOf(before: Text, changes: ChangeSet): { range: Range; text: string }[] {
  const all: { range: Range; text: string }[] = [];
  changes.iterChanges((fromA, toA, _fromB, _toB, inserted) => {
    const range = { start: positionIn(before, fromA), end: positionIn(before, toA) };
    all.unshift({ range, text: inserted.toString() });
  });
  return all;
}

async function completions(language: Language, name: string, context: CompletionContext) {
  const before = context.matchBefore(/[\w./$-]+/);
  const { doc } = context.state;
  const trigger = context.matchBefore(/[ :.]$/);
  if (!before && !trigger && !context.explicit) return null;
  const items = await language.complete(name, positionIn(doc, context.pos));
  if (context.aborted || items.length === 0) return null;
  const starts = items.flatMap(({ textEdit }) => (textEdit ? [offsetIn(doc, textEdit.range.start)] : []));
  const from = starts.length > 0 ? Math.min(...starts) : (before?.from ?? context.pos);
  const sorted = [...items].sort((a, b) => ((a.sortText ?? a.label) < (b.sortText ?? b.label) ? -1 : 1));
  return { from, options: sorted.map((item, i) => option(item, doc, -i)), validFor: /^[\w./$-]*$/ };
}

function option(item: Completed, doc: Text, boost: number): Completion {
  const { label, detail, documentation, textEdit, insertText } = item;
  const source = typeof documentation === 'string' ? documentation : documentation?.value;
  return {
    label,
    boost: Math.max(boost, -99),
    ...(detail !== undefined && { detail }),
    ...(source && { info: () => markdown(source) }),
    apply: (view, _, from, to) => {
      const insert = textEdit?.newText ?? insertText ?? label;
      // What was typed since the answer is behind its range.
      const start = textEdit ? offsetIn(doc, textEdit.range.start) : from;
      view.dispatch({
        changes: { from: start, to, insert },
        selection: { anchor: start + insert.length },
        userEvent: 'input.complete',
      });
    },
  };
}

function hovers(language: Language, name: string): Extension {
  return hoverTooltip((view, pos) => tooltipAt(view, language, name, pos), { hoverTime: 250 });
}

async function tooltipAt(view: EditorView, language: Language, name: string, pos: number): Promise<Tooltip | null> {
  const { doc } = view.state;
  const found = await language.hover(name, positionIn(doc, pos));
  if (!found) return null;
  const { source, range } = found;
  const dom = await markdown(source);
  dom.classList.add('card');
  if (view.state.doc !== doc) return null;
  return {
    pos: range ? offsetIn(doc, range.start) : pos,
    ...(range && { end: offsetIn(doc, range.end) }),
    create: () => ({ dom }),
  };
}

function showCard(view: EditorView, language: Language, name: string): boolean {
  void tooltipAt(view, language, name, view.state.selection.main.head).then((shown) =>
    view.dispatch({ effects: setCard.of(shown) }),
  );
  return true;
}
