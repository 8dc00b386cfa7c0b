/** Whoever reads no further, as `head` does, has seen enough, and not all: the shell's code for a closed pipe. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(141);
  });
}
