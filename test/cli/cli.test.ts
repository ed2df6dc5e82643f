import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dialectAt } from '../support/dialect-at.js';
import { ASK, DIALECTS, json, STREAM, send, startRecorder, WHOLE } from '../support/gateway/harness.js';
import { PROGRAM } from '../support/gateway/program.js';
import { PACKAGE_ROOT } from '../support/package-root.js';
import { SHORT } from '../support/runs.js';
import { until } from '../support/until.js';
import { type Run, runTogether } from './command-lines.js';

const folder = mkdtempSync(join(tmpdir(), 'interlingua-cli-'));
const running: ChildProcess[] = [];

/** Command lines that start nothing that stays: all of them run in one process before the tests. */
const commandLines: string[][] = [];
let runOf: (line: readonly string[]) => Run;

beforeAll(async () => {
  if (!existsSync(PROGRAM)) throw new Error('the program is not built: npm run build');
  runOf = await runTogether(folder, commandLines, { ...NO_KEYS, K: 'sk-canary-upstream', T: 'canary-gateway-key-1' });
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true }));

const NO_KEYS = {
  ...{ ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '', GEMINI_API_KEY: '', GROQ_API_KEY: '' },
  ...{ INTERLINGUA_CONFIG: '', INTERLINGUA_BACKEND_KEY: '' },
};

/** A command line whose outcome `runOf` gives. */
function line(...words: string[]): string[] {
  commandLines.push(words);
  return words;
}

function start(
  args: readonly string[],
  env: Record<string, string> = {},
  before: readonly string[] = [],
): ChildProcess {
  const [command = process.execPath, ...words] = [...before, process.execPath, PROGRAM, ...args];
  const child = spawn(command, words, {
    cwd: folder,
    env: { ...process.env, ...NO_KEYS, ...env },
  });
  running.push(child);
  return child;
}

function run(
  args: readonly string[],
  { input, env }: { input?: string; env?: Record<string, string> } = {},
): Promise<Run> {
  return new Promise((resolve) => {
    const child = start(args, env);
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin?.end(input ?? '');
  });
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Starts a server and waits for its first lines. */
async function serve(args: readonly string[], lines: number, env?: Record<string, string>, before?: readonly string[]) {
  const child = start(['serve', '--port', '0', ...args], env, before);
  let text = '';
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      if (text.split('\n').length > lines) resolve();
    });
    child.on('exit', (code) => reject(new Error(`exited with ${code}: ${errors}`)));
  });
  const shown = text.trimEnd().split('\n');
  return { child, lines: shown, url: shown[0]?.replace('interlingua listening on ', '') ?? '', logs: () => errors };
}

