import { type Agent, capOf, known, type Sizes } from './agent.js';

/** The name of the gateway among the providers of an agent. */
const PROVIDER = 'interlingua';

/** A window and a cap where both are known, as most agents want them. */
function limitOf(sizes: Sizes): { readonly context: number; readonly output: number } | undefined {
  const output = capOf(sizes);
  return sizes.window === undefined || output === undefined ? undefined : { context: sizes.window, output };
}

/** What it finds in the variable is merged over all its files. */
export const opencode: Agent = {
  title: 'OpenCode',
  command: 'opencode',
  install: 'npm install -g opencode-ai',
  dialect: 'chatCompletions',
  keyForm: 'bearer',
  hasSmall: true,
  hasThink: true,
  settings({ url, key, model, small = model, think, sizes, smallSizes = sizes, thinkSizes = sizes }) {
    const models = {
      ...(think !== undefined && { [think]: known({ limit: limitOf(thinkSizes) }) }),
      [small]: known({ limit: limitOf(smallSizes) }),
      [model]: known({ limit: limitOf(sizes) }),
    };
    const options = { baseURL: `${url}/v1`, apiKey: key };
    const content = {
      provider: { [PROVIDER]: { npm: '@ai-sdk/openai-compatible', name: PROVIDER, options, models } },
      model: `${PROVIDER}/${model}`,
      small_model: `${PROVIDER}/${small}`,
      ...(think !== undefined && { agent: { plan: { model: `${PROVIDER}/${think}` } } }),
    };
    return { args: [], env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(content) } };
  },
  rivals: [
    { path: '~/.config/opencode/opencode.json', keys: ['model', 'small_model'] },
    { path: 'opencode.json', keys: ['model', 'small_model'] },
  ],
};

/** Its variables for models of one's own win over a login at its vendor, which it then does without. */
export const copilot: Agent = {
  title: 'Copilot CLI',
  command: 'copilot',
  install: 'npm install -g @github/copilot',
  dialect: 'responses',
  keyForm: 'bearer',
  hasSmall: false,
  hasThink: false,
  settings({ url, key, model, sizes }) {
    const limit = limitOf(sizes);
    return {
      args: [],
      env: {
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_TYPE: 'openai',
        COPILOT_PROVIDER_WIRE_API: 'responses',
        COPILOT_PROVIDER_TRANSPORT: 'http',
        COPILOT_PROVIDER_API_KEY: key,
        // It would win.
        COPILOT_PROVIDER_BEARER_TOKEN: '',
        COPILOT_MODEL: model,
        COPILOT_OFFLINE: 'true',
        ...known({
          COPILOT_PROVIDER_MAX_PROMPT_TOKENS: limit && String(limit.context - limit.output),
          COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: capOf(sizes)?.toString(),
        }),
      },
    };
  },
  rivals: [],
};

/** All but its key stands in its own file of settings. */
export const zed: Agent = {
  title: 'Zed',
  command: 'zed',
  install: 'https://zed.dev/download',
  dialect: 'responses',
  keyForm: 'bearer',
  printOnly: true,
  needsWindow: true,
  hasSmall: true,
  hasThink: false,
  settings({ url, key, model, small, sizes, smallSizes = sizes }) {
    const capabilities = {
      tools: true,
      images: true,
      parallel_tool_calls: true,
      prompt_cache_key: true,
      // It speaks responses then.
      chat_completions: false,
    };
    const sized = new Map([
      [small ?? model, smallSizes],
      [model, sizes],
    ]);
    const available_models = [...sized].map(([name, its]) => {
      return { name, max_tokens: its.window, max_output_tokens: capOf(its), capabilities };
    });
    const chosen = (name: string) => ({ provider: PROVIDER, model: name });
    const background =
      small === undefined ? {} : { thread_summary_model: chosen(small), commit_message_model: chosen(small) };
    const value = {
      language_models: { openai_compatible: { [PROVIDER]: { api_url: `${url}/v1`, available_models } } },
      agent: { default_model: chosen(model), ...background },
    };
    return {
      args: [],
      env: { INTERLINGUA_API_KEY: key },
      settings: { file: '~/.config/zed/settings.json', value },
    };
  },
  rivals: [],
};
