import { isObject } from '../ground/index.js';

/** Names of levels with the codes of their colours. */
const LEVELS: ReadonlyMap<unknown, readonly [name: string, colour: number]> = new Map([
  [10, ['trace', 90]],
  [20, ['debug', 90]],
  [30, ['info', 32]],
  [40, ['warn', 33]],
  [50, ['error', 31]],
  [60, ['fatal', 31]],
]);

/** Fields that an exchange shows in words of its own, or that say nothing new to who watches a terminal. */
const TOLD: ReadonlySet<string> = new Set([
  ...['level', 'time', 'msg', 'method', 'path', 'client', 'backend', 'dialect', 'model', 'status', 'outcome', 'ms'],
  ...['inputTokens', 'outputTokens', 'losses', 'lost', 'target', 'stream', 'firstByteMs', 'firstTokenMs', 'route'],
]);

type Fields = Readonly<Record<string, unknown>>;

/** A line of the log as people read it on a terminal. What is no line of JSON stays as it is. */
export function readableLine(line: string, colours: boolean): string {
  let fields: unknown;
  try {
    fields = JSON.parse(line);
  } catch {
    return line;
  }
  if (!isObject(fields)) return line;
  const [name, colour] = LEVELS.get(fields.level) ?? ['log', 0];
  const time = new Date(Number(fields.time)).toTimeString().slice(0, 8);
  const level = colours ? `\u001b[${colour}m${name.padEnd(5)}\u001b[0m` : name.padEnd(5);
  const isExchange = fields.msg === 'exchange';
  const words = isExchange ? exchangeWords(fields) : [plain(fields.msg)];
  const rest = Object.entries(fields).flatMap(([key, value]) =>
    key === 'level' || key === 'time' || key === 'msg' || (isExchange && TOLD.has(key)) ? [] : `${key}=${shown(value)}`,
  );
  return `${[time, level, ...words, ...rest].join(' ')}\n`;
}

/** `POST /v1/messages 200 -> claude (messages) claude-haiku-4-5, 1234 ms, 12 tokens in, 34 out, 2 losses: sampling.topK`. */
function exchangeWords(fields: Fields): string[] {
  const { method, path, status, outcome, backend, dialect, model, ms, inputTokens, outputTokens, losses, lost } =
    fields;
  const parts = [
    `${plain(method)} ${plain(path)} ${status ?? '-'}${outcome === 'ok' ? '' : ` ${plain(outcome)}`}`,
    ...(backend === undefined
      ? []
      : [`-> ${plain(backend)} (${plain(dialect)})${model === undefined ? '' : ` ${plain(model)}`}`]),
  ];
  const figures = [
    `${ms} ms`,
    ...(inputTokens === undefined ? [] : [`${inputTokens} tokens in`]),
    ...(outputTokens === undefined ? [] : [`${outputTokens} out`]),
    ...(typeof losses === 'number' && losses > 0
      ? [`${losses} ${losses === 1 ? 'loss' : 'losses'}: ${plain(lost)}`]
      : []),
  ];
  return [`${parts.join(' ')}, ${figures.join(', ')}`];
}

function shown(value: unknown): string {
  return typeof value === 'string' && /^[\w./:@*+-]+$/.test(value) ? value : ascii(JSON.stringify(value) ?? '');
}

/** A text without what a terminal would obey. */
function plain(value: unknown): string {
  return ascii(String(value));
}

function ascii(text: string): string {
  return text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
