import type { ConfigInput } from '../config/index.js';
import type { Draft, TargetInput } from './draft.js';
import { type Fields, fieldsOf, type Placed } from './fields.js';
import { addressOf, faultOfPlace, keyFor, type Provider, placeOf, providerOf } from './providers.js';
import { noteRest } from './rest.js';

type BackendInput = ConfigInput['backends'][string];

/** How claude-code-router refers to variables of the environment. */
export const ROUTER_REFERENCES = { pattern: /\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)/g };

/** Reads a `config.json` of claude-code-router. Its models keep their names of the form `provider,model`. */
export function importClaudeCodeRouter(source: Fields, draft: Draft): void {
  const names = new Map<string, readonly TargetInput[]>();
  for (const entry of source.list('Providers', 'providers')) {
    const provider = fieldsOf(entry);
    const name = provider.text('name') ?? 'provider';
    const made = backendOf(name, provider, draft);
    if (made === undefined) {
      provider.close();
      draft.note(entry.path, 'no place', `${name} has no address`);
    } else {
      const { backend, sizeOf } = made;
      for (const { value: model, path } of provider.list('models')) {
        if (typeof model !== 'string') {
          draft.note(path, 'no place', 'is no name of a model');
          continue;
        }
        const target = { backend, model: draft.reference(model), ...sizeOf(model) };
        const full = `${name},${model}`;
        if (draft.targetsOf(full) !== undefined) draft.note(path, 'no place', `${full} is named before`);
        else draft.model(full, [target]);
        names.set(model, [...(names.get(model) ?? []), target]);
      }
    }
    noteRest([provider], draft, REASONS);
  }
  // A model that one provider alone has goes by its own name too.
  for (const [model, targets] of names) if (targets.length === 1) draft.model(model, targets);
  routes(source.map('Router', 'router'), draft);
  server(source, draft);
  noteRest([source], draft, REASONS);
}

function backendOf(name: string, provider: Fields, draft: Draft) {
  const given = provider.text('api_base_url', 'baseUrl', 'api_base');
  if (given === undefined) return undefined;
  const transformer = transformersOf(provider, draft);
  const vendor = transformer.vendor ?? (providerOf(name) && name);
  const known: Provider | undefined = transformer.dialect ?? (vendor === undefined ? undefined : providerOf(vendor));
  const place = placeOf(known, addressOf(given, provider.at('api_base_url'), draft), 'chatCompletions');
  if (faultOfPlace(place) !== undefined) return undefined;
  const apiKey = keyFor(place, name, { text: provider.text('api_key', 'apiKey'), path: provider.at('api_key') }, draft);
  const entry: BackendInput = { ...place, ...(apiKey !== undefined && { apiKey }) };
  return { backend: draft.backend(name, entry), sizeOf: transformer.sizeOf };
}

/** What speaks for a vendor's dialect; the others make a request fit a server of chat completions, as profiles do here. */
const DIALECTS: Readonly<Record<string, { readonly vendor?: string; readonly dialect?: Provider }>> = {
  anthropic: { dialect: { dialect: 'messages' } },
  gemini: { vendor: 'gemini' },
  'openai-response': { dialect: { dialect: 'responses' } },
  'openai-responses': { dialect: { dialect: 'responses' } },
};

/** Transformers that translation does without being asked. */
const DONE = new Set([
  'openai',
  'deepseek',
  'openrouter',
  'groq',
  'cerebras',
  'reasoning',
  'cleancache',
  'streamoptions',
  'maxcompletiontokens',
]);

