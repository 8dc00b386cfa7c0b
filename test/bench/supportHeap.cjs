// Loaded into a server before it starts: at a signal it writes what its heap holds after a collection.
const { writeFileSync } = require('node:fs');

process.on('SIGUSR2', () => {
  globalThis.gc();
  writeFileSync(process.env.KUBE_CRD_HEAP, String(process.memoryUsage().heapUsed));
});