describe('the program', () => {
  const version = line('--version');
  test('tells its version', () => {
    expect(runOf(version)).toEqual({
      code: 0,
      stdout: `${JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')).version}\n`,
      stderr: '',
    });
  });

  const HELP = [
    ...[['--help'], ['help'], ['help', 'serve'], ['serve', '--help'], ['check', '--help']],
    ...[
      ['translate', '-h'],
      ['demo', '--help'],
      ['completion', '--help'],
    ],
  ];
  const MISTAKES: [string[], RegExp, number?][] = [
    [['serv'], /^interlingua: unknown command serv; did you mean serve\?\n$/],
    [['serve', '--prot', '1'], /^interlingua serve: unknown option '--prot'; did you mean --port\?\n$/],
    [['serve', '--port', 'x'], /^interlingua serve: --port must be a number from 0 to 65535, not x\n$/],
    [['serve', '--workers', '0'], /^interlingua serve: --workers must be a number from 1 to 1024, not 0\n$/],
    [['serve', '--workers', 'two'], /^interlingua serve: --workers must be a number from 1 to 1024, not two\n$/],
    [['serve', '--workers', '2'], /^workers: more than one worker needs a shared store: lmdb, redis or off\n$/, 1],
    [['--prot', '1'], /^interlingua serve: unknown option '--prot'; did you mean --port\?\n$/],
    [['serve', '--port'], /^interlingua serve: option '--port <number>' argument missing\n$/],
    [['completion'], /^interlingua completion: missing required argument 'shell'\n$/],
    [
      ['completion', 'fsh'],
      /^interlingua completion: there are scripts for bash, zsh, fish, not for fsh; did you mean zsh\?\n$/,
    ],
    [
      ['serve', '--backend', 'olama', '--backend', 'messages'],
      /^interlingua serve: --backend olama: unknown host or dialect[^\n]*; --backend messages: needs an address: [^\n]*\n$/,
    ],
    [['--verison'], /^interlingua serve: unknown option '--verison'; did you mean --version\?\n$/],
    [['serve', '--verison'], /^interlingua serve: unknown option '--verison'; did you mean --version\?\n$/],
    [['check', '--hlep'], /^interlingua check: unknown option '--hlep'; did you mean --help\?\n$/],
    [['check', 'mine.yaml'], /^interlingua check: unexpected word mine\.yaml; did you mean --config mine\.yaml\?\n$/],
    [['serve', 'mine.json'], /^interlingua serve: unexpected word mine\.json; did you mean --config mine\.json\?\n$/],
    [['mine.yml'], /^interlingua: unknown command mine\.yml; did you mean serve --config mine\.yml\?\n$/],
    [['serve', 'word'], /^interlingua serve: unexpected word word\n$/],
    [['serve', '--backend', 'groq'], /^--backend groq: needs a key: set INTERLINGUA_BACKEND_KEY or GROQ_API_KEY\n$/, 1],
    [
      ['serve', '--backend', 'olama'],
      /^interlingua serve: --backend olama: unknown host or dialect; did you mean ollama\?\n$/,
    ],
    [
      ['serve', '--backend', 'ollama', '--config', 'x'],
      /^interlingua serve: --backend starts without a file: [^\n]*\n$/,
    ],
    [['serve', '--config', 'absent.yaml'], /^absent\.yaml: cannot be read \(ENOENT\)\n$/, 1],
    [['translate', '--from', 'x', '--to', 'messages'], /^interlingua translate: --from must be one of .*, not x\n$/],
    [
      ['translate', '--from', 'mesages', '--to', 'responses'],
      /^interlingua translate: --from must be one of .*, not mesages; did you mean messages\?\n$/,
    ],
    [
      ['translate', '--from', 'messages', '--to', 'responses', '--allow', 'sampling.topk'],
      /^interlingua translate: --allow: `sampling\.topk` is not a feature; did you mean `sampling\.topK`\?\n$/,
    ],
    [
      ['translate', '--from', 'messages', '--to', 'responses', '--profile', 'gpd-5'],
      /^interlingua translate: --profile: gpd-5 unknown model: backends of responses do not list it; did you mean `gpt-5`\? known: [^\n]*\n$/,
    ],
    [['translate', '--from', 'messages'], /^interlingua translate: --to must be one of [^\n]*\n$/],
    [
      ['translate', '--from', 'messages', '--to', 'responses', 'absent.json'],
      /^interlingua translate: cannot read absent\.json \(ENOENT\)\n$/,
    ],
  ];
  commandLines.push(...HELP, ...MISTAKES.map(([args]) => args));

  test.each(HELP.map((args) => [args]))('%j', (args) => {
    const { code, stdout, stderr } = runOf(args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: interlingua /);
  });

  test.each(MISTAKES)('%j: one clear line and a non-zero exit', (args, line, exit = 2) => {
    const { code, stdout, stderr } = runOf(args);
    expect([code, stdout]).toEqual([exit, '']);
    expect(stderr).toMatch(line);
  });

  const beyond = line('serve', '--host', '0.0.0.0', '--port', '0');
  test('serves nobody beyond this machine without keys', () => {
    const { code, stdout, stderr } = runOf(beyond);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^keys: none are configured, .*--insecure\n$/);
  });
});

