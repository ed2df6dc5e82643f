import type { ExchangeServices } from '../exchange/index.js';
import type { FormLimits } from '../http/index.js';

/** What relayed routes need of the gateway. */
export interface PassthroughServices extends ExchangeServices {
  readonly media: ExchangeServices['media'] & { readonly form: FormLimits };
}
