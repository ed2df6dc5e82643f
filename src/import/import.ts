import { ConfigError, type ConfigInput, configOf, parseYaml, YamlError } from '../config/index.js';
import { isObject } from '../ground/index.js';
import { importClaudeCodeRouter, ROUTER_REFERENCES } from './claude-code-router.js';
import { createDraft, type Draft, type Note, type References } from './draft.js';
import { type Fields, fieldsOf } from './fields.js';
import { importLitellm, LITELLM_REFERENCES } from './litellm.js';
import { importPortkey, PORTKEY_REFERENCES } from './portkey.js';
import { printFile } from './print.js';

/** The gateways whose configuration is read. */
export const SOURCES = ['litellm', 'portkey', 'claude-code-router'] as const;

export type SourceName = (typeof SOURCES)[number];

/** A configuration of ours that was made of another one. */
export interface Imported {
  readonly config: ConfigInput;
  /** What has no place, is something else, or was a secret in clear; nothing else of the source is missing. */
  readonly notes: readonly Note[];
  /** The variables of the environment that the file refers to. */
  readonly variables: readonly string[];
  /** The file in YAML, with the notes in comments. */
  readonly text: string;
}

/** A source that is none, or that gives no valid file. The message is one line and quotes no value. */
export class ImportError extends Error {}

const READERS: Readonly<
  Record<SourceName, readonly [read: (source: Fields, draft: Draft) => void, references: References]>
> = {
  litellm: [importLitellm, LITELLM_REFERENCES],
  portkey: [importPortkey, PORTKEY_REFERENCES],
  'claude-code-router': [importClaudeCodeRouter, ROUTER_REFERENCES],
};

/** Makes our configuration of another gateway's. Secrets become references to variables. Throws ImportError. */
export function importConfig(name: SourceName, text: string, file: string): Imported {
  const value = parsed(text, file);
  if (!isObject(value)) throw new ImportError(`${file} holds no map of settings`);
  const [read, references] = READERS[name];
  const draft = createDraft(references);
  read(fieldsOf({ value, path: '' }), draft);
  const { config, notes, variables } = draft.finish();
  if (Object.keys(config.models ?? {}).length === 0) {
    const [first] = notes;
    throw new ImportError(
      `${file} names no model that can be served${first === undefined ? '' : ` (${first.path}: ${first.message})`}`,
    );
  }
  const printed = printFile(config, notes, `${name}, made from ${file}`);
  check(printed, variables, file);
  return { config, notes, variables, text: printed };
}

/** The value of a text of YAML or JSON, which may have comments and trailing commas. */
function parsed(text: string, file: string): unknown {
  const whole = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(whole);
  } catch {
    // YAML, or the JSON that people write by hand.
  }
  try {
    return parseYaml(/^\s*(?:\{|\/[/*])/.test(whole) ? withoutComments(whole) : whole);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new ImportError(`${file}:${error.place.line}:${error.place.column}: ${error.message}`);
  }
}

/** Line breaks stay, so that places are those of the file. What is not closed ends with the text. Tabs may stand anywhere in JSON. */
function withoutComments(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\t/g, (part) =>
    part.startsWith('"') ? part : part.replace(/[^\n]/g, ' '),
  );
}

/** By its end it is read as YAML. */
const MADE = 'interlingua.yaml';

/** Reads the file as a start would, with something in every variable. */
function check(text: string, variables: readonly string[], file: string): void {
  const environment = Object.fromEntries(variables.map((name) => [name, standIn(name, text)]));
  try {
    configOf({ name: MADE, path: MADE, text }, environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [first] = error.problems;
    throw new ImportError(`what ${file} says gives no valid configuration: ${first?.path}: ${first?.reason}`);
  }
}

/** An address where one stands, else a key. */
function standIn(name: string, text: string): string {
  const lines = text.split('\n').filter((line) => line.includes(`\${${name}}`));
  if (lines.some((line) => /baseUrl: ["']?\$\{/.test(line))) return 'http://127.0.0.1:9';
  return lines.some((line) => /baseUrl: /.test(line)) ? 'us-east-1' : 'a-key-that-stands-in';
}
