import type { ComputerAction, ComputerArguments, FamilyCall, Point } from '../canonical/client-actions.js';
import type { CallPart } from '../canonical/content.js';
import type { JsonObject } from '../canonical/node.js';
import type { ClientFamily } from '../canonical/tools.js';

/** How a dialect has the built-in tools of clients (translation.md 2.8, 2.8.1). */
export interface ClientToolRules {
  /** The own family that replaces a family; families that are missing have none. */
  readonly own: Readonly<Partial<Record<ClientFamily, ClientFamily>>>;
  /** What points of the computer's actions count. */
  readonly points: ComputerArguments['points'];
  /** The declaration of the tool gives the model the size of the display. */
  readonly tellsDisplay: boolean;
  /** Whether one call of this computer tool may hold several actions. */
  batches(type: string | undefined): boolean;
  /** The arguments of a call as the model has them; undefined when it is no call of the dialect's own computer. */
  readComputer(call: CallPart): ComputerArguments | undefined;
  /** How the dialect's own tool of the call's family is called for it: several calls where one cannot express it all. */
  write(call: FamilyCall, options: WriteOptions): readonly RenderedCall[];
}

/** What the writing of a call depends on. */
export interface WriteOptions {
  /** Where the pointer is, if any earlier action moved it. */
  readonly near: Point | undefined;
  /** One call may hold several actions. */
  readonly batches: boolean;
  /** The result of the call shows the display; always so for a call that waits for its result. */
  readonly pictured: boolean;
  /** The call is answered as it comes out: each of several has a result of its own. */
  readonly open?: true;
}

/** One call in the words of a dialect. */
export interface RenderedCall {
  readonly name: string;
  readonly args: JsonObject;
  /** Set where the dialect has an item of its own for the family. */
  readonly family?: ClientFamily;
  /** What of the call is rendered worse. */
  readonly poorer?: string;
  /** What the dialect demands and the call did not give. */
  readonly invented?: string;
}

/** The name of the computer, and of the function that replaces it. */
export const COMPUTER = 'computer';

/** An action without words in a dialect, as plain JSON in a call that goes by the tool's name (translation.md 2.8). */
export function rawAction({ type, ...fields }: ComputerAction): RenderedCall {
  return {
    name: COMPUTER,
    args: { action: type, ...fields },
    poorer: `${known(type)} has no equivalent in the target; sent as plain JSON`,
  };
}

/** Reads what {@link rawAction} wrote, and what a model calls the substitute with. */
export function readRawAction({ action, ...fields }: JsonObject): ComputerArguments | undefined {
  if (typeof action !== 'string') return undefined;
  return { actions: [{ ...fields, type: action }], points: 'pixels' };
}

/** Words of a detail come from a closed list (translation.md 0.6). */
function known(type: string): string {
  return /^(click|move|drag|scroll|keys|type|wait|screenshot)$/.test(type) ? `a ${type} of this form` : 'an action';
}
