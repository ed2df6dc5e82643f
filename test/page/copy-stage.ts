import type { Copied } from '../../page/translate/sdk/index.js';
import { translateRequest } from '../../translators/index.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import { examples } from './examples.js';

/** A request of the page's examples as a target gets it. */
export interface CopiedExample extends Copied {
  readonly name: string;
}

/** Names of models that the simulator has no opinion on, and the vendors' tables have. */
const MODELS: Readonly<Record<FakeDialectName, string>> = {
  messages: 'claude-opus-4-5',
  responses: 'gpt-5.2',
  generateContent: 'gemini-2.5-flash',
  chatCompletions: 'gpt-4.1',
};

/** Every request of the examples in every dialect that can say it, whole and as a stream. */
export function copiedExamples(): CopiedExample[] {
  return examples
    .filter(({ kind }) => kind === 'request')
    .flatMap(({ name, dialect, body }, index) =>
      FAKE_DIALECTS.flatMap((to): CopiedExample[] => {
        const from = FAKE_DIALECTS.find((id) => id === dialect);
        if (from === undefined) return [];
        // Every second one is streamed.
        const stream = index % 2 === 1;
        const asked = 'model' in Object(body) ? { ...Object(body), stream } : body;
        try {
          const sent = translateRequest({ from, to, body: asked, model: MODELS[to], stream });
          return [{ name: `${name}, ${from} to ${to}`, dialect: to, ...sent }];
        } catch {
          return [];
        }
      }),
    );
}

const SIGNS = `'"\\ \`\${1} $HOME $(x) %d {0} </script> \u2028 \u0000 \u{1f600} \\u0041 \n\t'''"""\\`;

/** Bodies whose texts mean something to a shell, a program or a page. */
export const HOSTILE: readonly CopiedExample[] = [
  {
    name: 'texts that are code, in messages',
    dialect: 'messages',
    body: { model: SIGNS, max_tokens: 1, messages: [{ role: 'user', content: SIGNS }], [SIGNS]: [SIGNS] },
    model: SIGNS,
    stream: false,
    betas: [],
  },
  {
    name: 'names that objects have, in chatCompletions',
    dialect: 'chatCompletions',
    body: JSON.parse(
      '{"model": "m", "messages": [{"__proto__": {"a": null}, "constructor": true, "role": "user", "content": ""}]}',
    ),
    model: 'm',
    stream: false,
    betas: [],
  },
];