/** `use` = what all models get; a list of the name of a model = what that one gets. */
function transformersOf(provider: Fields, draft: Draft) {
  const transformer = provider.map('transformer');
  const sizes = new Map<string, number>();
  let spoken: (typeof DIALECTS)[string] = {};
  const read = (placed: Placed, model: string): void => {
    const parts: readonly unknown[] = Array.isArray(placed.value) ? placed.value : [placed.value];
    const word = String(parts[0]).toLowerCase();
    const options = fieldsOf({ value: parts[1], path: `${placed.path}[1]` });
    const size = word === 'maxtoken' ? options.number('max_tokens') : undefined;
    if (size !== undefined) sizes.set(model, size);
    else if (Object.hasOwn(DIALECTS, word)) spoken = DIALECTS[word] ?? {};
    else if (!DONE.has(word))
      draft.note(
        placed.path,
        'no place',
        `the transformer ${word} has no counterpart: calls and reasoning are translated as the model needs it`,
      );
    noteRest([options], draft, REASONS);
  };
  for (const name of transformer.names()) {
    if (name === 'use') for (const placed of transformer.list('use')) read(placed, '');
    else for (const placed of transformer.map(name).list('use')) read(placed, name);
  }
  const sizeOf = (model: string): Pick<TargetInput, 'maxOutput'> => {
    const size = sizes.get(model) ?? sizes.get('');
    return size === undefined ? {} : { maxOutput: size };
  };
  return { ...spoken, sizeOf };
}

/** What Claude Code calls its small models, for which ccr has a route of its own. */
const SMALL = ['claude-haiku-*', 'claude-3-5-haiku-*', 'claude-3-haiku-*'];

const LAUNCH = 'interlingua launch claude --model default --small background --think think';

function routes(router: Fields, draft: Draft): void {
  const route = (name: string): readonly TargetInput[] | undefined => {
    const text = router.text(name);
    if (text === undefined) return undefined;
    const targets = draft.targetsOf(text);
    if (targets === undefined) draft.note(router.at(name), 'no place', `${text} is no model of its providers`);
    else draft.model(name, targets);
    return targets;
  };
  const [all, small] = [route('default'), route('background')];
  if (small !== undefined) for (const pattern of SMALL) draft.model(pattern, small);
  if (all !== undefined) draft.model('*', all);
  if (route('think') !== undefined)
    draft.note(router.at('think'), 'changed', `a model is chosen by its name: \`${LAUNCH}\` chooses it for thinking`);
  if (route('longContext') !== undefined)
    draft.note(
      router.at('longContext'),
      'changed',
      'requests are not routed by their length: it is a model of that name',
    );
  if (route('webSearch') !== undefined)
    draft.note(router.at('webSearch'), 'changed', 'requests are not routed by their tools: it is a model of that name');
  if (route('image') !== undefined)
    draft.note(router.at('image'), 'changed', 'requests are not routed by their images: it is a model of that name');
}

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

function server(source: Fields, draft: Draft): void {
  const key = draft.secret(source.text('APIKEY'), source.at('APIKEY'), 'CLAUDE_CODE_ROUTER_KEY');
  if (key !== undefined) {
    draft.key({ name: 'claude-code', key, operator: true });
    draft.note(source.at('APIKEY'), 'changed', 'is a key of one caller; it needs 16 characters or more');
  }
  const [host, port] = [source.text('HOST'), source.number('PORT')];
  // Without a key it listens to this machine alone, whatever its setting is.
  const listen = { ...(host !== undefined && key !== undefined && { host }), ...(port !== undefined && { port }) };
  if (Object.keys(listen).length > 0) draft.set({ listen });
  if (host !== undefined && key === undefined)
    draft.note(source.at('HOST'), 'changed', 'without a key only this machine is listened to');
  const wait = source.number('API_TIMEOUT_MS');
  if (wait !== undefined && wait > 0) draft.set({ limits: { totalSeconds: wait / 1000 } });
  const named = source.text('LOG_LEVEL');
  const level = source.flag('LOG') === false ? 'silent' : LEVELS.find((one) => one === named);
  if (level !== undefined) draft.set({ log: { level } });
}

/** Why settings have no place, by the end of their paths. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^PROXY_URL$/, 'set HTTPS_PROXY in the environment'],
  [/^CUSTOM_ROUTER_PATH$/, 'models are chosen by their names: programs are not run'],
  [/^transformers\b|^transformers$/, 'programs are not run'],
  [/longContextThreshold$/, 'requests are not routed by their length'],
  [/^NON_INTERACTIVE_MODE$/, 'the gateway asks nothing'],
  [/^StatusLine$/i, 'the gateway shows nothing in the agent'],
  [/API_?KEY$/, 'variables stand in the environment'],
];
