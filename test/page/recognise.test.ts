import { describe, expect, test } from '@jest/globals';
import { betaLosses } from '../../page/translate/recognise/betas.js';
import { clientOf } from '../../page/translate/recognise/clients.js';
import { type Recognised, recognise } from '../../page/translate/recognise/index.js';

/** What the page takes a pasted text for (playground.md). */

const ASK = { model: 'claude-opus-4-5', max_tokens: 9, messages: [{ role: 'user', content: 'it\'s "so" \\n: ^ % é' }] };
const BODY = JSON.stringify(ASK);
const ANSWER = { type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: 'end_turn' };

/** What is left of a pasted text when its body is read. */
async function read(text: string): Promise<Omit<Recognised, 'body'> & { readonly value: unknown }> {
  const { body, ...rest } = await recognise(text);
  return { ...rest, value: JSON.parse(body) };
}

describe('bodies are what they are', () => {
  test.each([
    ['a request', BODY, 'a messages request, model claude-opus-4-5'],
    ['an answer', JSON.stringify(ANSWER), 'a messages response, model m'],
    ['a stream', 'data: {"type":"response.created"}\n\n', 'a responses stream'],
    ['an error', '{"type":"error","error":{"type":"overloaded_error"}}', 'a messages error'],
    ['the error of another', '{"error":{"status":"NOT_FOUND"}}', 'a generateContent error'],
    ['an array of events', '[{"candidates":[]}]', 'a generateContent stream'],
    ['nothing', '', ''],
    ['prose', 'Hello, curly world', ''],
    ['broken JSON', '{"model": "m", "messages": [}', ''],
    ['JSON with a comma too many', '{"model": "m", "messages": [],}', ''],
  ])('%s', async (_name, text, said) => {
    expect(await recognise(text)).toMatchObject({ body: text, said, betas: [] });
    expect(await recognise(text)).not.toHaveProperty('wrapping');
  });

  test.each([
    ['Claude Code', { ...ASK, system: [{ type: 'text', text: 'You are Claude Code, made to help.' }] }],
    ['Codex', { model: 'gpt-5', instructions: 'You are a coding agent running in the Codex CLI', input: 'x' }],
    ['Gemini CLI', { contents: [], systemInstruction: { parts: [{ text: 'You are an interactive CLI agent' }] } }],
    ['OpenCode', { model: 'm', messages: [{ role: 'system', content: 'You are opencode, an agent' }] }],
  ])('sent by %s, as its instructions show', async (client, body) => {
    expect(await recognise(JSON.stringify(body))).toMatchObject({
      client,
      said: expect.stringMatching(`sent by ${client}$`),
    });
  });
});

