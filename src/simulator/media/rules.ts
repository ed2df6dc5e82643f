import { Refusal } from '../http.js';
import { isObject, type JsonObject, stringOf } from '../json.js';
import type { MediaForm, SentFile } from './form.js';

type Operation = 'generations' | 'edits' | 'variations';

/** What the models of a family take (media.md 1.1 to 1.4, 2.1). */
interface Family {
  readonly names: RegExp;
  readonly operations: readonly Operation[];
  /** Longest prompt, in characters. */
  readonly prompt: number;
  readonly most: number;
  readonly sizes: RegExp;
  /** How the sizes are told. */
  readonly told: string;
  readonly qualities: readonly string[];
  readonly styles?: boolean;
  readonly streams?: boolean;
  /** Files must be PNG below 4 MB; else PNG, WEBP or JPEG below 25 MB. */
  readonly small?: boolean;
}

const SMALL = '256x256, 512x512, 1024x1024';
const RATIO = /^\d{1,2}[:x]\d{1,2}$/;

const MULTI = {
  operations: ['generations', 'edits'],
  prompt: 32_000,
  most: 10,
  qualities: ['low', 'medium', 'high', 'auto'],
  streams: true,
} as const;

const FAMILIES: readonly Family[] = [
  {
    names: /^(?:img-legacy|dall-e-2)/,
    operations: ['generations', 'edits', 'variations'],
    prompt: 1000,
    most: 10,
    sizes: /^(?:256x256|512x512|1024x1024)$/,
    told: SMALL,
    qualities: ['standard'],
    small: true,
  },
  {
    names: /^(?:img-v3|dall-e-3)/,
    operations: ['generations'],
    prompt: 4000,
    most: 1,
    sizes: /^(?:1024x1024|1792x1024|1024x1792)$/,
    told: '1024x1024, 1792x1024, 1024x1792',
    qualities: ['standard', 'hd'],
    styles: true,
  },
  { names: /^(?:img-multi-2|gpt-image-2)/, ...MULTI, sizes: /^(?:\d{2,4}x\d{2,4}|auto)$/, told: 'WIDTHxHEIGHT, auto' },
  {
    names: /^(?:img-multi|gpt-image|chatgpt-image)/,
    ...MULTI,
    sizes: /^(?:1024x1024|1536x1024|1024x1536|auto)$/,
    told: '1024x1024, 1536x1024, 1024x1536, auto',
  },
  {
    names: /^(?:img-ctx|flux[-.\w]*kontext)/,
    operations: ['generations', 'edits'],
    prompt: 32_000,
    most: 10,
    sizes: RATIO,
    told: 'a ratio such as 16x9',
    qualities: [],
  },
  {
    names: /^(?:img-wide|imagen-)/,
    operations: ['generations'],
    prompt: 32_000,
    most: 10,
    sizes: /^(?:1:1|9:16|16:9|3:4|4:3)$/,
    told: '1:1, 9:16, 16:9, 3:4, 4:3',
    qualities: [],
  },
];

/** A model that nobody knows takes what any of them takes. */
const ANY: Family = {
  names: /^/,
  operations: ['generations', 'edits', 'variations'],
  prompt: 32_000,
  most: 10,
  sizes: /^(?:\d{1,4}[x:]\d{1,4}|auto)$/,
  told: 'WIDTHxHEIGHT, a ratio, auto',
  qualities: ['standard', 'hd', 'low', 'medium', 'high', 'auto'],
  styles: true,
  streams: true,
};

const RATIOS = 'match_input_image, 1:1, 16:9, 9:16, 4:3, 3:4, 3:2, 2:3, 4:5, 5:4, 21:9, 9:21, 2:1, 1:2'.split(', ');

