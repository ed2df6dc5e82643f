import { describe, expect, test } from '@jest/globals';
import { createLosses, type DialectId, dialects, readCarrierHeader } from '../translators/index.js';
import { encodeCarrier } from '../translators/wire/carrier.js';

/** A carrier of state that a backend of `domain` issued. */
function carrier(domain: string): string {
  return encodeCarrier('responses', domain, [{ dialect: 'responses', domain, kind: 'reasoning', payload: '{}' }]);
}

const FOREIGN = carrier('other');
/** Made by a gateway further on, which waits for it. */
const DISTANT = carrier('elsewhere');

function withhold(dialect: DialectId, body: Record<string, unknown>, model: string) {
  const losses = createLosses();
  const members = dialects[dialect].withholdState(body, {
    foreign: (text) => readCarrierHeader(text)?.domain === 'other',
    profile: dialects[dialect].profile(model),
    losses,
  });
  return { members, features: losses.list.map(({ feature }) => feature) };
}

describe('state of other backends stays out of a relayed body', () => {
  test('messages: thinking blocks and shown hosted pairs go, and thinking is off in the loop that lost it', () => {
    const call = { type: 'tool_use', id: 'c', name: 'f', input: {} };
    const answer = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'r' }] };
    const body = {
      thinking: { type: 'enabled', budget_tokens: 2000 },
      messages: [
        { role: 'user', content: 'q' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: '', signature: FOREIGN },
            { type: 'server_tool_use', id: 'srvtoolu_ilabc', name: 'web_search', input: {} },
            { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_ilabc', content: [] },
            call,
          ],
        },
        answer,
      ],
    };
    const { members, features } = withhold('messages', body, 'claude-sonnet-4-5');
    expect(members).toEqual({
      thinking: { type: 'disabled' },
      messages: [body.messages[0], { role: 'assistant', content: [call] }, answer],
    });
    expect(features).toEqual(['reasoning.state', 'reasoning.mode']);
  });

  test('responses: reasoning items go, and ids that we gave', () => {
    const message = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'a', annotations: [] }],
    };
    const input = [
      { role: 'user', content: 'q' },
      { type: 'reasoning', id: 'rs_ilabc', summary: [], encrypted_content: FOREIGN },
      { type: 'web_search_call', id: 'ws_ilabc', status: 'completed', action: { type: 'search', query: 'x' } },
      { ...message, id: 'msg_ilabc' },
    ];
    const { members, features } = withhold('responses', { input }, 'gpt-5');
    expect(members).toEqual({ input: [input[0], message] });
    expect(features).toEqual(['reasoning.state', 'reasoning.state']);
  });

  test('generateContent: signatures and shown thoughts go, and the first call gets the stand-in', () => {
    const call = { functionCall: { name: 'f', args: {} } };
    const contents = [
      { role: 'user', parts: [{ text: 'q' }] },
      { role: 'model', parts: [{ text: 'hm', thought: true }, { ...call, thoughtSignature: FOREIGN }, call] },
    ];
    const { members } = withhold('generateContent', { contents }, 'gemini-3-pro');
    const signed = { ...call, thoughtSignature: 'skip_thought_signature_validator' };
    expect(members).toEqual({ contents: [contents[0], { role: 'model', parts: [signed, call] }] });
    const { members: older } = withhold('generateContent', { contents }, 'gemini-2.5-flash');
    expect(older).toEqual({ contents: [contents[0], { role: 'model', parts: [call, call] }] });
  });

  test.each([
    [
      'messages',
      { messages: [{ role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: DISTANT }] }] },
    ],
    ['responses', { input: [{ type: 'reasoning', summary: [], encrypted_content: DISTANT }] }],
    ['generateContent', { contents: [{ role: 'model', parts: [{ text: 'a', thoughtSignature: DISTANT }] }] }],
  ] as const)('%s: carriers of other gateways pass', (dialect, body) => {
    expect(withhold(dialect, body, 'any').members).toEqual({});
  });
});