describe('check', () => {
  const good = file(
    'good.yaml',
    `backends: { a: { dialect: messages, baseUrl: "http://a", apiKey: "\${K}" }, b: { dialect: responses, simulator: true } }\nmodels: { fast: [{ backend: a, model: m }, { backend: b }] }\nkeys: [{ name: team, key: \${T} }]\nworkers: 3\n`,
  );
  const checked = line('check', '--config', good);
  test('prints where each model leads', () => {
    const { code, stdout } = runOf(checked);
    expect(code).toBe(0);
    expect(stdout).toContain('workers: 3\n');
    expect(stdout).toContain('fast  -> a (messages, http://a), model m');
    expect(stdout).toContain('-> b (responses, simulator), model as asked');
    expect(stdout).not.toContain('canary');
  });

  const filled = file(
    'filled.yaml',
    `backends:\n  groq: { preset: groq, apiKey: "\${K}" }\n  local: { baseUrl: "http://127.0.0.1:1234", state: none }\n  own: { dialect: responses, baseUrl: "http://b?v=1" }\nmodels: { "*": { backend: own } }\n`,
  );
  const showing = line('check', '--config', filled);
  test('prints what was filled in, and from where', () => {
    const { stdout } = runOf(showing);
    const root = 'root https://api.groq.com/openai/v1 (preset)';
    expect(stdout).toContain(
      `  groq   groq, known by its name; dialect chatCompletions (preset); ${root}; auth bearer (preset); state none (default); also responses at https://api.groq.com/openai (preset), unsupported: inputTokens, storeTrue, customTools, namespaces, toolSearch, additionalTools, hostedTools, codexItems; each request takes the endpoint that loses least; \`dialect\` names one; learns field, flags, cap, window, unsupported, endpoint (from refusals)\n`,
    );
    expect(stdout).toContain(
      '  local  lmstudio, known by its host; dialect responses (preset); root http://127.0.0.1:1234 (file); auth bearer, no key (preset); state none (file); unsupported: inputTokens, customTools, namespaces, toolSearch, additionalTools, hostedTools, codexItems, encryptedReasoning, tiers, farEfforts (preset); also messages at http://127.0.0.1:1234 (preset), unsupported: countTokens; also chatCompletions at http://127.0.0.1:1234/v1 (preset); each request takes the endpoint that loses least; `dialect` names one; learns field, flags, cap, window, unsupported, endpoint (from refusals)\n',
    );
    expect(stdout).toContain(
      '  own    no known host; dialect responses (file); root http://b with a query (file); auth bearer, no key (default); state none (default); learns field, flags, cap, window, unsupported (from refusals)\n',
    );
    expect(stdout).not.toContain('canary');
  });

  const byChat = file(
    'chat.yaml',
    `backends: { chat: { preset: openai, dialect: chatCompletions, apiKey: "\${K}" } }\nmodels: { best: { backend: chat, model: gpt-6-astra }, good: { backend: chat, model: gpt-6-sol } }\n`,
  );
  const advised = line('check', '--config', byChat);
  test('says where a model takes functions that takes none in chat', () => {
    const { stdout } = runOf(advised);
    expect(stdout).toMatch(
      /model gpt-6-astra; takes functions by responses only: name a backend .* `dialect: responses`\n/,
    );
    expect(stdout).toMatch(/model gpt-6-sol\n/);
  });

  const known = file(
    'known.yaml',
    `backends:
  a: { preset: anthropic, apiKey: "\${K}", models: { "claude-sonnet-4-5": { contextWindow: 1000000 } } }
  b: { dialect: chatCompletions, baseUrl: "http://b" }
models:
  sonnet: { backend: a, model: claude-sonnet-4-5, title: Sonnet, maxOutput: 9000 }
  fable: { backend: a, model: claude-fable-5 }
  own: { backend: b, model: own, prices: { input: 1, output: 2.5, above: [{ tokens: 200000, input: 2 }] } }
  haiku: [{ backend: a, model: claude-haiku-4-5 }, { backend: b }]
  "*": { backend: b }
prices: genai-prices
`,
  );
  const [knowing, knownJson] = [line('check', '--config', known), line('check', '--json', '--config', known)];
  test('says what is known of each model, and from where', () => {
    const lines = runOf(knowing).stdout.split('\n');
    const facts = (name: string) => lines[lines.findIndex((one) => one.trim().startsWith(`${name} `)) + 1]?.trim();
    expect(facts('sonnet')).toBe(
      'contextWindow 1000000 (file); maxOutput 9000 (file); prices input 3, output 15, cacheRead 0.3, cacheWrite 3.75, cacheWrite1h 6, above 200000 tokens input 6, output 22.5, cacheRead 0.6, cacheWrite 7.5, cacheWrite1h 12 (genai-prices); title Sonnet (file)',
    );
    expect(facts('fable')).toMatch(/^contextWindow 1000000 \(genai-prices\); prices input \S+, .* \(genai-prices\)$/);
    expect(facts('own')).toBe('prices input 1, output 2.5, above 200000 tokens input 2 (file)');
    expect(facts('haiku')).toMatch(/^contextWindow 200000 \(genai-prices\); maxOutput 64000 \(profile\); prices/);
    expect(JSON.parse(runOf(knownJson).stdout).models).toMatchObject([
      {
        targets: [{ contextWindow: { value: 1_000_000, source: 'file' }, title: { value: 'Sonnet', source: 'file' } }],
      },
      { targets: [{ contextWindow: { value: 1_000_000, source: 'genai-prices' } }] },
      { targets: [{ prices: { value: { input: 1, output: 2.5 }, source: 'file' } }] },
      { targets: [{ maxOutput: { value: 64_000, source: 'profile' } }, { backend: 'b' }] },
      { name: '*', targets: [{ backend: 'b' }] },
    ]);
  });

  test('asks hosts what they tell of their models when it is told to, and no others', async () => {
    const host = await startRecorder();
    host.reply = (response) => json(response, 200, { data: [{ id: 'm', object: 'model', max_model_len: 4096 }] });
    const asked = file(
      'asked.yaml',
      `backends: { a: { dialect: chatCompletions, baseUrl: "${host.url}" } }\nmodels: { fast: { backend: a, model: m } }\n`,
    );
    try {
      expect((await run(['check', '--config', asked])).stdout).not.toContain('contextWindow');
      expect(host.seen).toHaveLength(0);
      const { code, stdout } = await run(['check', '--ask-hosts', '--config', asked]);
      expect([code, stdout]).toEqual([0, expect.stringContaining('contextWindow 4096 (host)')]);
      expect(host.seen.map(({ path }) => path)).toEqual(['/v1/models']);
    } finally {
      await host.close();
    }
  });

  const newer = file(
    'newer.yaml',
    `backends:
  m: { preset: anthropic, apiKey: "\${K}" }
  r: { preset: openai, apiKey: "\${K}" }
  h: { preset: openai, dialect: chatCompletions, apiKey: "\${K}" }
  own: { dialect: responses, baseUrl: "http://b" }
models:
  a: { backend: m, model: claude-opus-5-7 }
  b: { backend: m, model: claude-opus-5-5 }
  c: { backend: r, model: gpt-6.3 }
  d: { backend: h, model: gpt-6.3-sol }
  e: { backend: own, model: house-model }
  "claude-*": { backend: m }
`,
  );
  const taken = line('check', '--config', newer);
  test('says which models are in no table, and are taken for the newest of their vendor', () => {
    const { stdout } = runOf(taken);
    const said = /model (\S+); in no table: taken for the newest of its vendor/g;
    expect([...stdout.matchAll(said)].map(([, model]) => model)).toEqual(['claude-opus-5-7', 'gpt-6.3', 'gpt-6.3-sol']);
  });

  const wide = 'backends: { a: { dialect: responses, simulator: true } }\nlisten: { host: 0.0.0.0 }\n';
  const shut = file('wide.yaml', wide);
  const [checkShut, serveShut] = [line('check', '--config', shut), line('serve', '--config', shut)];
  const opened = line('check', '--config', file('open.yaml', `${wide}open: true\n`));
  test('says of an open door what serve says', () => {
    const refused = runOf(checkShut);
    const served = runOf(serveShut);
    expect(refused).toEqual({ code: 1, stdout: '', stderr: served.stderr });
    expect(refused.stderr).toMatch(/^keys: none are configured, .*open: true/);
    const open = runOf(opened);
    expect([open.code, open.stdout]).toEqual([
      0,
      expect.stringContaining('keys: none, anyone who reaches it may call'),
    ]);
  });

  const bad = file(
    'bad.yaml',
    'backends: { a: { dialect: chat, baseUrl: "http://a", frobnicate: canary } }\nlisten: { port: 99999 }\n',
  );
  const mistaken = line('check', '--config', bad);
  test('exits with the path of each mistake', () => {
    const { code, stdout, stderr } = runOf(mistaken);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^\S+bad\.yaml:2:17 listen\.port: must be at most 65535$/m);
    expect(stderr).toMatch(/^\S+bad\.yaml:1:27 backends\.a\.dialect: /m);
    expect(stderr).toMatch(/^\S+bad\.yaml:1:54 backends\.a\.frobnicate: unknown key; /m);
    expect(stderr).not.toContain('canary');
  });
});

