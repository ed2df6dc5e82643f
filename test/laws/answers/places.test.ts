import { describe, expect, test } from '@jest/globals';
import { createStreamTranslator, dialectIds, translateResponse } from '../../../translators/index.js';

const ODD = { x: 1 };
const BODY = {
  responseId: 'r',
  modelVersion: 'm',
  oddBody: ODD,
  candidates: [
    {
      oddCandidate: ODD,
      content: { role: 'model', parts: [{ text: 'hi' }], 'odd/content': ODD },
      finishReason: 'STOP',
    },
  ],
};
const OTHERS = dialectIds.filter((id) => id !== 'generateContent');
const PLACES = ['/candidates/0/content/odd~1content', '/candidates/0/oddCandidate', '/oddBody'];

describe('keys that nobody knows, in objects that are no nodes', () => {
  test.each(OTHERS)('a client of %s is told where they stood', (to) => {
    const { losses } = translateResponse({ from: 'generateContent', to, body: BODY });
    expect(pathsOf(losses)).toEqual(PLACES);
  });

  test.each(OTHERS)('and so is one that streams %s', (to) => {
    const translator = createStreamTranslator({ from: 'generateContent', to, now: 1, nonce: 'n' });
    translator.push(`data: ${JSON.stringify(BODY)}\r\n\r\n`);
    translator.end();
    expect(pathsOf(translator.losses)).toEqual(PLACES);
  });
});

function pathsOf(losses: readonly { readonly path: string; readonly feature: string }[]): string[] {
  return losses.flatMap(({ path, feature }) => (feature.startsWith('ext.') ? [path] : [])).sort();
}
