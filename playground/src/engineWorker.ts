/**
 * Starts the engine. A page that is opened as a file may not make a worker of another file, but a worker of its own text may
 * load one.
 */
export function startEngine(): Worker {
  const home = new URL('.', location.href).href;
  const text = `kubeCrdHome = ${JSON.stringify(home)}; importScripts(kubeCrdHome + 'engine.js');`;
  const blob = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  return new Worker(blob);
}
