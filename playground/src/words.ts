import { loadScript } from './loadScript.ts';

declare global {
  var kubeCrdMarkdown: ((source: string) => HTMLElement) | undefined;
}

let loading: Promise<void> | undefined;

/** Markdown of the server, as elements. What draws it is loaded with the first. */
export async function markdown(source: string): Promise<HTMLElement> {
  if (!globalThis.kubeCrdMarkdown) {
    loading ??= loadScript('markdown.js');
    await loading;
  }
  return globalThis.kubeCrdMarkdown!(source);
}
