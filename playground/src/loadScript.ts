/** Runs a script that lies beside the page. */
export function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${script.src} is not there`));
    document.head.append(script);
  });
}
