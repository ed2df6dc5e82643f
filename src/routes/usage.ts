import { Failure } from '../ground/index.js';
import { type ClientCall, checkOperator, sendJson, sendWhole } from '../http/index.js';
import { csvOf, periodOf } from '../usage/index.js';
import type { Route } from './route.js';
import type { RouteServices } from './services.js';

const FORMATS = ['json', 'csv'] as const;

/** What was used: an operator sees all of it, another key its own (http.md#usage). */
export const usageRoutes: readonly Route[] = [
  { methods: ['GET', 'HEAD'], path: '/usage', pattern: /^\/usage\/?$/, reads: true, answer: serveUsage },
];

async function serveUsage({ usage, config }: RouteServices, call: ClientCall): Promise<void> {
  const { key, response } = call;
  const isOwn = key !== undefined && key.operator !== true;
  if (!isOwn) checkOperator(call, config);
  const query = new URLSearchParams(call.query);
  const textOf = (name: string): string | undefined => query.get(name) ?? undefined;
  const format = formatOf(call, textOf('format'));
  const period = periodOf({ by: textOf('by'), since: textOf('since'), until: textOf('until') }, Date.now());
  if (!usage.on) {
    const message = 'usage is not counted here: write `usage: {}` in the configuration';
    throw new Failure({ kind: 'not_found', status: 404, message });
  }
  const report = await usage.report(period, isOwn ? key.name : undefined).catch((cause: unknown) => {
    if (cause instanceof Failure) throw cause;
    const message = 'the usage cannot be read: the store cannot be reached';
    throw new Failure({ kind: 'overloaded', status: 503, message, retryAfterMs: 1000 }, { cause });
  });
  const headers = { vary: 'accept', 'cache-control': 'no-store' };
  if (format === 'json') return sendJson(response, 200, report, headers);
  const name = 'attachment; filename="usage.csv"';
  const csv = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': name };
  sendWhole(response, 200, csvOf(report), { ...headers, ...csv });
}

/** What `format` says, else what is accepted. */
function formatOf({ request }: ClientCall, word: string | undefined): (typeof FORMATS)[number] {
  if (word === undefined) return /\btext\/csv\b/i.test(request.headers.accept ?? '') ? 'csv' : 'json';
  const format = FORMATS.find((one) => one === word);
  if (format !== undefined) return format;
  throw new Failure({ kind: 'invalid_request', status: 400, message: `format must be ${FORMATS.join(' or ')}` });
}
