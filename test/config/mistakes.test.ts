import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../src/config/load.js';
import { ConfigError, formatProblem } from '../../src/config/problem.js';

const folder = mkdtempSync(join(tmpdir(), 'interlingua-mistakes-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The lines about a file, with its name alone in front. */
function linesOf(text: string, name: string, environment: Record<string, string> = {}): string[] {
  const path = join(folder, name);
  writeFileSync(path, text);
  try {
    loadConfig(path, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((one) => formatProblem(one).replace(`${folder}/`, ''));
    throw error;
  }
  return [];
}

const SIM = 'backends:\n  a: { dialect: responses, simulator: true }\n';
const AT = 'dialect: responses, baseUrl: "http://a"';
const LEAST = `\`backends: { NAME: { preset: anthropic, apiKey: "\${ANTHROPIC_API_KEY}" } }\``;
const DIALECTS = 'must be one of messages, responses, generateContent, chatCompletions';
const NO_YAML = 'invalid YAML:';

/** What people write, and the lines they get: the place, what is wrong, and what to write instead. */
const MISTAKES: readonly (readonly [text: string, ...lines: string[]])[] = [
  [SIM.replace('backends', 'backend'), 'f.yaml:1:1 backend: unknown key; did you mean `backends`?'],
  [
    'backends:\n  a: { dialect: anthropic, baseUrl: "http://a" }\n',
    `f.yaml:2:17 backends.a.dialect: ${DIALECTS}; write \`dialect: messages\`, or \`preset: anthropic\``,
  ],
  [
    'backends:\n  a: { dialect: chat_completions, simulator: true }\n',
    `f.yaml:2:17 backends.a.dialect: ${DIALECTS}; did you mean \`chatCompletions\`?`,
  ],
  [
    `backends:\n  a: { ${AT}, timeouts: { connect: 5s } }\n`,
    'f.yaml:2:70 backends.a.timeouts.connect: must be a number, not a string; write 5, without a unit',
  ],
  [`port: 8080\n${SIM}`, 'f.yaml:1:1 port: unknown key here; write `listen: { port: … }`'],
  [
    `backends:\n  a: { ${AT}, apiKey: $OPENAI_API_KEY }\n`,
    `f.yaml:2:57 backends.a.apiKey: a variable needs braces; write \`\${OPENAI_API_KEY}\``,
  ],
  [
    `backends:\n  a: { ${AT}, apiKey: os.environ/OPENAI_API_KEY }\n`,
    `f.yaml:2:57 backends.a.apiKey: this form of a variable is LiteLLM's; write \`\${OPENAI_API_KEY}\``,
  ],
  [
    `model_list:\n  - { model_name: x, litellm_params: { model: openai/x } }\n${SIM}`,
    'f.yaml:1:1 model_list: unknown key (LiteLLM has it); write `models: { NAME: { backend: NAME } }`, and servers with their keys under `backends`',
  ],
  [
    `models:\n  x: { backend: a, litellm_params: { model: openai/x } }\n${SIM}`,
    'f.yaml:2:20 models.x.litellm_params: unknown key (LiteLLM has it); write `{ backend: NAME, model: NAME }`, and address and key of the server under `backends`',
  ],
  [
    `backends:\n  a: { ${AT}, apiKey: "\${OPENAI_API_KEY:-x}" }\n`,
    `f.yaml:2:57 backends.a.apiKey: invalid variable reference: only a name may stand between the braces; write \`\${OPENAI_API_KEY}\``,
  ],
  [
    `backends:\n  a: { ${AT}, apiKey: "\${NO_SUCH}" }\n`,
    'f.yaml:2:57 backends.a.apiKey: the environment variable NO_SUCH is not set; set it, or write the value here',
  ],
  [
    'backends:\n  a: { dialect: responses, baseUrl: "https://api.openai.com/v1/responses" }\n',
    'f.yaml:2:37 backends.a.baseUrl: expected the service root, not an endpoint: drop everything from `/v1/responses` on',
  ],
  [
    'backends:\n  a: { dialect: responses, baseUrl: api.openai.com }\n',
    'f.yaml:2:37 backends.a.baseUrl: is not a URL; write one such as https://HOST',
  ],
  [
    'backends:\n\ta: { dialect: responses }\n',
    `f.yaml:2:1: ${NO_YAML} tabs are not allowed for indentation; use spaces`,
  ],
  [
    `${SIM}models:\n  x: { backend: a }\n  x: { backend: a }\n`,
    `f.yaml:5:3: ${NO_YAML} this key is in line 4 already: leave one of them out, or put both into one`,
  ],
  [
    'backends:\n  a:\n    dialect: responses\n   simulator: true\n',
    `f.yaml:4:1: ${NO_YAML} inconsistent indentation: give this line as many spaces as its neighbours have`,
  ],
  [
    'backends:\n  a: { preset: anthropic, apiKey: *canary }\n',
    `f.yaml:2:35: ${NO_YAML} a \`*\` refers to an unknown anchor: put the string in quotes`,
  ],
  ['', `f.yaml:1:1: the file is empty; write ${LEAST}, or leave the file out`],
  ['# nothing yet\n', `f.yaml:1:1: the file is empty; write ${LEAST}, or leave the file out`],
  ['- a\n', `f.yaml:1:1: the file is not a map; write ${LEAST}, or leave the file out`],
  ['backends:\n', `f.yaml:1:10 backends: must be a map, not empty; write ${LEAST}`],
  [
    'models: {}\n',
    `f.yaml:1:1 backends: is required; write ${LEAST}`,
    'f.yaml:1:9 models: must name at least one model',
  ],
  [
    `backends:\n  a: { ${AT}, profile: claude-opus-4-1 }\n`,
    'f.yaml:2:58 backends.a.profile: unknown model: backends of responses do not list it; known: gpt-*, chatgpt-*, codex-*, computer-use*, o1*, o3*, o4*, neutral',
  ],
  ['backends:\n  a: { preset: olama }\n', 'f.yaml:2:16 backends.a.preset: unknown preset; did you mean `ollama`?'],
  [
    `${SIM}listen: { port: "80a" }\n`,
    'f.yaml:3:17 listen.port: must be a number, not a string; write digits alone, without a unit',
  ],
  [`${SIM}listen: { port: 99999 }\n`, 'f.yaml:3:17 listen.port: must be at most 65535'],
  [
    `${SIM}limits: { bodyMb: 64MB }\n`,
    'f.yaml:3:19 limits.bodyMb: must be a number, not a string; write 64, without a unit',
  ],
  [
    'backends:\n  - { name: a, dialect: responses }\n',
    `f.yaml:2:3 backends: must be a map, not a list; write ${LEAST}`,
  ],
  [
    `${SIM}models:\n  fast: a\n`,
    'f.yaml:4:9 models.fast: must be a map, or a list; write `{ backend: NAME, model: NAME }`',
  ],
  [`${SIM}models:\n  fast: { backend: b }\n`, 'f.yaml:4:20 models.fast.backend: unknown backend; known: a'],
  [
    `${SIM}keys: [ my-secret-key-0123456789 ]\n`,
    `f.yaml:3:9 keys[0]: must be a map, not a string; write \`{ name: NAME, key: "\${GATEWAY_KEY}" }\``,
  ],
  [
    `${SIM}keys:\n  - { name: team, key: short }\n`,
    'f.yaml:4:24 keys[0].key: must have at least 16 characters; `openssl rand -base64 32` makes one',
  ],
  [
    'backends:\n  a: { dialect: responses }\n',
    'f.yaml:2:3 backends.a.baseUrl: is required unless a preset gives it or simulator is true',
  ],
  [`backends:\n  a: { ${AT}, api_key: abc }\n`, 'f.yaml:2:49 backends.a.api_key: unknown key; did you mean `apiKey`?'],
  [
    'backends:\n  a: {dialect:responses}\n',
    'f.yaml:2:7 backends.a["dialect:responses"]: unknown key; a space is missing after the colon',
  ],
  [`${SIM}losses: loose\n`, 'f.yaml:3:9 losses: must be one of report, strict, or a map; write lines of `name: value`'],
  [`${SIM}log: debug\n`, 'f.yaml:3:6 log: must be a map, not a string; write `log: { level: info }`'],
  [
    `backends:\n  a: { dialect: responses, baseUrl: "\${X}", simulator: yes }\n`,
    'f.yaml:2:56 backends.a.simulator: must be true or false, not a string',
  ],
];

describe('typical mistakes', () => {
  test.each(MISTAKES)('%j', (text, ...lines) => {
    expect(linesOf(text, 'f.yaml', { X: 'http://a-much-longer-address' })).toEqual(lines);
  });

  test('in JSON, with a byte order mark in front', () => {
    const text = '\uFEFF{\n  "backends": { "a": { "dialect": "responses", "simulator": true }, }\n}';
    expect(linesOf(text, 'f.json')).toEqual(['f.json:2:69: invalid JSON from here; check commas, quotes and brackets']);
    expect(linesOf(text.replace(', }\n', '},\n "port": 1\n').replace(' }}', ' } }'), 'f.json')).toEqual([
      'f.json:3:2 port: unknown key here; write `listen: { port: … }`',
    ]);
  });

  test('one that comes from the environment has no place in the file', () => {
    expect(linesOf(SIM, 'f.yaml', { INTERLINGUA_PORT: 'eighty' })).toEqual([
      expect.stringMatching(/^INTERLINGUA_PORT: must be a number/),
    ]);
  });
});