const URL = 'https://api.anthropic.com/v1/messages?beta=true';
const single = (text: string): string => text.replaceAll("'", "'\\''");
const ansi = (text: string): string =>
  text.replace(/[\\'!é]/g, (sign) =>
    sign === '!' || sign === 'é' ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}` : `\\${sign}`,
  );
const windows = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/[%!"&^|<>]/g, (sign) => `^${sign}`);

describe('a curl command', () => {
  test.each([
    ['on several lines', `curl ${URL} \\\n  -H 'content-type: application/json' \\\n  -d '${single(BODY)}'`],
    ['with line ends of Windows', `curl ${URL} \\\r\n  -d '${single(BODY)}'`],
    ['with a prompt, and its data in one word', `$ curl -sS -XPOST -d'${single(BODY)}' ${URL}`],
    ['with apostrophes in double quotes', `curl --data-raw '${BODY.replaceAll("'", `'"'"'`)}' '${URL}'`],
    ['as browsers copy it', `curl '${URL}' \\\n --data-raw $'${ansi(BODY)}' \\\n --compressed`],
    ['in double quotes', `curl --json "${BODY.replace(/["\\$`]/g, '\\$&')}" --url ${URL}`],
    ['with =', `curl --data-binary='${single(BODY)}' ${URL}`],
    ['as browsers copy it for Windows', `curl ^"${URL}^" ^\n  -H ^"a: b^" ^\n  --data-raw ^"${windows(BODY)}^"`],
    ['of Windows, with its line ends', `curl.exe "${URL}" ^\r\n  --data-raw "${windows(BODY)}"`],
    ['to an address without a scheme', `curl localhost:8080/v1/messages --json '${single(BODY)}'`],
  ])('%s', async (_name, text) => {
    expect(await read(text)).toEqual({
      value: ASK,
      kind: 'request',
      dialect: 'messages',
      wrapping: 'curl',
      betas: [],
      said: 'a messages request, model claude-opus-4-5, out of a curl command',
    });
  });

  test('its headers tell the client and the betas', async () => {
    const words = `curl ${URL} -H 'User-Agent: claude-cli/2.1.3 (external, cli)' -H 'anthropic-beta: a-2025, b-2026' -d '${single(BODY)}'`;
    expect(await recognise(words)).toMatchObject({
      client: 'Claude Code',
      betas: ['a-2025', 'b-2026'],
      said: 'a messages request, model claude-opus-4-5, out of a curl command, sent by Claude Code, with the betas a-2025, b-2026',
    });
  });

  test('its URL tells the model and the stream', async () => {
    const words = `curl "https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse" -d '{"contents": []}'`;
    expect(await recognise(words)).toMatchObject({
      body: '{"contents": []}',
      dialect: 'generateContent',
      model: 'gemini-3-pro',
      stream: true,
      said: 'a generateContent request, model gemini-3-pro, out of a curl command',
    });
  });

  test.each([
    ['with an open quote', `curl ${URL} -d '{"a": `, 'is not closed'],
    ['without a body', `curl ${URL}`, 'has no JSON in it'],
    ['with a form', `curl ${URL} -d a=b`, 'has no JSON in it'],
    ['with a file', `curl ${URL} -d @body.json`, 'sends the file body.json'],
  ])('%s says why there is nothing', async (_name, text, problem) => {
    expect(await recognise(text)).toMatchObject({ said: '', problem: expect.stringContaining(problem) });
  });
});

describe('recorded calls', () => {
  const headers = [
    { name: 'User-Agent', value: 'Anthropic/Python 0.99.0' },
    { name: 'Anthropic-Beta', value: 'context-1m-2025-08-07' },
  ];
  const entry = (response: object = {}) => ({
    request: { method: 'POST', url: URL, headers, postData: { mimeType: 'application/json', text: BODY } },
    response,
  });
  const page = { request: { method: 'GET', url: 'https://example.org/a.js' }, response: {} };

  test('an entry of a HAR file, with its answer', async () => {
    const content = { mimeType: 'application/json', text: JSON.stringify(ANSWER) };
    expect(await read(JSON.stringify(entry({ status: 200, content })))).toMatchObject({
      value: ASK,
      wrapping: 'har',
      client: "Anthropic's SDK for Python",
      betas: ['context-1m-2025-08-07'],
      answer: { kind: 'response', status: 200, text: JSON.stringify(ANSWER, null, 2) },
    });
  });

  test('a stream and an error in a HAR file', async () => {
    const events = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';
    const base64 = { mimeType: 'text/event-stream', encoding: 'base64', text: btoa(events) };
    expect(await recognise(JSON.stringify(entry({ status: 200, content: base64 })))).toMatchObject({
      answer: { kind: 'stream', status: 200, text: events },
    });
    const refused = { mimeType: 'application/json', text: '{"type":"error","error":{}}' };
    expect(await recognise(JSON.stringify(entry({ status: 529, content: refused })))).toMatchObject({
      answer: { kind: 'error', status: 529 },
    });
  });

  test('a whole HAR file: the first call of a model', async () => {
    const har = JSON.stringify({ log: { version: '1.2', entries: [page, entry(), entry()] } });
    expect(await read(har)).toMatchObject({
      value: ASK,
      entries: 3,
      said: expect.stringContaining('the first of a HAR file with 3 entries'),
    });
    const none = JSON.stringify({ log: { entries: [page] } });
    expect(await recognise(none)).toMatchObject({ problem: 'This entry calls no model.' });
  });

  test.each([
    [
      'OpenAI',
      { custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body: { model: 'm', messages: [] } },
      'chatCompletions',
      { model: 'm', messages: [] },
    ],
    ['Anthropic', { custom_id: 'a', params: ASK }, 'messages', ASK],
    [
      'Gemini',
      { key: 'a', request: { contents: [{ parts: [{ text: 'x' }] }] } },
      'generateContent',
      { contents: [{ parts: [{ text: 'x' }] }] },
    ],
  ])('a line of a batch of %s, and two of them', async (_vendor, line, dialect, body) => {
    expect(await read(JSON.stringify(line))).toMatchObject({ value: body, dialect, wrapping: 'batch' });
    const two = `${JSON.stringify(line)}\n${JSON.stringify(line)}\n`;
    expect(await read(two)).toMatchObject({ value: body, dialect, wrapping: 'batch', entries: 2 });
  });

  test("Anthropic's batch in one text, and a line of the gateway's own record", async () => {
    const batch = {
      requests: [
        { custom_id: 'a', params: ASK },
        { custom_id: 'b', params: ASK },
      ],
    };
    expect(await read(JSON.stringify(batch))).toMatchObject({ value: ASK, wrapping: 'batch', entries: 2 });
    const line = { request: ASK, dialect: 'messages', response: ANSWER, status: 200 };
    expect(await read(JSON.stringify(line))).toMatchObject({
      value: ASK,
      wrapping: 'record',
      answer: { kind: 'response' },
    });
  });
});

