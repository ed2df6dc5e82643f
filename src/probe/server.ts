import { dialects } from '../../translators/index.js';
import type { BackendConfig } from '../config/index.js';
import type { PresetName } from '../presets/index.js';
import { countOf, objectOf, objectsIn, textOf } from './parsed.js';
import { isPlain } from './plain.js';
import type { Reply, Sender } from './sender.js';
import type { ProbedModel, ProbedServer } from './types.js';

/** By what a server shows which one it is. */
interface Sign {
  readonly title: string;
  readonly preset?: PresetName;
  /** Who owns the models of its list. */
  readonly owner?: RegExp;
  /** A header of its answers, whose value may be the version. */
  readonly header?: readonly [name: string, value: RegExp];
  /** Where it reports its version, and what else. */
  readonly route?: string;
  read?(body: unknown): Pick<ProbedServer, 'version' | 'abilities'> & { readonly window?: number };
}

const SIGNS: readonly Sign[] = [
  { title: 'LiteLLM', header: ['x-litellm-version', /^(\d[\w.-]*)$/] },
  {
    title: 'vLLM',
    preset: 'vllm',
    owner: /^vllm$/,
    route: '/version',
    read: (body) => ({ version: textOf(objectOf(body).version) }),
  },
  {
    title: 'Ollama',
    preset: 'ollama',
    owner: /^library$/,
    route: '/api/version',
    read: (body) => ({ version: textOf(objectOf(body).version) }),
  },
  {
    title: 'llama.cpp',
    preset: 'llamacpp',
    owner: /^llamacpp$/,
    header: ['server', /^llama\.cpp$/],
    route: '/props',
    read(body) {
      const { build_info: version, default_generation_settings: settings, modalities } = objectOf(body);
      const abilities = Object.entries(objectOf(modalities)).flatMap(([name, has]) => (has === true ? [name] : []));
      const window = countOf(objectOf(settings).n_ctx);
      return { version: textOf(version), abilities, ...(window !== undefined && { window }) };
    },
  },
  {
    title: 'SGLang',
    preset: 'sglang',
    owner: /^sglang$/,
    route: '/get_server_info',
    read: (body) => ({ version: textOf(objectOf(body).version) }),
  },
  { title: 'LM Studio', preset: 'lmstudio', owner: /^organization_owner$/ },
  { title: 'llama-cpp-python', owner: /^me$/ },
];

/** Routes that are tried at a server of one's own whose list shows nothing. */
const GUESSES: readonly PresetName[] = ['vllm', 'ollama', 'llamacpp'];

/** What a server reports of itself. */
export interface Identity {
  readonly server: ProbedServer;
  readonly models: readonly ProbedModel[];
  /** Why there was no answer at all. */
  readonly silence?: string;
}

const LIST_BYTES = 2 * 1024 * 1024;
const MOST_MODELS = 1000;

/** Reads the list of models and, where it is reported, which server it is. `mayGuess`: routes of servers may be tried that it need not be. */
export async function identify(sender: Sender, hosts: readonly BackendConfig[], mayGuess: boolean): Promise<Identity> {
  const [host] = hosts;
  if (host === undefined) return { server: {}, models: [] };
  const path = dialects[host.dialect].endpoint('models', { model: '', stream: false });
  const list = await sender.send(host, { method: 'GET', path, bytes: LIST_BYTES });
  if (list.status === 0) return { server: {}, models: [], silence: list.failure ?? 'it does not answer' };
  const models = modelsIn(host, list);
  const owners = objectsIn(objectOf(list.json).data).map(({ owned_by: owner }) => textOf(owner));
  const sign =
    SIGNS.find(({ header }) => header?.[1].test(list.headers[header[0]] ?? '')) ??
    SIGNS.find(({ owner }) => owner !== undefined && owners.some((name) => owner.test(name)));
  if (sign !== undefined) return withRoute(sender, host, sign, list, models);
  const { preset } = host;
  if (preset !== undefined) {
    const known = SIGNS.find((one) => one.preset === preset.name);
    return { server: { ...(known && { title: known.title }), preset: preset.name, by: `its ${preset.by}` }, models };
  }
  if (mayGuess) {
    for (const name of GUESSES) {
      const guess = SIGNS.find((one) => one.preset === name);
      const reply = await sender.look(host, guess?.route ?? '/');
      const reported = reply.status === 200 ? guess?.read?.(reply.json) : undefined;
      if (guess !== undefined && reported?.version)
        return identityOf(sender, guess, reported, 'its route of the version', models);
    }
  }
  return { server: {}, models };
}

async function withRoute(
  sender: Sender,
  host: BackendConfig,
  sign: Sign,
  list: Reply,
  models: readonly ProbedModel[],
): Promise<Identity> {
  const { header, route, read } = sign;
  const isHeader = header?.[1].test(list.headers[header[0]] ?? '') === true;
  const by = isHeader ? `its header ${header[0]}` : 'its list of models';
  const [, version = ''] = (isHeader && header[1].exec(list.headers[header[0]] ?? '')) || [];
  if (route === undefined || read === undefined) return identityOf(sender, sign, { version }, by, models);
  const reply = await sender.look(host, route);
  return identityOf(sender, sign, reply.status === 200 ? read(reply.json) : {}, by, models);
}

function identityOf(
  sender: Sender,
  { title, preset }: Sign,
  { version = '', abilities = [], window }: ReturnType<NonNullable<Sign['read']>>,
  by: string,
  models: readonly ProbedModel[],
): Identity {
  const reported = abilities.map((name) => sender.say(name, 40));
  return {
    server: {
      title,
      ...(version !== '' && { version: sender.say(version, 60) }),
      by,
      ...(preset !== undefined && { preset }),
      ...(reported.length > 0 && { abilities: reported }),
    },
    // The window that runs, and not the one that the model was made with.
    models: window === undefined ? models : models.map((model) => ({ ...model, window })),
  };
}

function modelsIn({ dialect, name }: BackendConfig, { status, json }: Reply): readonly ProbedModel[] {
  if (status !== 200) return [];
  try {
    return dialects[dialect].models
      .decodeList(json, name)
      .models.slice(0, MOST_MODELS)
      .flatMap(({ id, inputLimit, outputLimit }) =>
        // A name that cannot be printed as it is cannot be asked for by anybody.
        isPlain(id)
          ? [
              {
                id,
                ...(inputLimit !== undefined && { window: inputLimit }),
                ...(outputLimit !== undefined && { maxOutput: outputLimit }),
              },
            ]
          : [],
      );
  } catch {
    return [];
  }
}

/** Names of models that hold no conversations. */
const OTHERS = /embed|bge-|rerank|whisper|tts|dall-e|moderation|image|clip-/i;

/** What the headers of an answer show; undefined where they show nothing. */
export function shownBy(sender: Sender, headers: Reply['headers']): ProbedServer | undefined {
  for (const { title, preset, header } of SIGNS) {
    const found = header?.[1].exec(headers[header[0]] ?? '');
    if (header === undefined || !found) continue;
    const version = sender.say(found[1] ?? '', 60);
    const by = `its header ${header[0]}`;
    return { title, ...(version !== '' && { version }), by, ...(preset !== undefined && { preset }) };
  }
  return undefined;
}

/** The first model of a list that may hold a conversation. */
export function firstModel(models: readonly ProbedModel[]): string | undefined {
  return (models.find(({ id }) => !OTHERS.test(id)) ?? models[0])?.id;
}
