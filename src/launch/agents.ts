import { type Agent, capOf, known, type Place, smallerOf } from './agent.js';
import { copilot, opencode, zed } from './further-agents.js';

/** Where Claude Code names its models; small ones last. */
const CLAUDE_MODELS = [
  'ANTHROPIC_MODEL',
  'ANTHROPIC_DEFAULT_OPUS_MODEL',
  'ANTHROPIC_DEFAULT_SONNET_MODEL',
  'ANTHROPIC_DEFAULT_FABLE_MODEL',
  'CLAUDE_CODE_SUBAGENT_MODEL',
] as const;

/** What it asks in the background: titles, summaries, whether a command is safe. */
const CLAUDE_SMALL_MODELS = ['ANTHROPIC_DEFAULT_HAIKU_MODEL', 'ANTHROPIC_SMALL_FAST_MODEL'] as const;

/** What leads Claude Code elsewhere, or shows its vendor's key. */
const CLAUDE_CLEARED = [
  'ANTHROPIC_API_KEY',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
  'CLAUDE_CODE_USE_MANTLE',
  'CLAUDE_CODE_USE_ANTHROPIC_AWS',
] as const;

const CLAUDE_RIVAL_KEYS = [
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_AUTH_TOKEN',
  ...CLAUDE_MODELS,
  ...CLAUDE_SMALL_MODELS,
  ...CLAUDE_CLEARED,
  'model',
];

/** Names that Claude Code takes for its vendor's models, whose windows it knows itself. */
const CLAUDE_NAME = /claude|anthropic|\[1m\]|^(?:opus|sonnet|haiku|fable|opusplan|default)$/i;

/** The window that it takes such a model to have, and the least that it can be set to compact at. */
const CLAUDE_WINDOW = 200_000;
const CLAUDE_MILLION = 1_000_000;
const CLAUDE_LEAST = 100_000;

const claudeWindow = (model: string): number => (/\[1m\]/i.test(model) ? CLAUDE_MILLION : CLAUDE_WINDOW);

/** Where it compacts, and how long its answers may be. */
function claudeSizes({ model, sizes: own, think, thinkSizes = own }: Place): Record<string, string> {
  const sizes = think === undefined ? own : smallerOf(own, thinkSizes);
  const { window } = sizes;
  if (CLAUDE_NAME.test(model)) {
    const isSmaller = window !== undefined && window < claudeWindow(model) && window >= CLAUDE_LEAST;
    return isSmaller ? { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(window) } : {};
  }
  return known({
    CLAUDE_CODE_MAX_CONTEXT_TOKENS: window?.toString(),
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: capOf(sizes)?.toString(),
  });
}

/** Its list of models to choose from: it asks a gateway for those that begin like its vendor's alone. */
function claudePicker({ model, names }: Place): Record<string, string> {
  return names.some((name) => /^(?:claude|anthropic)/.test(name))
    ? { CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: '1' }
    : { ANTHROPIC_CUSTOM_MODEL_OPTION: model };
}

/** Its name for two models in one session: what stands for Opus while it plans, what stands for Sonnet else. */
const CLAUDE_PLANNING = 'opusplan';

function claudeEnv(place: Place): Record<string, string> {
  const { url, key, model, small = model, think } = place;
  const planning: Record<string, string> =
    think === undefined ? {} : { ANTHROPIC_MODEL: CLAUDE_PLANNING, ANTHROPIC_DEFAULT_OPUS_MODEL: think };
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: key,
    ...Object.fromEntries(CLAUDE_MODELS.map((name) => [name, model])),
    ...Object.fromEntries(CLAUDE_SMALL_MODELS.map((name) => [name, small])),
    ...planning,
    ...claudeSizes(place),
    ...claudePicker(place),
    ...Object.fromEntries(CLAUDE_CLEARED.map((name) => [name, ''])),
  };
}

const claudeModel = ({ model, think }: Place): string => (think === undefined ? model : CLAUDE_PLANNING);

/** Its settings have an environment of their own, which wins over the real one: `--settings` wins over all of the user's. */
const claude: Agent = {
  title: 'Claude Code',
  command: 'claude',
  install: 'npm install -g @anthropic-ai/claude-code',
  dialect: 'messages',
  keyForm: 'bearer',
  hasSmall: true,
  hasThink: true,
  file: (place) => ({
    name: 'claude.json',
    text: JSON.stringify({ model: claudeModel(place), env: claudeEnv(place) }),
  }),
  settings: (place, file) => ({ args: ['--settings', file, '--model', claudeModel(place)], env: claudeEnv(place) }),
  advice({ model, sizes: { window } }) {
    if (window === undefined || window >= CLAUDE_LEAST || !CLAUDE_NAME.test(model)) return undefined;
    const other = model
      .replaceAll(/claude|anthropic|\[1m\]/gi, 'local')
      .replace(/^(?:opus|sonnet|haiku|fable|opusplan|default)$/i, 'local-$&');
    return `Claude Code takes ${model} to have a window of ${claudeWindow(model)} tokens, where it has ${window}: use a name without claude for it, such as ${other}`;
  },
  rivals: [
    { path: '~/.claude/settings.json', folderIn: 'CLAUDE_CONFIG_DIR', keys: CLAUDE_RIVAL_KEYS },
    { path: '.claude/settings.json', keys: CLAUDE_RIVAL_KEYS },
    { path: '.claude/settings.local.json', keys: CLAUDE_RIVAL_KEYS },
  ],
};

