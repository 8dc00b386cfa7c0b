import type { Ask } from './generator.ts';

/** Smaller requests of the same kind, the most daring cuts first. */
export function* smaller(ask: Ask): Generator<Ask> {
  for (const [member, value] of Object.entries(ask)) {
    if (member === 'op') continue;
    for (const cut of cuts(value)) yield { ...ask, [member]: cut };
  }
}

function* cuts(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield* stringCuts(value);
  else if (Array.isArray(value)) yield* listCuts(value);
  else if (value instanceof Map) yield* mapCuts(value);
  else if (typeof value === 'object' && value !== null && !('rawJson' in value)) {
    for (const map of mapCuts(new Map(Object.entries(value)))) yield Object.fromEntries(map as Map<string, unknown>);
  }
}

function* stringCuts(text: string): Generator<string> {
  yield* lineCuts(text);
  for (let size = text.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at + size <= text.length; at += size) yield text.slice(0, at) + text.slice(at + size);
  }
}

export function* lineCuts(text: string): Generator<string> {
  const lines = text.split('\n');
  for (let size = lines.length >> 1; size >= 1; size >>= 1) {
    for (let i = 0; i < lines.length; i += size) yield [...lines.slice(0, i), ...lines.slice(i + size)].join('\n');
  }
}

function* listCuts(items: readonly unknown[]): Generator<unknown> {
  for (let i = 0; i < items.length; i++) yield items.filter((_, at) => at !== i);
  for (const [i, item] of items.entries()) {
    for (const cut of cuts(item)) yield items.map((other, at) => (at === i ? cut : other));
  }
}

function* mapCuts(map: ReadonlyMap<unknown, unknown>): Generator<unknown> {
  for (const key of map.keys()) yield new Map([...map].filter(([other]) => other !== key));
  for (const [key, item] of map) {
    for (const cut of cuts(item)) yield new Map([...map].map(([k, v]) => [k, k === key ? cut : v]));
  }
}
