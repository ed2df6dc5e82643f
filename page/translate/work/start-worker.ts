/** The addresses of the page's workers; the build says their names. */
function workerUrl(name: string): string {
  const file = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  return new URL(file, location.href.replace(/[?#].*$/, '')).href;
}

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL(name: string): string },
  ): { createScriptURL(name: string): unknown };
}

let urlOf: ((name: string) => unknown) | undefined;

/**
 * Starts a worker of the page. Where browsers ask that addresses of scripts are trusted, those of these are, and no others. `failed` hears
 * of what the worker did not catch, in its words, or with none that there is no worker, since it cannot be loaded.
 */
export function startWorker(name: 'worker' | 'traffic-worker', failed: (words: string | undefined) => void): Worker {
  if (urlOf === undefined) {
    const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies };
    const policy = trustedTypes?.createPolicy('worker', { createScriptURL: workerUrl });
    urlOf = (own) => policy?.createScriptURL(own) ?? workerUrl(own);
  }
  const worker = new Worker(urlOf(name) as string, { type: 'module' });
  // The event of a script that cannot be loaded is a plain one.
  worker.onerror = (event: Event) => failed(event instanceof ErrorEvent ? event.message : undefined);
  return worker;
}
