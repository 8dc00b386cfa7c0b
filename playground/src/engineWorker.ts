/**
 * Starts the engine. A page that is opened as a file may not make a worker of another file, but a worker of its own text may
 * load one.
 */
export function startEngine(): Worker {
  const address = new URL('engine.js', location.href).href;
  const text = `importScripts(${JSON.stringify(address)});`;
  const blob = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  return new Worker(blob);
}
