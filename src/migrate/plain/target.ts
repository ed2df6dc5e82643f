import type { ProfileChoice } from '../../../translators/index.js';

/** Where the requests for one model would go. */
export interface Target {
  /** The name of the model there; absent = as it was recorded. */
  readonly model?: string;
  /** What the model can take there, where its name does not tell. */
  readonly profile?: ProfileChoice;
  /** The name under which that was looked up. */
  readonly profileName?: string;
  /** The host, as it was given; absent = the vendor's own. */
  readonly host?: string;
  /** Whether it is the service whose rules are known. */
  readonly checks: boolean;
  /** Whether it is the enterprise host of that service. */
  readonly cloud?: boolean;
}

/** The vendor's own service, asked for the model that was recorded. */
export const AS_RECORDED: Target = { checks: true };

/** The target of a name at a place of which that is known, and how both were named. */
export function targetAt(
  {
    profile,
    ...place
  }: { readonly profile: ProfileChoice | undefined; readonly checks: boolean; readonly cloud: boolean },
  named: Pick<Target, 'model' | 'profileName' | 'host'>,
): Target {
  return { ...place, ...(profile !== undefined && { profile }), ...named };
}
