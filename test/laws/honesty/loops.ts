import type { DialectId } from '../../../translators/index.js';
import { type Data, readData } from '../../support/frames.js';
import { has } from '../dialects/index.js';
import { profileOf, type Target } from './targets.js';

/** A request as the official client of a dialect sends it in the middle of an agent's work. */
export interface Loop {
  readonly name: string;
  readonly from: DialectId;
  readonly body: Record<string, unknown>;
  readonly stream?: boolean;
}

const { bodies, loops } = readData('laws/honesty/loops.yaml');

/** The loops, plain first, then with the settings that clients commonly add. */
export const LOOPS: readonly Loop[] = loops.map(({ with: settings, ...loop }: Data) => ({
  ...loop,
  body: { ...bodies[loop.from], ...settings },
}));

/** What stops a loop in strict, and why the matrix says that this is right. */
export interface Stopped {
  readonly loops: readonly string[];
  readonly feature: string;
  readonly why: string;
  stops(target: Target): boolean;
}

const MEDIUM = ['thinking with an effort', 'reasoning with an effort and a summary'];
const SIZED = [...MEDIUM, 'thoughts with a level'];
const THINKING = [...SIZED, 'thinking of its own size', 'thinking with a budget', 'thoughts of their own size'];

export const STOPPED: readonly Stopped[] = [
  {
    loops: ['temperature'],
    feature: 'sampling.temperature',
    why: 'the model does not support sampling settings, so answers vary more than was asked for (translation.md 2.11)',
    stops: (target) => {
      const { sampling, thinking } = profileOf(target);
      return sampling.includes('none') || (sampling.includes('none-when-reasoning') && thinking.defaultOn);
    },
  },
  {
    loops: ['strict tools'],
    feature: 'tool.strict',
    why: 'calls are held to schemas for all functions or for none, and not as strictly (2.8)',
    stops: ({ dialect }) => has(dialect, 'strictByChoice'),
  },
  {
    loops: ['strict tools'],
    feature: 'tool.strict',
    why: 'the server does not enforce tool schemas (translation.md 2.8)',
    stops: (target) => target.dialect === 'chatCompletions' && !profileOf(target).strictTools,
  },
  {
    loops: THINKING,
    feature: 'reasoning.mode',
    why: 'the model does not reason (2.12)',
    stops: (target) => profileOf(target).thinking.control === 'none',
  },
  {
    loops: MEDIUM,
    feature: 'reasoning.effort',
    why: 'a model without medium thinks more or less than was asked for (2.12)',
    stops: (target) => {
      const { control, levels } = profileOf(target).thinking;
      return ['level', 'effort'].includes(control) && !levels.includes('medium');
    },
  },
  {
    loops: ['thoughts with a level'],
    feature: 'reasoning.effort',
    why: 'a model that only begins to think when asked has no levels (translation.md 2.12)',
    stops: (target) => {
      const { control, levels } = profileOf(target).thinking;
      return control === 'effort' && levels.length === 0;
    },
  },
  {
    loops: ['thinking with a budget'],
    feature: 'reasoning.budget',
    why: 'a number of tokens becomes a level (2.12)',
    stops: (target) => ['level', 'effort'].includes(profileOf(target).thinking.control),
  },
  {
    loops: ['an answer in a schema'],
    feature: 'output.strict',
    why: 'there is no switch that holds the answer to its schema as strictly (2.10)',
    stops: ({ dialect }) => has(dialect, 'strictByChoice'),
  },
  {
    loops: ['an answer in a schema'],
    feature: 'output.strict',
    why: 'the server may not enforce the schema of the answer (translation.md 2.10)',
    stops: (target) => {
      const { schemaOutput, strictTools } = profileOf(target);
      return target.dialect === 'chatCompletions' && schemaOutput && !strictTools;
    },
  },
  {
    loops: ['an answer in a schema'],
    feature: 'output.schema',
    why: 'the schema is asked for in words (translation.md 2.10)',
    stops: (target) => target.dialect === 'chatCompletions' && !profileOf(target).schemaOutput,
  },
];