/** Refuses what an image route does not take; the first fault found is told. */
export function checkImages(form: MediaForm, operation: Operation): void {
  const { fields, files } = form;
  const model = stringOf(fields.model);
  const family = FAMILIES.find(({ names }) => names.test(model)) ?? ANY;
  if (!family.operations.includes(operation)) {
    throw invalid('model', `The model '${model}' does not take /v1/images/${operation}.`, 'invalid_value');
  }
  if (operation !== 'variations') checkPrompt(fields.prompt, family.prompt);
  checkWhole(form, 'n', 1, family.most);
  checkWord(fields, 'response_format', ['url', 'b64_json']);
  checkWord(fields, 'quality', family.qualities);
  checkWord(fields, 'style', family.styles === true ? ['vivid', 'natural'] : []);
  checkSize(fields.size, family);
  checkWhole(form, 'partial_images', 0, 3);
  checkWhole(form, 'output_compression', 0, 100);
  checkWhole(form, 'safety_tolerance', 0, 6);
  checkWhole(form, 'seed', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  checkWord(fields, 'aspect_ratio', RATIOS);
  checkWord(fields, 'output_format', ['png', 'jpeg', 'jpg', 'webp']);
  checkWord(fields, 'background', ['transparent', 'opaque', 'auto']);
  checkWord(fields, 'moderation', ['low', 'auto']);
  checkWord(fields, 'input_fidelity', ['low', 'high']);
  if (String(fields.stream) === 'true' && family.streams !== true) {
    throw invalid('stream', `The model '${model}' does not stream pictures.`, 'unsupported_parameter');
  }
  if (operation === 'generations') return;
  const pictures = files.filter(({ name }) => PICTURE.test(name));
  if (pictures.length === 0 && !Object.keys(fields).some((name) => PICTURE.test(name))) throw missing('image');
  const alone = family.small === true || operation === 'variations';
  if (alone && pictures.length > 1) throw invalid('image', 'Only one image is taken.', 'invalid_value');
  for (const file of pictures) checkFile(file, alone);
  for (const file of files.filter(({ name }) => name === 'mask')) checkFile(file, true);
}

const PICTURE = /^images?(?:\[\d*\])?$/;
const MB = 1_048_576;

function checkFile({ name, size, kind }: SentFile, small: boolean): void {
  const most = small ? 4 : 25;
  if (size === 0) throw invalid(name, `Invalid file '${name}': it is empty.`, 'empty_file');
  if (size >= most * MB) {
    throw invalid(name, `Invalid file '${name}': uploads must be less than ${most} MB.`, 'file_too_large');
  }
  if (kind === undefined || (small && kind !== 'png')) {
    const kinds = small ? 'PNG' : 'PNG, WEBP or JPEG';
    throw invalid(name, `Invalid file '${name}': it must be ${kinds}.`, 'unsupported_file_mimetype');
  }
}

/** Refuses what the video route does not take (media.md 1.5). */
export function checkVideo({ fields }: MediaForm, isRemix: boolean): void {
  checkPrompt(fields.prompt, 32_000);
  if (isRemix) return;
  const { seconds, size, metadata } = fields;
  if (isGiven(seconds) && !/^[1-9]\d{0,2}$/.test(stringOf(seconds))) {
    throw invalid('seconds', `Invalid value: '${String(seconds)}'. Expected a number of seconds as a string.`);
  }
  if (isGiven(size) && !/^[1-9]\d{1,3}x[1-9]\d{1,3}$/.test(stringOf(size))) {
    throw invalid('size', `Invalid size '${String(size)}'. Expected WIDTHxHEIGHT.`);
  }
  if (isGiven(metadata) && !isObject(metadata) && !isObject(parsed(metadata))) {
    throw invalid('metadata', "Invalid 'metadata': expected a JSON object as a string.");
  }
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(stringOf(text));
  } catch {
    return undefined;
  }
}

/** A parameter that must be there is not. */
function missing(param: string): Refusal {
  return new Refusal(400, `Missing required parameter: '${param}'.`, { param, code: 'missing_required_parameter' });
}

function invalid(param: string, message: string, code = 'invalid_value'): Refusal {
  return new Refusal(400, message, { param, code });
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function checkPrompt(prompt: unknown, most: number): void {
  if (!isGiven(prompt) || prompt === '') throw missing('prompt');
  if (typeof prompt !== 'string')
    throw invalid('prompt', "Invalid type for 'prompt': expected a string.", 'invalid_type');
  const length = prompt.length > most ? Array.from(prompt).length : prompt.length;
  if (length <= most) return;
  const message = `Invalid 'prompt': string too long. Expected a string with maximum length ${most}, but got a string with length ${length} instead.`;
  throw invalid('prompt', message, 'string_above_max_length');
}

/** Forms have texts where JSON has numbers. */
function checkWhole({ fields, isForm }: MediaForm, name: string, low: number, high: number): void {
  const value = fields[name];
  if (!isGiven(value)) return;
  const number = isForm && /^-?\d{1,15}$/.test(stringOf(value)) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) {
    throw invalid(name, `Invalid type for '${name}': expected an integer.`, 'invalid_type');
  }
  if (number >= low && number <= high) return;
  const [side, sign, bound] = number < low ? ['below minimum', '>=', low] : ['above maximum', '<=', high];
  const code = number < low ? 'integer_below_min_value' : 'integer_above_max_value';
  throw invalid(
    name,
    `Invalid '${name}': integer ${side} value. Expected a value ${sign} ${bound}, but got ${number} instead.`,
    code,
  );
}

function checkWord(fields: JsonObject, name: string, allowed: readonly string[]): void {
  const value = fields[name];
  if (!isGiven(value)) return;
  if (allowed.length === 0) throw invalid(name, `Unknown parameter: '${name}'.`, 'unknown_parameter');
  if (allowed.includes(stringOf(value))) return;
  const list = allowed.map((word) => `'${word}'`).join(', ');
  throw invalid(name, `Invalid value: '${String(value)}'. Supported values are: ${list}.`);
}

function checkSize(size: unknown, { sizes, told }: Family): void {
  if (!isGiven(size) || sizes.test(stringOf(size))) return;
  throw invalid('size', `Invalid size '${String(size)}'. Supported sizes are: ${told}.`);
}
