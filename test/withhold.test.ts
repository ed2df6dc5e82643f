import { describe, expect, test } from '@jest/globals';
import {
  createLosses,
  type DialectId,
  dialects,
  type JsonObject,
  type ProfileChoice,
  readCarrierHeader,
  settleRelayed,
} from '../translators/index.js';
import { encodeCarrier } from '../translators/wire/carrier.js';

/** A carrier of state that a backend of `domain` issued. */
function carrier(domain: string): string {
  return encodeCarrier('responses', domain, [{ dialect: 'responses', domain, kind: 'reasoning', payload: '{}' }]);
}

const FOREIGN = carrier('other');
/** Made by a gateway further on, which waits for it. */
const DISTANT = carrier('elsewhere');

function withhold(dialect: DialectId, body: Record<string, unknown>, model: string, choice?: ProfileChoice) {
  const losses = createLosses();
  const members = dialects[dialect].withholdState(body, {
    foreign: (text) => readCarrierHeader(text)?.domain === 'other',
    target: dialects[dialect].target(model, choice),
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

  test('messages: a turn that goes altogether leaves the loop in front of it open', () => {
    const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] };
    const answer = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'r' }] };
    const shown = [
      { type: 'server_tool_use', id: 'srvtoolu_ilabc', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_ilabc', content: [] },
      { type: 'thinking', thinking: '', signature: FOREIGN },
    ];
    const first = { role: 'user', content: 'q' };
    const last = { role: 'user', content: 'go on' };
    const body = {
      thinking: { type: 'enabled', budget_tokens: 2000 },
      messages: [first, call, answer, { role: 'assistant', content: shown }, last],
    };
    expect(withhold('messages', body, 'claude-sonnet-4-5').members).toEqual({
      thinking: { type: 'disabled' },
      messages: [first, call, answer, last],
    });
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

  test.each([
    ['messages', { messages: [{ role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: '' }] }] }],
    ['responses', { input: [{ type: 'reasoning', summary: [], encrypted_content: '' }] }],
    ['generateContent', { contents: [{ role: 'model', parts: [{ text: '', thoughtSignature: '' }] }] }],
  ] as const)('%s: carriers that nobody can open, or that hold nothing, go whoever made them', (dialect, body) => {
    const empty = encodeCarrier('none', 'none', [{ dialect: 'none', domain: 'none', kind: 'none', payload: '' }]);
    for (const carrier of [empty, `${DISTANT.slice(0, 40)}AAAA${DISTANT.slice(44)}`]) {
      const text = JSON.stringify(body).replace(
        /"(signature|encrypted_content|thoughtSignature)":""/,
        `"$1":"${carrier}"`,
      );
      const { members, features } = withhold(dialect, JSON.parse(text), 'any');
      expect(JSON.stringify(members)).not.toContain('ilingua1');
      expect(features).toEqual(['reasoning.state']);
    }
  });

  test('messages: pictures that another backend made go to the user, behind the results', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } };
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'r' };
    const { members, features } = withhold(
      'messages',
      {
        messages: [
          { role: 'user', content: 'q' },
          { role: 'assistant', content: [image, { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }] },
          { role: 'user', content: [result, { type: 'text', text: 'go on' }] },
          { role: 'assistant', content: [image] },
        ],
      },
      'claude-sonnet-4-5',
    );
    expect(members.messages).toMatchObject([
      {},
      { content: [{ type: 'text', text: '[generated image below]' }, { type: 'tool_use' }] },
      { role: 'user', content: [result, image, { type: 'text', text: 'go on' }] },
      { role: 'assistant', content: [{ type: 'text' }] },
      { role: 'user', content: [image] },
    ]);
    expect(features).toEqual(['part.media', 'part.media']);
  });

  test('a tool loop that another backend began without state is not refused for what it lacks', () => {
    const loop = (id: string) => ({
      thinking: { type: 'enabled', budget_tokens: 2000 },
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'r' }] },
      ],
    });
    expect(withhold('messages', loop('call_1'), 'claude-sonnet-4-5').members).toEqual({
      thinking: { type: 'disabled' },
    });
    expect(withhold('messages', loop('toolu_1'), 'claude-sonnet-4-5').members).toEqual({});
    // SGLang has no adaptive thinking, and none of the vendor's models.
    expect(withhold('messages', loop('call_1'), 'glm', { unsupported: ['adaptive'] }).members).toEqual({});
    const contents = (id: string) => ({
      contents: [{ role: 'model', parts: [{ functionCall: { id, name: 'f', args: {} } }] }],
    });
    expect(withhold('generateContent', contents('call_1'), 'gemini-3-pro')).toMatchObject({
      members: { contents: [{ parts: [{ thoughtSignature: 'skip_thought_signature_validator' }] }] },
      features: ['reasoning.state'],
    });
    expect(withhold('generateContent', contents('call_1'), 'gemini-2.5-flash').members).toEqual({});
    expect(withhold('generateContent', contents('k3v9x0aq'), 'gemini-3-pro').members).toEqual({});
  });
});

