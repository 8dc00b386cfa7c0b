/** How long typing must pause before open files are judged anew for a client that does not ask by itself. */
const pauseMs = 150;

/** Runs something after a pause; a newer call with the same name replaces an older one. */
export function debouncer(): (name: string, run: () => void) => void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  return (name, run) => {
    clearTimeout(timers.get(name));
    const timer = setTimeout(() => {
      timers.delete(name);
      run();
    }, pauseMs);
    timers.set(name, timer);
  };
}
