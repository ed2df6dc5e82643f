import {
  type DialectId,
  type Loss,
  TranslationError,
  translateRequest,
  translateResponse,
} from '../../../translators/index.js';
import { tableOf } from '../dialects/index.js';
import { CROSS_PAIRS } from '../pairs.js';
import { ANSWERS, type Area, CLIENTS, REQUESTS, type Row } from './rows.js';

export { ANSWERS, REQUESTS, requestOf } from './rows.js';

export const MODELS = tableOf('model');

const LETTERS = tableOf('letter');

/** Translates one body of a row. */
export type Translate = (from: DialectId, to: DialectId, body: unknown) => readonly Loss[];

export const translatedRequest: Translate = (from, to, body) =>
  translateRequest({ from, to, body, model: MODELS[to], cutsStop: true }).losses;

export const translatedAnswer: Translate = (from, to, body) =>
  translateResponse({ from, to, body, request: CLIENTS[to], now: 0 }).losses;

/** What becomes of the feature of a row. */
export interface Verdict {
  /** The worst that a loss of its own says; `-` where the source cannot say it. */
  readonly word: string;
  /** The loss that says so. */
  readonly loss?: Loss;
  /** Why it is refused. */
  readonly reason?: string;
}

/** What becomes of a row's feature on the way between two dialects. */
export function verdictOf(from: DialectId, to: DialectId, { says, without }: Row, translate: Translate): Verdict {
  const body = says[from];
  if (body === undefined) return { word: '-' };
  const bare = without?.[from];
  try {
    const losses = translate(from, to, body);
    const others = bare === undefined || bare === body ? [] : translate(from, to, bare);
    const own = losses.filter((loss) => !others.some((other) => same(loss, other)));
    for (const kind of ['dropped', 'approximated', 'moved', 'invented'] as const) {
      const loss = own.find((one) => one.kind === kind);
      if (loss !== undefined) return { word: kind, loss };
    }
    return { word: 'carried' };
  } catch (error) {
    if (!(error instanceof TranslationError)) throw error;
    if (error.kind === 'unsupported' || error.code === 'previous_response_not_found')
      return { word: 'refused', reason: error.message };
    // A failure of the answer itself reaches the client as an error of its dialect.
    if (translate === translatedAnswer) return { word: 'error', reason: error.message };
    throw error;
  }
}

function same(loss: Loss, other: Loss): boolean {
  return loss.feature === other.feature && loss.kind === other.kind;
}

/** One table per area, as Markdown. */
function tables(areas: readonly Area[], translate: Translate): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return areas
    .map(({ name, rows }) => {
      const head = [name, ...CROSS_PAIRS.map(([from, to]) => `${LETTERS[from]} to ${LETTERS[to]}`)];
      const body = rows.map((row) => [
        row.feature,
        ...CROSS_PAIRS.map(([from, to]) => verdictOf(from, to, row, translate).word),
      ]);
      return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
    })
    .join('\n\n');
}

/** What requests carry, for docs/features.md. */
export function requestTables(): string {
  return tables(REQUESTS, translatedRequest);
}

/** What answers carry, for docs/features.md: from the backend's dialect to the client's. */
export function answerTables(): string {
  return tables(ANSWERS, translatedAnswer);
}
