const signals = ['SIGINT', 'SIGTERM'] as const;

/** Does something that a user may end: instead of the program ending at once, the signal tells. */
export async function interruptible<T>(use: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const end = () => ended.abort();
  for (const signal of signals) process.on(signal, end);
  try {
    return await use(ended.signal);
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}
