import type { DialectId } from '../../translators/index.js';
import type { KeyForm } from '../dialects/index.js';

/** What an agent is to speak to. */
export interface Place {
  /** Of the gateway, without a trailing slash. */
  readonly url: string;
  readonly key: string;
  readonly model: string;
}

/** A file of settings in our own folder. */
export interface SettingsText {
  readonly name: string;
  readonly text: string;
}

/** What makes an agent speak to a gateway: nothing else of its settings is touched. */
export interface Settings {
  /** In front of the words that the user gives the agent. */
  readonly args: readonly string[];
  /** '' = not set: a variable that is there and empty is in the way of files that would set it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Settings of the agent's own that would lead it elsewhere, and lose. */
export interface Rival {
  /** From the home of the user where it begins with `~/`, else from where the agent is started. */
  readonly path: string;
  /** The variable that names another folder in the place of the one below the home. */
  readonly folderIn?: string;
  /** What of it loses, as it stands there. */
  readonly keys: readonly string[];
}

/** All that is known of an agent. Plain data: what is done with it is nowhere asked by its name. */
export interface Agent {
  readonly title: string;
  readonly command: string;
  /** How it is installed by those who want to. */
  readonly install: string;
  readonly dialect: DialectId;
  /** How it sends its key. */
  readonly keyForm: KeyForm;
  /** A file of settings that it is to read. `own` = the texts of its own settings, the stronger ones behind. */
  file?(place: Place, own: readonly string[]): SettingsText;
  /** `file` = where that lies. */
  settings(place: Place, file: string, own: readonly string[]): Settings;
  readonly rivals: readonly Rival[];
}

const CLAUDE_MODELS = [
  'ANTHROPIC_MODEL',
  'ANTHROPIC_DEFAULT_OPUS_MODEL',
  'ANTHROPIC_DEFAULT_SONNET_MODEL',
  'ANTHROPIC_DEFAULT_HAIKU_MODEL',
  'ANTHROPIC_SMALL_FAST_MODEL',
  'CLAUDE_CODE_SUBAGENT_MODEL',
] as const;

/** What leads Claude Code elsewhere, or tells its vendor's key. */
const CLAUDE_CLEARED = [
  'ANTHROPIC_API_KEY',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
] as const;

const CLAUDE_RIVAL_KEYS = ['ANTHROPIC_BASE_URL', 'ANTHROPIC_AUTH_TOKEN', ...CLAUDE_MODELS, ...CLAUDE_CLEARED, 'model'];

function claudeEnv({ url, key, model }: Place): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: key,
    ...Object.fromEntries(CLAUDE_MODELS.map((name) => [name, model])),
    ...Object.fromEntries(CLAUDE_CLEARED.map((name) => [name, ''])),
  };
}

/** Its settings have an environment of their own, which wins over the real one: `--settings` wins over all of the user's. */
const claude: Agent = {
  title: 'Claude Code',
  command: 'claude',
  install: 'npm install -g @anthropic-ai/claude-code',
  dialect: 'messages',
  keyForm: 'bearer',
  file: (place) => ({ name: 'claude.json', text: JSON.stringify({ model: place.model, env: claudeEnv(place) }) }),
  settings: (place, file) => ({ args: ['--settings', file, '--model', place.model], env: claudeEnv(place) }),
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
  settings: ({ url, key, model }) => ({
    args: [
      'model_provider="interlingua"',
      `model=${JSON.stringify(model)}`,
      'model_providers.interlingua.name="interlingua"',
      `model_providers.interlingua.base_url=${JSON.stringify(`${url}/v1`)}`,
      'model_providers.interlingua.wire_api="responses"',
      'model_providers.interlingua.env_key="INTERLINGUA_LAUNCH_KEY"',
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
  file: ({ model }, own) => ({
    name: 'gemini.json',
    text: JSON.stringify({
      security: { auth: { selectedType: geminiAuth(own) } },
      model: { name: model },
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
]);

export const agentNames: readonly string[] = [...AGENTS.keys()];
