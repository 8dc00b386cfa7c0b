// Elements are made here, and texts get into them as texts only: what a link holds can never become markup.

type Child = Node | string | undefined | false;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

export function button(
  label: string | readonly Child[],
  click: () => void,
  attributes: Readonly<Record<string, string | undefined>> = {},
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, ...(typeof label === 'string' ? [label] : label));
  made.addEventListener('click', click);
  return made;
}

/** A text of the server, with what is between backticks as code. */
export function withCode(text: string): Child[] {
  return text.split(/`([^`\n]+)`/).map((part, i) => (i % 2 === 1 ? element('code', {}, part) : part));
}

export function byId<Wanted extends HTMLElement = HTMLElement>(id: string): Wanted {
  return document.getElementById(id) as Wanted;
}

/** Puts children in place of what is there. The element with focus keeps it by its `data-key`. */
export function redraw(parent: HTMLElement, ...children: readonly Child[]): void {
  const focused = parent.contains(document.activeElement) && document.activeElement?.getAttribute('data-key');
  parent.replaceChildren(...children.filter((child) => child !== undefined && child !== false));
  if (focused) parent.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

/** The arrow keys, Home and End go through the tabs of a list, of which only the chosen one is in the order of Tab. */
export function arrowsThrough(list: HTMLElement): void {
  list.addEventListener('keydown', (event) => {
    const tabs = [...list.querySelectorAll<HTMLElement>('[role=tab]:not([hidden])')];
    const at = tabs.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (at === -1 || to === undefined) return;
    event.preventDefault();
    const wanted = tabs.at(to % tabs.length)!;
    const { id } = wanted;
    wanted.click();
    // A click may have drawn the list anew.
    document.getElementById(id)?.focus();
  });
}
