// What pages in webviews share. They get data and words from the extension, and put texts in as texts only.

interface VsCode {
  postMessage(message: unknown): void;
}
declare function acquireVsCodeApi(): VsCode;

const editor = acquireVsCodeApi();

/** Tells the extension. */
export function tell(message: { readonly does: string } & Record<string, unknown>): void {
  editor.postMessage(message);
}

/** Draws whatever the extension sends, from the first time on. */
export function drawing<Sent>(draw: (sent: Sent) => void): void {
  window.addEventListener('message', ({ data }: MessageEvent<Sent>) => draw(data));
  tell({ does: 'ready' });
}

type Child = Node | string | undefined;

/** An element with attributes; what is undefined is left out. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

export function button(label: string, click: () => void, attributes: Readonly<Record<string, string>> = {}) {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', click);
  return made;
}

/** Puts children in place of what is there. The element with focus keeps it by its `data-key`. */
export function redraw(root: HTMLElement, ...children: readonly Child[]): void {
  const focused = document.activeElement?.getAttribute('data-key');
  root.replaceChildren(...children.filter((child) => child !== undefined));
  if (focused) root.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

/** `{0} of {1}` with its values. */
export function worded(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (_, i) => String(values[Number(i)]));
}
