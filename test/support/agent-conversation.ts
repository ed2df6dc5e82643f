import type { DialectId } from '../../translators/index.js';
import { tableOf } from './dialects/index.js';
import { requestTo } from './requests.js';
import type { Sending, Turn } from './wire/requests.js';
import { call, text } from './wire/wire.js';

/** A long agent conversation in each dialect: material for benchmarks and laws. */

const PARAGRAPH =
  'The build runs in three steps: it resolves the workspace, compiles every package in order of dependency and then ' +
  'links the outputs. "Quotes", back\\slashes and ünïcode — all of it occurs in real files.\n';

const TOOL_NAMES = ['read_file', 'write_file', 'list_folder', 'search', 'run_command', 'fetch_page'] as const;

const QUESTION = 'Find out why the build is slow and mend it.';

const MODELS = tableOf('model');

/** `steps` rounds of call and result with about 1.6 kB each; 60 steps make about 100 kB. */
export function agentConversation(dialect: DialectId, steps: number): Readonly<Record<string, unknown>> {
  const rounds = Array.from({ length: steps }, (_, step): Turn[] => {
    const id = `call_${step.toString(36).padStart(6, '0')}`;
    const name = TOOL_NAMES[step % TOOL_NAMES.length] ?? 'read_file';
    const path = `packages/core/src/module-${step}.ts`;
    const args = JSON.stringify({ path, lines: [step, step + 40], recursive: step % 2 === 0 });
    const thought = `Step ${step}: look at the next file before changing anything.`;
    return [
      { says: [text(thought), call(id, name, args)] },
      { result: `${PARAGRAPH.repeat(5)}line ${step}`, id, name },
    ];
  });
  return requestTo(dialect, {
    model: MODELS[dialect],
    cap: 4096,
    system: PARAGRAPH.repeat(12),
    tools: TOOL_NAMES.map((name) => toolOf(name, 1)),
    turns: [QUESTION, ...rounds.flat(), 'Go on until the tests are green.'],
  }).body;
}

/** For which model an agent asks, and how. */
export interface AgentCall {
  readonly model: string;
  readonly stream: boolean;
  /** Whether the answer is to be stored, where the dialect can say so. */
  readonly stored: boolean;
}

/**
 * What coding agents send first, as far as its parts go: `tools` with about 2 kB each, instructions of about `system` paragraphs
 * of 200 bytes, and one question. 24 tools and 200 paragraphs make about 90 kB.
 */
export function agentOpening(
  dialect: DialectId,
  { tools, system }: { readonly tools: number; readonly system: number },
  { model, stream, stored }: AgentCall,
): Sending {
  return requestTo(dialect, {
    model,
    framing: stream ? 'stream' : 'plain',
    stored,
    cap: 4096,
    system: PARAGRAPH.repeat(system),
    tools: Array.from({ length: tools }, (_, index) => toolOf(`${TOOL_NAMES[index % 6]}_${index}`, tools > 6 ? 9 : 1)),
    turns: [QUESTION, 'Begin with the slowest package.'],
  });
}

const SCHEMA = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path below the workspace.' },
    lines: { type: 'array', items: { type: 'integer' }, description: 'First and last line.' },
    recursive: { type: 'boolean' },
  },
  required: ['path'],
};

function toolOf(name: string, paragraphs: number) {
  return { name, description: `Use ${name} for what its name says. ${PARAGRAPH.repeat(paragraphs)}`, schema: SCHEMA };
}