describe('check for programs', () => {
  const good = file(
    'routes.yaml',
    `backends: { a: { preset: groq, apiKey: "\${K}" } }\nmodels: { fast: [{ backend: a, model: m, weight: 2 }] }\n`,
  );
  const [whole, shown] = [line('check', '--json', '--config', good), line('check', '--config', good)];
  test('--json prints the resolved routes', () => {
    const { code, stdout } = runOf(whole);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      backends: [
        {
          ...{ name: 'a', dialect: 'chatCompletions', baseUrl: 'https://api.groq.com/openai/v1' },
          ...{ auth: 'bearer', state: 'none', learns: ['field', 'flags', 'cap', 'window', 'unsupported', 'endpoint'] },
          endpoints: [{ dialect: 'responses', baseUrl: 'https://api.groq.com/openai' }],
        },
      ],
      models: [
        {
          name: 'fast',
          targets: [
            {
              ...{ backend: 'a', dialect: 'chatCompletions', baseUrl: 'https://api.groq.com/openai/v1' },
              ...{ model: 'm', weight: 2 },
            },
          ],
        },
      ],
      store: { type: 'lmdb' },
      metrics: { host: '127.0.0.1' },
    });
    expect(stdout).not.toContain('canary');
    expect(runOf(shown).stdout).toMatch(/model m, weight 2$/m);
  });

  const broken = line('check', '--json', '--config', file('broken.json', '{\n "backend": {}\n}'));
  test('--json prints the mistakes', () => {
    const { code, stdout, stderr } = runOf(broken);
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toEqual({
      problems: [
        {
          file: expect.stringMatching(/broken\.json$/),
          ...{ line: 2, column: 2, path: 'backend', message: 'unknown key; did you mean `backends`?' },
        },
      ],
    });
  });

  const schema = line('check', '--print-schema');
  test('--print-schema prints what is in the package', () => {
    const file = readFileSync(join(dirname(PROGRAM), '..', '..', 'config.schema.json'), 'utf8');
    expect(JSON.parse(runOf(schema).stdout)).toEqual(JSON.parse(file));
  });
});