test('what this very backend issued is taken out of the carriers of gateways that are no longer on the way', () => {
  const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ZW5j' };
  const own = encodeCarrier('responses', 'own', [
    { dialect: 'responses', domain: 'own', kind: 'reasoning', payload: JSON.stringify(item) },
  ]);
  const block = { type: 'thinking', thinking: '', signature: own };
  const outer = encodeCarrier('messages', 'gone', [
    { dialect: 'messages', domain: 'gone', kind: 'reasoning', payload: JSON.stringify(block) },
  ]);
  const message = {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'a', annotations: [] }],
  };
  const waits = { type: 'reasoning', summary: [], encrypted_content: DISTANT };
  const body: JsonObject = {
    input: [
      { type: 'message', role: 'user', content: 'q' },
      { type: 'reasoning', id: 'rs_ilabc', summary: [], encrypted_content: outer },
      { ...message, id: 'msg_ilabc' },
      waits,
      message,
    ],
  };
  const losses = createLosses();
  const members = settleRelayed('responses', body, JSON.stringify(body), {
    domain: 'own',
    foreign: () => false,
    target: dialects.responses.target('gpt-5'),
    losses,
  });
  const { id: _id, ...bare } = item;
  // A message that lost its id is written anew; that it is complete goes without saying (translation.md 0.8).
  const anew = { ...message, status: 'completed' };
  expect(members.input).toEqual([{ type: 'message', role: 'user', content: 'q' }, bare, anew, waits, message]);
  expect(losses.list).toEqual([]);
});

test('what comes home behind all that was said has nothing to lead to and is left out', () => {
  const item = { type: 'reasoning', summary: [], encrypted_content: 'ZW5j' };
  const own = encodeCarrier('responses', 'own', [
    { dialect: 'responses', domain: 'own', kind: 'reasoning', payload: JSON.stringify(item) },
  ]);
  const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a', annotations: [] }] };
  const asked = { type: 'message', role: 'user', content: 'q' };
  const body: JsonObject = {
    input: [asked, said, { type: 'reasoning', id: 'rs_ilabc', summary: [], encrypted_content: own }, asked],
  };
  const losses = createLosses();
  const members = settleRelayed('responses', body, JSON.stringify(body), {
    domain: 'own',
    foreign: () => false,
    target: dialects.responses.target('gpt-5'),
    losses,
  });
  expect(members.input).toEqual([asked, said, asked]);
  expect(losses.list.map(({ path, feature, kind }) => [path, feature, kind])).toEqual([
    ['/input/2', 'reasoning.state', 'dropped'],
  ]);
});

test('messages: the citations of a search go with it, their text stays', () => {
  const cited = (encrypted_index: string) => ({
    type: 'web_search_result_location',
    url: 'https://a',
    encrypted_index,
  });
  const text = (citations: object[] | null) => ({ type: 'text', text: 'Told.', citations });
  const content = [
    { type: 'server_tool_use', id: 'srvtoolu_ilabc', name: 'web_search', input: {} },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_ilabc', content: [] },
    text([cited('')]),
    text([cited(''), cited('Eo8BCioI')]),
  ];
  const body = {
    messages: [
      { role: 'assistant', content },
      { role: 'user', content: 'q' },
    ],
  };
  const { members, features } = withhold('messages', body, 'claude-sonnet-4-5');
  expect(members.messages).toEqual([
    { role: 'assistant', content: [text(null), text([cited('Eo8BCioI')])] },
    { role: 'user', content: 'q' },
  ]);
  expect(features).toEqual(['reasoning.state', 'part.citation', 'part.citation']);
});
