import { type Violation, when } from '../violation.js';

/** What a request of either dialect of the vendor asks of a model that reasons. */
export interface ReasoningAsk {
  readonly model: string;
  /** The effort, and the name of its field. */
  readonly effort: unknown;
  readonly param: string;
  /** Settings of sampling by the names of their fields. */
  readonly sampling: Readonly<Record<string, unknown>>;
}

/** Models that reason unless they are told not to. */
const REASONS = /^gpt-(?:5\.[5-9]|6[-.])/;
/** Models that cannot be told. */
const ALWAYS = /^gpt-6(?:-astra|\.1-sol|\.2-)/;

/** The effort of a request; what is said by nothing is that of the model. */
export function effortOf({ model, effort }: Pick<ReasoningAsk, 'model' | 'effort'>): unknown {
  return effort ?? (REASONS.test(model) ? 'medium' : 'none');
}

/** What models of the last generations refuse beside reasoning [R §3.16]; other names are older models, which take everything. */
export function checkReasoning({ model, effort, param, sampling }: ReasoningAsk): Violation[] {
  const always = ALWAYS.test(model);
  const reasons = REASONS.test(model) && effortOf({ model, effort }) !== 'none';
  return [
    ...when(
      always && effort === 'none',
      `Unsupported value: 'none' is not supported with the '${model}' model. Supported values are: 'low', 'medium', 'high', 'xhigh', and 'max'.`,
      { param, code: 'unsupported_value' },
    ),
    ...Object.entries(sampling).flatMap(([name, value]) => {
      if (value === undefined || value === null) return [];
      return always
        ? when(true, `Unsupported parameter: '${name}' is not supported with this model.`, {
            param: name,
            code: 'unsupported_parameter',
          })
        : when(
            reasons && value !== 1,
            `Unsupported value: '${name}' does not support ${String(value)} with this model. Only the default (1) value is supported.`,
            { param: name, code: 'unsupported_value' },
          );
    }),
  ];
}