describe('translate', () => {
  const body = JSON.stringify({ model: 'm', max_tokens: 10, top_k: 5, messages: [{ role: 'user', content: 'Hi' }] });

  test('prints the translation, and the losses one per line', async () => {
    const { code, stdout, stderr } = await run(['translate', '--from', 'messages', '--to', 'responses'], {
      input: body,
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ model: 'm', input: expect.anything() });
    expect(stderr.trimEnd().split('\n')).toContainEqual(
      expect.stringMatching(/^\/top_k was dropped: the number of candidates .* \(sampling\.topK\)\. \S.*\.$/),
    );
  });

  test('says at a terminal that it waits, and how to end', async () => {
    const preload = `data:text/javascript,process.stdin.isTTY=true`;
    const words = ['translate', '--from', 'messages', '--to', 'responses'];
    const atTerminal = await run(words, { input: body, env: { NODE_OPTIONS: `--import=${preload}` } });
    expect(atTerminal).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^interlingua translate: reading .*Ctrl-D/),
    });
    expect((await run(words, { input: body })).stderr).not.toContain('Ctrl-D');
  });

  const refusedStrictly = line(
    ...['translate', '--from', 'messages', '--to', 'responses', '--strict'],
    file('strict.json', body.replace('"m"', '"gpt-5"')),
  );
  test('strict exits with 3', () => {
    const { code, stdout, stderr } = runOf(refusedStrictly);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(
      /^interlingua translate: \/top_k: strict translation refused: \/top_k sampling\.topK dropped; .*; allow="[^"]+" lets them go$/m,
    );
  });

  describe('of a file', () => {
    /** A command line with a file of this text. */
    function lineOf(from: string, to: string, text: string, ...more: readonly string[]): string[] {
      const path = file(`body-${commandLines.length}.json`, text);
      return line('translate', '--from', from, '--to', to, ...more, path);
    }

    const asJson = lineOf('messages', 'responses', body.replace(':10,', ':100,'), '--losses', 'json');
    test('prints the losses as JSON', () => {
      expect(JSON.parse(runOf(asJson).stderr)).toContainEqual(
        expect.objectContaining({ path: '/top_k', feature: 'sampling.topK', kind: 'dropped' }),
      );
    });

    const open = JSON.stringify({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object', properties: {} } } },
    });
    const towards = (...more: readonly string[]) => lineOf('chatCompletions', 'messages', open, ...more);
    const [doomed, doomedAsJson, doomedStrictly] = [towards(), towards('--losses', 'json'), towards('--strict')];
    const otherwise = [towards('--profile', 'claude-opus-4-8'), towards('--host', 'openrouter')];
    test('says what the service of the target would refuse, of the model and at the host that are named', () => {
      const { code, stdout, stderr } = runOf(doomed);
      expect([code, JSON.parse(stdout).model]).toEqual([0, 'm']);
      expect(stderr).toMatch(/the service of messages refuses this: output_config\.format\.schema: [^\n]+\n$/);
      const [, last = ''] = runOf(doomedAsJson).stderr.split('\n');
      expect(JSON.parse(last)).toEqual({ refusal: { path: '', message: expect.stringContaining('schema') } });
      expect(runOf(doomedStrictly).code).toBe(3);
      for (const one of otherwise)
        expect([runOf(one).code, runOf(one).stderr]).toEqual([0, expect.not.stringContaining('refuses')]);
    });

    const strictly = lineOf('messages', 'responses', body, '--strict', '--losses', 'json');
    test('strict with losses as JSON: one line of JSON, then the reason', () => {
      const [first = '', second = '', ...rest] = runOf(strictly).stderr.split('\n');
      expect(JSON.parse(first)).toContainEqual(expect.objectContaining({ path: '/top_k', kind: 'dropped' }));
      expect(second).toMatch(/^interlingua translate: /);
      expect(rest).toEqual(['']);
    });

    const refused = [
      ['request', '{"model":"m","input":"Hi","previous_response_id":"resp_1"}', 3],
      ['request', '{"model":"m","input":"Hi","prompt":{"id":"p"}}', 3],
      [
        'response',
        '{"id":"r","object":"response","status":"failed","output":[],"error":{"code":"rate_limit_exceeded","message":"m"}}',
        3,
      ],
      ['response', '{"id":5}', 2],
    ] as const;
    test.each(
      refused.map(
        ([kind, text, wanted]) => [kind, text, wanted, lineOf('responses', 'messages', text, '--kind', kind)] as const,
      ),
    )('a %s that cannot be said exits with 3, one that is not valid with 2: %s', (_kind, _text, wanted, line) => {
      const { code, stdout, stderr } = runOf(line);
      expect([code, stdout]).toEqual([wanted, '']);
      expect(stderr).toMatch(/^interlingua translate: [^\n]+\n$/);
    });

    test.each(
      ['{', '{"model":5}', '[]', '{"a":1,\n"b" 2}'].map(
        (text) => [text, lineOf('messages', 'responses', text)] as const,
      ),
    )('input that is no request exits with 2: %s', (_text, line) => {
      const { code, stdout, stderr } = runOf(line);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^interlingua translate: [^\n]+\n$/);
    });

    const broken = lineOf('messages', 'responses', '\uFEFF{"a":1,\n"b" 2}');
    test('input that is no JSON is answered with its line and column', () => {
      expect(runOf(broken).stderr).toMatch(/^interlingua translate: \S+:2:5: the input is not valid JSON\n$/);
    });

    const long = lineOf('messages', 'responses', `{"\u007f":"${'€\\n'.repeat(4_000_000)}",\n"b" 2}`);
    test('nor does a string of 12 million letters keep it from that', () => {
      expect(runOf(long).stderr).toMatch(/^interlingua translate: \S+:2:5: the input is not valid JSON\n$/);
    });

    const marked = lineOf('messages', 'responses', `\uFEFF${body}`);
    test('a byte order mark is passed over', () => expect(runOf(marked).code).toBe(0));

    const letGo = lineOf(
      'messages',
      'responses',
      body,
      '--strict',
      '--profile',
      'gpt-5',
      '--allow',
      'sampling.topK, maxOutput',
    );
    const unnamed = lineOf('generateContent', 'messages', '{"contents":[{"parts":[{"text":"Hi"}]}]}');
    test('a request that names no model is told where it may be said', () => {
      expect(runOf(unnamed)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('no model is named'),
      });
    });

    test('--allow lets features go, --profile names the model to write for', () => {
      expect(runOf(letGo)).toMatchObject({ code: 0, stderr: expect.stringContaining('sampling.topK') });
    });

    const asked = file('asked.json', '{"model":"alias","max_tokens":10,"messages":[{"role":"user","content":"Hi"}]}');
    const answer =
      '{"id":"r","object":"response","created_at":1,"status":"completed","model":"gpt-5","output":[{"type":"message","id":"m","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hi","annotations":[]}]}]}';
    const answered = lineOf('responses', 'messages', answer, '--kind', 'response', '--request', asked);
    test("--request is the client's own, whose names the answer takes", () => {
      expect(JSON.parse(runOf(answered).stdout)).toMatchObject({ model: 'alias' });
    });

    const busy = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n';
    const streamed = lineOf('messages', 'responses', busy, '--kind', 'stream');
    const slowDown = '{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}';
    const failed = lineOf('messages', 'generateContent', slowDown, '--kind', 'error', '--status', '429');
    test('a stream, and an error', () => {
      expect(runOf(streamed)).toMatchObject({ code: 1, stdout: expect.stringContaining('event: error\n') });
      expect(JSON.parse(runOf(failed).stdout).error).toMatchObject({
        code: 429,
        status: 'RESOURCE_EXHAUSTED',
        message: 'slow down',
      });
    });
  });
});

