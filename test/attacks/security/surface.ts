import { routes } from '../../../src/routes/index.js';

/** One request for a route of the gateway, as the router table has it. */
export interface Probe {
  /** Method and path as documented. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Needs no key. */
  readonly open: boolean;
  /** Absent where the method takes none. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Every route with every method it takes; what stands in braces is `model` or an id that nobody was given. */
export function probesOf(model: string): Probe[] {
  return routes.flatMap(({ methods, path, open }) =>
    methods.map((method) => ({
      name: `${method} ${path}`,
      method,
      path: path
        .replace('/models/{id}', `/models/${model}`)
        .replace('{model}', model)
        .replace(/\{\w+\}/, 'resp_il0123456789abcdef'),
      open: open === true,
      ...(method === 'POST' && { body: bodyFor(model) }),
    })),
  );
}

/** What every route that takes JSON can read: a new one is probed without anybody having to think of it. */
function bodyFor(model: string): Record<string, unknown> {
  return {
    model,
    max_tokens: 16,
    messages: [{ role: 'user', content: 'Hello' }],
    input: 'Hello',
    contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
    prompt: 'Hello',
  };
}
