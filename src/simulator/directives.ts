/** What the user asked the simulator to do wrong, in words inside the prompt. */
export interface Directives {
  /** Answer with this HTTP status. */
  readonly status?: number;
  /** Fail or end the stream after a few deltas. */
  readonly broken?: 'failed' | 'cut';
  readonly refuse: boolean;
  readonly slow: boolean;
}

/** Reads `simulate error 429`, `simulate error midstream`, `simulate cut`, `simulate refusal` and `simulate slow`. */
export function readDirectives(userText: string): Directives {
  const status = /simulate error ([45]\d\d)/i.exec(userText)?.[1];
  const failed = /simulate error midstream/i.test(userText);
  const cut = /simulate cut/i.test(userText);
  return {
    ...(status === undefined ? {} : { status: Number(status) }),
    ...(failed ? { broken: 'failed' as const } : cut ? { broken: 'cut' as const } : {}),
    refuse: /simulate refusal/i.test(userText),
    slow: /simulate slow/i.test(userText),
  };
}