test('demo runs every pair', async () => {
  const { code, stdout, stderr } = await run(['demo']);
  expect(stderr).toBe('');
  expect(stdout.match(/ok, \d+ ms/g)).toHaveLength(DIALECTS.length ** 2);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^asked, streamed: What is the weather in Oslo\?.* gives: 4 degrees and rain\.\n/);
  expect(stdout).toMatch(/^lost:/m);
});

test('demo --json tells what was asked, answered and lost', async () => {
  const { code, stdout, stderr } = await run(['demo', '--json']);
  expect([code, stderr]).toEqual([0, '']);
  const { asked, pairs } = JSON.parse(stdout);
  expect(asked).toMatchObject({ prompt: expect.stringContaining('get_weather'), result: '4 degrees and rain' });
  expect(pairs).toHaveLength(DIALECTS.length ** 2);
  for (const pair of pairs) {
    expect(pair).toMatchObject({ ok: true, answer: expect.stringContaining('4 degrees and rain') });
    // Nothing is translated within a dialect.
    if (pair.client === pair.backend) expect(pair.losses).toEqual([]);
  }
});

describe('serve --backend', () => {
  test.each(SHORT ? ['ollama'] : ['ollama', 'chatCompletions'])(
    '%s=URL serves that backend under every name, with its key',
    async (name) => {
      const recorder = await startRecorder();
      recorder.reply = (response, { path }) => json(response, 200, WHOLE[dialectAt(path)]('from the backend'));
      const { lines, url, logs } = await serve(['--backend', `${name}=${recorder.url}`], 3, {
        INTERLINGUA_BACKEND_KEY: 'sk-canary-upstream',
      });
      expect(lines[1]).toBe('models: any name');
      if (name === 'ollama')
        expect(lines[2]).toBe(
          'endpoints of ollama: messages, chatCompletions, responses; each request takes the one that loses least',
        );
      const { path, body } = ASK.responses('whatever:7b');
      const answer = await send(url, path, { body });
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('from the backend')]);
      const [seen] = recorder.seen;
      expect(seen?.path).toBe(name === 'ollama' ? '/v1/responses' : '/v1/chat/completions');
      expect([JSON.parse(seen?.body ?? '{}').model, seen?.headers.authorization]).toEqual([
        'whatever:7b',
        'Bearer sk-canary-upstream',
      ]);
      expect(logs()).not.toContain('canary');
      await recorder.close();
    },
  );
});