describe('a program', () => {
  test.each<[string, string, object]>([
    [
      "Anthropic's SDK for Python",
      `import anthropic
client = anthropic.Anthropic()  # the key is in the environment
MODEL = "claude-opus-4-5"
message = client.beta.messages.create(
    model=MODEL,
    max_tokens=1_024,
    system="One " "text, "
           'two lines.\\n',
    messages=[{"role": "user", "content": """Say "hi"
and more"""}],
    betas=["a-2025"],
    extra_headers={"User-Agent": "mine/1"},
    stream=True,
)
print(message.content)`,
      {
        dialect: 'messages',
        betas: ['a-2025'],
        value: {
          model: 'claude-opus-4-5',
          max_tokens: 1024,
          system: 'One text, two lines.\n',
          messages: [{ role: 'user', content: 'Say "hi"\nand more' }],
          stream: true,
        },
      },
    ],
    [
      "OpenAI's SDK for JavaScript",
      `const input = [{ role: 'user', content: \`Say
hi\` }];
const tools = [{ type: 'function', name: 'a', parameters: { type: 'object' as const, properties: {} }, strict: true }];
const stream = await client.responses.stream({ model: 'gpt-5', input, tools, temperature: .5 }, { headers: { 'x-a': 'b' } });`,
      {
        dialect: 'responses',
        value: {
          model: 'gpt-5',
          input: [{ role: 'user', content: 'Say\nhi' }],
          tools: [{ type: 'function', name: 'a', parameters: { type: 'object', properties: {} }, strict: true }],
          temperature: 0.5,
          stream: true,
        },
      },
    ],
    [
      'chat completions with a dict that is spread',
      `opts = dict(model="m", n=1)
client.chat.completions.create(**opts, messages=({"role": "user", "content": u"\\u00e9"},), extra_body={"top_k": None})`,
      {
        dialect: 'chatCompletions',
        value: { model: 'm', n: 1, messages: [{ role: 'user', content: 'é' }], top_k: null },
      },
    ],
    [
      "Google's SDK for Python",
      `response = client.models.generate_content_stream(
    model='gemini-3-pro',
    contents='Why is the sky blue?',
    config=types.GenerateContentConfig(
        system_instruction='Be brief.', max_output_tokens=20,
        thinking_config=types.ThinkingConfig(thinking_budget=0),
        safety_settings=[types.SafetySetting(category='HARM_CATEGORY_HARASSMENT', threshold='BLOCK_NONE')],
    ))`,
      {
        dialect: 'generateContent',
        model: 'gemini-3-pro',
        stream: true,
        value: {
          contents: [{ role: 'user', parts: [{ text: 'Why is the sky blue?' }] }],
          systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
          safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
          generationConfig: { maxOutputTokens: 20, thinkingConfig: { thinkingBudget: 0 } },
        },
      },
    ],
    [
      'fetch as browsers copy it',
      `fetch("${URL}", { "headers": { "Anthropic-Beta": "a" }, "body": ${JSON.stringify(BODY)}, "method": "POST" });`,
      { dialect: 'messages', betas: ['a'], value: ASK },
    ],
    [
      'fetch with an object',
      `await fetch('${URL}', { method: 'POST', body: JSON.stringify({ model: 'm', max_tokens: 1, messages: [] }) })`,
      { dialect: 'messages', value: { model: 'm', max_tokens: 1, messages: [] } },
    ],
    [
      'requests of Python',
      `r = requests.post("${URL}", headers={"anthropic-beta": "a"}, json={"model": "m", "max_tokens": 1, "messages": []})`,
      { dialect: 'messages', betas: ['a'], value: { model: 'm', max_tokens: 1, messages: [] } },
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await read(text)).toMatchObject({ kind: 'request', wrapping: 'program', ...expected });
  });

  test('a dict as Python prints it, and an object of JavaScript', async () => {
    const value = { model: 'm', messages: [], stream: false };
    expect(await read(`{'model': 'm', 'messages': [], 'stream': False}`)).toMatchObject({ value, wrapping: 'object' });
    expect(await read(`{ model: "m", messages: [], stream: false, }`)).toMatchObject({
      value,
      dialect: 'chatCompletions',
    });
  });

  test.each([
    ['a variable', 'client.messages.create(\n  model="m",\n  messages=history)', 3],
    ['a text with holes', ['client.messages.create({ model: `m$', '{1}` })'].join(''), 1],
    ['a formatted string', 'client.messages.create(model=f"{m}")', 1],
    ['a call', 'client.responses.create({\n input: ask() })', 2],
    ['no end', 'client.responses.create({ input: "x"', 1],
    ['a depth without end', `client.responses.create(${'['.repeat(1000)}`, 1],
  ])('with %s says that a body is wanted', async (_name, text, line) => {
    expect(await recognise(text)).toMatchObject({
      said: '',
      problem: expect.stringMatching(`at line ${line} that is no plain data: paste the body`),
    });
  });

  test('texts of megabytes are read', async () => {
    const [long, back] = ['x'.repeat(1_000_000), '\\n'.repeat(200_000)];
    const text = `client.responses.create(input="${long}", instructions="""${back}""", model='${back}')`;
    const { value } = await read(text);
    expect(value).toMatchObject({ input: long, instructions: '\n'.repeat(200_000) });
    expect(await read(`curl ${URL} -d '${JSON.stringify({ ...ASK, messages: [], system: long })}'`)).toMatchObject({
      dialect: 'messages',
    });
  });

  test('nothing of it is run, and names of objects are data', async () => {
    const text = 'client.responses.create({ model: "m", input: "x", __proto__: { a: 1 }, constructor: {} })';
    const { body } = await recognise(text);
    expect(body).toContain('"__proto__"');
    expect(({} as { a?: number }).a).toBeUndefined();
  });
});

test('what a body loses by the features that its header names', () => {
  const body = { ...ASK, context_management: {} };
  const losses = betaLosses('messages', ['context-management-2025-06-27'], body);
  expect(losses).toMatchObject([{ path: '/$headers/anthropic-beta', feature: 'headers.beta', kind: 'dropped' }]);
  expect(betaLosses('messages', ['context-management-2025-06-27'], ASK)).toEqual([]);
  expect(betaLosses('responses', ['a'], body)).toEqual([]);
});

test.each([
  ['codex_cli_rs/0.50.0 (Linux)', 'Codex'],
  ['AsyncOpenAI/Python 2.1.0', "OpenAI's SDK for Python"],
  ['google-genai-sdk/1.4.0 gl-node/v22.1.0', "Google's SDK for JavaScript"],
  ['Mozilla/5.0 (X11)', 'a browser'],
  ['<img src=x>', undefined],
])('%s', (agent, client) => {
  expect(clientOf(agent)).toBe(client);
});
