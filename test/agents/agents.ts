import { join } from 'node:path';
import type { JsonObject } from '../../src/simulator/rules/index.js';
import type { FakeDialectName, ReplyCall } from '../support/fake-backend/index.js';

/** What an agent is asked, by whom, and where it keeps its things. */
export interface Task {
  readonly prompt: string;
  /** The model that it is to ask for; its own choice when left out. */
  readonly model?: string;
  /** The server that it takes for its vendor's, and what opens it. */
  readonly url: string;
  readonly key: string;
  /** The value of `x-interlingua-losses` on every request. */
  readonly losses: string;
  /** A folder of its own for settings and sessions. */
  readonly home: string;
}

/** How an agent is started for one task, without a terminal and without anybody to ask. */
export interface Start {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files of settings, by their path below `home`. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A coding agent of a vendor. */
export interface Agent {
  readonly title: string;
  readonly dialect: FakeDialectName;
  /** The script that starts it, below the folder of packages. */
  readonly script: string;
  /** Models to ask for whose requests differ; undefined is the agent's own choice. */
  readonly models: readonly (string | undefined)[];
  start(task: Task): Start;
  /** Its words for a task that it does without anybody to ask. */
  words(prompt: string): readonly string[];
  /** Its name for `interlingua launch`, and what it needs to run in a test. */
  readonly launched: { readonly name: string; env(home: string): Readonly<Record<string, string>> };
  /** How its models run a command; of several the one that it declares to the model. */
  calls(command: string): readonly ReplyCall[];
  /** The answer to what it asks as structured output before it begins. */
  readonly verdict?: JsonObject;
}

const LOSSES = 'x-interlingua-losses';

/** Speaks messages. */
const claudeCode: Agent = {
  title: 'Claude Code',
  dialect: 'messages',
  script: '@anthropic-ai/claude-code/cli-wrapper.cjs',
  models: [undefined, 'claude-haiku-4-5'],
  start: ({ prompt, model, url, key, losses, home }) => ({
    args: [...claudeCode.words(prompt), ...(model === undefined ? [] : ['--model', model])],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_CUSTOM_HEADERS: `${LOSSES}: ${losses}`,
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // Without it root may not skip permissions.
      IS_SANDBOX: '1',
    },
  }),
  words: (prompt) => ['--print', prompt, '--dangerously-skip-permissions'],
  launched: {
    name: 'claude',
    env: (home) => ({
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // Without it root may not skip permissions.
      IS_SANDBOX: '1',
    }),
  },
  calls: (command) => [{ name: 'Bash', arguments: { command, description: 'Read the note' } }],
};

/** Speaks responses. Its newest models get one tool that runs scripts, older ones a tool for each thing to do. */
const codex: Agent = {
  title: 'Codex',
  dialect: 'responses',
  script: '@openai/codex/bin/codex.js',
  models: [undefined, 'gpt-5.5'],
  start: ({ prompt, model, url, key, losses, home }) => {
    const settings = [
      'model_provider="gateway"',
      'model_providers.gateway.name="gateway"',
      `model_providers.gateway.base_url="${url}/v1"`,
      'model_providers.gateway.wire_api="responses"',
      'model_providers.gateway.env_key="GATEWAY_KEY"',
      `model_providers.gateway.http_headers={"${LOSSES}"='${losses}'}`,
      'model_providers.gateway.request_max_retries=0',
      'model_providers.gateway.stream_max_retries=0',
      'check_for_update_on_startup=false',
      'analytics.enabled=false',
    ];
    return {
      args: [
        ...(model === undefined ? [] : ['--model', model]),
        ...settings.flatMap((setting) => ['-c', setting]),
        ...codex.words(prompt),
      ],
      env: { CODEX_HOME: home, GATEWAY_KEY: key },
    };
  },
  words: (prompt) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
  launched: { name: 'codex', env: (home) => ({ CODEX_HOME: home }) },
  calls: (command) => [
    { name: 'exec_command', arguments: { cmd: command } },
    { name: 'functions__exec', arguments: { input: `text(await tools.exec_command({ cmd: '${command}' }));` } },
  ],
};

/** Speaks generateContent. When it chooses the model itself, it first lets a model judge how hard the task is. */
const geminiCli: Agent = {
  title: 'Gemini CLI',
  dialect: 'generateContent',
  script: '@google/gemini-cli/bundle/gemini.js',
  models: [undefined, 'gemini-2.5-pro'],
  start: ({ prompt, model, url, key, losses, home }) => ({
    args: [...geminiCli.words(prompt), ...(model === undefined ? [] : ['--model', model])],
    env: {
      GEMINI_API_KEY: key,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_CUSTOM_HEADERS: `${LOSSES}: ${losses}`,
      GEMINI_CLI_HOME: home,
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
    files: {
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      }),
    },
  }),
  words: (prompt) => ['--prompt', prompt, '--yolo', '--skip-trust'],
  launched: { name: 'gemini', env: (home) => ({ GEMINI_CLI_HOME: home }) },
  calls: (command) => [{ name: 'run_shell_command', arguments: { command, description: 'Read the note' } }],
  verdict: { complexity_reasoning: 'One file is read.', complexity_score: 10 },
};

export const AGENTS: readonly Agent[] = [claudeCode, codex, geminiCli];