describe('serve', () => {
  // Other systems do not say how many files a process may open.
  const onLinux = process.platform === 'linux' ? test : test.skip;
  onLinux('takes no more connections than the system allows it files for, and says so', async () => {
    const { logs } = await serve([], 1, {}, ['sh', '-c', 'ulimit -n 300; exec "$@"', 'sh']);
    await until(() => logs().includes('limits.connections'));
    expect(logs()).toMatch(/"connections":150,.*fewer open files than limits.connections needs/);
  });

  test('without a configuration serves the simulator, says so, answers every pair, and keeps its port', async () => {
    const { lines, url, child } = await serve([], 3);
    expect(lines[0]).toMatch(/^interlingua listening on http:\/\/127\.0\.0\.1:\d+$/);
    expect(lines[1]).toMatch(
      /^models: sim-messages, sim-responses, sim-generate-content, sim-chat-completions and \d+ others \(the built-in/,
    );
    expect(lines[2]).toMatch(/^try: curl /);
    for (const dialect of DIALECTS) {
      for (const model of ['sim-messages', 'sim-responses', 'sim-generate-content', 'sim-chat-completions']) {
        for (const form of [ASK, STREAM]) {
          const { path, body } = form[dialect](model);
          expect([dialect, model, (await send(url, path, { body })).status]).toEqual([dialect, model, 200]);
        }
      }
    }
    const { port } = new URL(url);
    for (const workers of SHORT ? [1] : [1, 2]) {
      const taken = file(
        `taken-${workers}.yaml`,
        `backends: { sim: { dialect: responses, simulator: true } }\nstore: { type: off }\nworkers: ${workers}\n`,
      );
      const { code, stderr } = await run(['serve', '--config', taken, '--port', port]);
      expect([code, stderr]).toEqual([
        1,
        `interlingua serve: cannot listen on 127.0.0.1:${port}: another program has this port already: end it, or choose another port with --port or listen.port (EADDRINUSE)\n`,
      ]);
    }
    const stopped = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGTERM');
    expect(await stopped).toBe(0);
  });

  test('with a configuration says one line; logs hold no key and no content', async () => {
    const path = file(
      'serve.yaml',
      'backends: { sim: { dialect: responses, simulator: true, apiKey: sk-canary-upstream } }\nkeys: [{ name: team-a, key: canary-gateway-key-1 }]\n',
    );
    const { lines, url, child, logs } = await serve(['--config', path], 1);
    expect(lines).toHaveLength(1);
    const { path: route, body } = ASK.messages('any');
    const asked = { ...body, top_k: 5, messages: [{ role: 'user', content: 'canary-content' }] };
    const answer = await send(url, `${route}?key=canary-gateway-key-1`, { body: asked });
    expect(answer.status).toBe(200);
    expect((await send(url, route, { body: asked, headers: { 'x-api-key': 'canary-wrong-key' } })).status).toBe(401);
    child.kill('SIGTERM');
    await new Promise((resolve) => child.on('exit', resolve));
    const written = logs()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    expect(written).toContainEqual(
      expect.objectContaining({
        client: 'messages',
        dialect: 'responses',
        backend: 'sim',
        model: 'any',
        key: 'team-a',
        status: 200,
        outcome: 'ok',
        stream: false,
        losses: expect.any(Number),
        lost: expect.stringContaining('sampling.topK'),
        inputTokens: expect.any(Number),
        outputTokens: expect.any(Number),
        firstByteMs: expect.any(Number),
        ms: expect.any(Number),
        id: answer.headers['x-request-id'],
      }),
    );
    expect(written).toContainEqual(expect.objectContaining({ status: 401, outcome: 'authentication' }));
    expect(logs()).not.toContain('canary');
  });
});