/** Overrides on its command line win over its file. */
const codex: Agent = {
  title: 'Codex',
  command: 'codex',
  install: 'npm install -g @openai/codex',
  dialect: 'responses',
  keyForm: 'bearer',
  hasSmall: false,
  hasThink: false,
  settings: ({ url, key, model, sizes: { window } }) => ({
    args: [
      'model_provider="interlingua"',
      `model=${JSON.stringify(model)}`,
      'model_providers.interlingua.name="interlingua"',
      `model_providers.interlingua.base_url=${JSON.stringify(`${url}/v1`)}`,
      'model_providers.interlingua.wire_api="responses"',
      'model_providers.interlingua.env_key="INTERLINGUA_LAUNCH_KEY"',
      ...(window === undefined ? [] : [`model_context_window=${window}`]),
    ].flatMap((setting) => ['-c', setting]),
    env: {
      INTERLINGUA_LAUNCH_KEY: key,
      OPENAI_API_KEY: '',
      OPENAI_BASE_URL: '',
      CODEX_API_KEY: '',
    },
  }),
  rivals: [{ path: '~/.codex/config.toml', folderIn: 'CODEX_HOME', keys: ['model_provider', 'model'] }],
};

type GeminiAuth = 'gemini-api-key' | 'vertex-ai';

/** Its environment alone can choose the second; own settings that choose the first win over it, where ours are not read. */
function geminiAuth(own: readonly string[]): GeminiAuth {
  const chosen = own.flatMap((text) => /"selectedType"\s*:\s*"([\w-]+)"/.exec(text)?.[1] ?? []).at(-1);
  return chosen === 'gemini-api-key' ? chosen : 'vertex-ai';
}

/** The window that it takes every model to have whose name it does not know, and the share of one at which we have it compact. */
const GEMINI_WINDOW = 1_048_576;
const GEMINI_SHARE = 0.5;

/** It has no setting for a window, but one for the share of it at which it compacts. */
function geminiThreshold(window: number): number {
  return Number(((GEMINI_SHARE * Math.min(window, GEMINI_WINDOW)) / GEMINI_WINDOW).toPrecision(3));
}

/**
 * Settings of the system win over those of the user and of a folder, where it reads them: newer ones trust files of root only.
 * Then its environment decides, of which its releases understand different parts: all lead to the gateway.
 */
const gemini: Agent = {
  title: 'Gemini CLI',
  command: 'gemini',
  install: 'npm install -g @google/gemini-cli',
  dialect: 'generateContent',
  keyForm: 'x-goog-api-key',
  hasSmall: false,
  hasThink: false,
  trust: { env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' }, words: ['--skip-trust'] },
  file: ({ model, sizes: { window } }, own) => ({
    name: 'gemini.json',
    text: JSON.stringify({
      security: { auth: { selectedType: geminiAuth(own) } },
      model: { name: model, ...(window !== undefined && { compressionThreshold: geminiThreshold(window) }) },
    }),
  }),
  settings: ({ url, key, model }, file, own) => {
    const vertex = geminiAuth(own) === 'vertex-ai';
    return {
      args: ['--model', model],
      env: {
        GEMINI_CLI_SYSTEM_SETTINGS_PATH: file,
        GOOGLE_GEMINI_BASE_URL: url,
        // With both keys it warns at each start.
        GEMINI_API_KEY: vertex ? '' : key,
        GEMINI_MODEL: model,
        GOOGLE_GENAI_USE_VERTEXAI: vertex ? 'true' : '',
        GOOGLE_VERTEX_BASE_URL: url,
        GOOGLE_API_KEY: vertex ? key : '',
        GOOGLE_GENAI_USE_GCA: '',
        GOOGLE_CLOUD_PROJECT: '',
        GOOGLE_CLOUD_LOCATION: '',
      },
    };
  },
  rivals: [
    { path: '~/.gemini/settings.json', folderIn: 'GEMINI_CLI_HOME', keys: ['selectedType', 'enforcedType', 'name'] },
    { path: '.gemini/settings.json', keys: ['selectedType', 'enforcedType', 'name'] },
    { path: '~/.gemini/.env', folderIn: 'GEMINI_CLI_HOME', keys: ['GEMINI_API_KEY', 'GEMINI_MODEL', 'GOOGLE_API_KEY'] },
    { path: '.env', keys: ['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GEMINI_MODEL', 'GOOGLE_API_KEY'] },
  ],
};

/** The agents, by the word on the command line. */
export const AGENTS: ReadonlyMap<string, Agent> = new Map([
  ['claude', claude],
  ['codex', codex],
  ['gemini', gemini],
  ['opencode', opencode],
  ['copilot', copilot],
  ['zed', zed],
]);

export const agentNames: readonly string[] = [...AGENTS.keys()];
