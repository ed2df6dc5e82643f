/** What the head of an answer of the gateway says (http.md#headers). */
export interface Head {
  readonly status: number;
  readonly backend?: string;
  readonly dialect?: string;
  readonly model?: string;
  readonly requestId?: string;
  readonly losses: readonly HeadLoss[];
  /** Not all losses had room in the head. */
  readonly more: boolean;
  /** Parts of the time until the head, in ms, by their names. */
  readonly times: readonly (readonly [name: string, ms: number])[];
  /** In USD as the gateway wrote it; absent = it is not known. */
  readonly cost?: string;
  /** Fees of hosted tools are not in the cost. */
  readonly costPartial: boolean;
}

/** Losses of one kind and feature. */
export interface HeadLoss {
  readonly feature: string;
  readonly kind: string;
  readonly path: string;
  readonly count: number;
}

/** Reads the head of an answer. */
export function readHead(status: number, headers: Headers): Head {
  const own = (name: string): string | undefined => headers.get(`x-interlingua-${name}`) ?? undefined;
  const list = own('loss') ?? '';
  const [amount, ...notes] = (own('cost') ?? '').split(';');
  return {
    status,
    ...known('backend', own('backend')),
    ...known('dialect', own('dialect')),
    ...known('model', own('model')),
    ...known('requestId', headers.get('x-request-id') ?? headers.get('request-id') ?? undefined),
    losses: [...list.matchAll(LOSS)].map(([, feature = '', kind = '', path = '', n = '1']) => ({
      feature: decoded(feature),
      kind,
      path: decoded(path.replace(/\\(["\\])/g, '$1')),
      count: Number(n),
    })),
    more: /(?:^|, )more$/.test(list),
    times: timesIn(headers.get('server-timing') ?? ''),
    ...(amount !== '' && { cost: amount }),
    costPartial: notes.includes('partial'),
  };
}

/** An entry of `x-interlingua-loss`: `sampling.topK;kind=dropped;path="/top_k";n=2`. */
const LOSS = /([^\s,;"]+);kind=(\w+);path="((?:[^"\\]|\\.)*)"(?:;n=(\d+))?/g;

const TIME = /(?:^|,)\s*([\w-]+)\s*;\s*dur=([\d.]+)/g;

const timesIn = (header: string): Head['times'] =>
  [...header.matchAll(TIME)].map(([, name = '', ms = '']) => [name, Number(ms)] as const);

const known = <Name extends string>(name: Name, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [name in Name]?: string };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
