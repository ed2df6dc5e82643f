import { dropAnswered } from '../adapt/index.js';
import type { Part, PartKind } from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';
import type { StateEntry } from '../canonical/state.js';
import { type AppendedText, createAppendedText } from '../wire/appended-text.js';
import { createPartQueue, type PartEvent, type PartQueue } from './part-queue.js';

type EventOf<Type extends PartEvent['type']> = Extract<PartEvent, { readonly type: Type }>;

/** What an event adds to a part. */
export type Delta = EventOf<'part.delta'>;

/** A part on its way to the client. */
export interface Writing<P extends Part = Part> {
  readonly ix: number;
  readonly head: P;
  /** What was written so far of a text or of arguments. */
  written: AppendedText;
  /** Its state, as far as it is known. */
  state: readonly StateEntry[] | undefined;
  /** Something of it is with the client. */
  opened: boolean;
  /** Its state is written, or waits for its carrier. */
  held: boolean;
  /** Which of the two texts of a thought is shown: the one that comes first. */
  channel: Delta['op'] | undefined;
  /** The paragraph of a thought that was written last. */
  paragraph: number;
}

/** What is known of an answer between its parts, in every dialect. */
export interface Answer {
  /** It comes from the client's own dialect, so that nothing of it is lost. */
  readonly own: boolean;
  readonly losses: Losses;
}

/** How a dialect writes parts of one kind; the members are called in this order. `A` is what it knows between parts. */
export interface PartHandler<A, P extends Part = Part> {
  begin?(answer: A, writing: Writing<P>): void;
  /** State that is known before the end: with the head, or by an event of its own. */
  state?(answer: A, writing: Writing<P>, entries: readonly StateEntry[]): void;
  delta?(answer: A, writing: Writing<P>, delta: Delta): void;
  /** Adds what the deltas did not bring, and reports what the part loses. */
  end(answer: A, writing: Writing<P>, part: P): void;
}

/** A handler for every kind of part: a new kind does not compile until each dialect says what becomes of it. */
export type PartHandlers<A> = {
  readonly [Kind in PartKind]: PartHandler<A, Extract<Part, { readonly kind: Kind }>>;
};

/** How a dialect writes the parts of an answer. */
export interface AnswerFormat<A extends Answer> {
  readonly dialect: string;
  readonly kinds: PartHandlers<A>;
  /** What the end of any part does, before that of its kind. */
  ending?(answer: A, writing: Writing, part: Part): void;
  /** A citation of the part `open`; absent for one of a part that has ended. */
  citation(answer: A, event: EventOf<'part.citation'>, open: Writing | undefined): void;
  logprobs?(answer: A, event: EventOf<'part.logprobs'>, open: Writing | undefined): void;
  /**
   * Ends what is open because the answer does; `open` is the part whose end did not come. Where this is absent such a part
   * ends with its head: what was written of it is all there is, and what was only announced is not written.
   */
  abandon?(answer: A, open: Writing | undefined): void;
  /** The hosted call after which only its result may begin. */
  awaited?(answer: A): string | undefined;
}

/** Writes the parts of an answer, whole or as they stream (translation.md 6.7). */
export interface AnswerWriter {
  /** Takes an event of a part. Parts may come interleaved: they are written one after the other. */
  write(event: PartEvent): void;
  /** Writes parts that came whole. */
  whole(parts: readonly Part[]): void;
  /** Writes what still waits. */
  flush(): void;
}

/** A writer for one answer. */
export function createAnswerWriter<A extends Answer>(answer: A, format: AnswerFormat<A>): AnswerWriter {
  return new Driver(answer, format);
}

/** A part that begins; its text or arguments are gathered in `written`. */
export function writingOf<P extends Part>(ix: number, head: P, written: AppendedText): Writing<P> {
  return {
    ix,
    head,
    written,
    state: head.state,
    opened: false,
    held: false,
    channel: undefined,
    paragraph: 0,
  };
}

/** What was written of a part that comes whole, which is not read while it is written. */
const NOTHING: AppendedText = { length: 0, add: () => {}, read: () => '' };

/** A class, since whole answers are so short that closures would take as long as their parts. */
class Driver<A extends Answer> implements AnswerWriter {
  private open: Writing | undefined;
  private handler: PartHandler<A> | undefined;
  private queue: PartQueue | undefined;

  constructor(
    private readonly answer: A,
    private readonly format: AnswerFormat<A>,
  ) {}

  write(event: PartEvent): void {
    // Most events are deltas of the part that is written: they wait for nothing.
    if (event.type === 'part.delta' && this.open?.ix === event.ix) {
      this.handler?.delta?.(this.answer, this.open, event);
      return;
    }
    this.queue ??= this.createQueue();
    this.queue.push(event);
  }

  whole(parts: readonly Part[]): void {
    // Only where a part may have to wait for another is their order not known already.
    const waits = this.format.awaited !== undefined;
    for (const [ix, part] of parts.entries()) {
      if (waits) {
        this.write({ type: 'part.start', ix, part });
        this.write({ type: 'part.end', ix, part });
      } else this.end(this.begin(ix, part, NOTHING), part);
    }
  }

  flush(): void {
    this.queue?.flush(() => {
      const { answer, format, open } = this;
      this.open = undefined;
      if (format.abandon !== undefined) format.abandon(answer, open);
      else if (open?.opened === true) this.end(open, open.head);
    });
  }

  private createQueue(): PartQueue {
    const { answer, format } = this;
    return createPartQueue((event) => this.handle(event), format.awaited && (() => format.awaited?.(answer)));
  }

  private handle(event: PartEvent): void {
    const { answer, format, handler } = this;
    const open = this.open?.ix === event.ix ? this.open : undefined;
    switch (event.type) {
      case 'part.delta':
        if (open !== undefined) handler?.delta?.(answer, open, event);
        return;
      case 'part.start':
        this.begin(event.ix, event.part, createAppendedText(event.said));
        return;
      case 'part.state':
        if (open === undefined) return;
        open.state = event.entries;
        handler?.state?.(answer, open, event.entries);
        return;
      case 'part.citation':
        format.citation(answer, event, open);
        return;
      case 'part.logprobs':
        format.logprobs?.(answer, event, open);
        return;
      case 'part.end':
        if (open !== undefined) this.end(open, event.part);
        return;
      default:
        event satisfies never;
    }
  }

  private begin(ix: number, head: Part, written: AppendedText): Writing {
    const { answer } = this;
    const handler: PartHandler<A> = this.format.kinds[head.kind];
    const open = writingOf(ix, head, written);
    this.handler = handler;
    this.open = open;
    handler.begin?.(answer, open);
    if (head.state !== undefined) handler.state?.(answer, open, head.state);
    return open;
  }

  private end(open: Writing, part: Part): void {
    const { answer, format } = this;
    this.open = undefined;
    open.state = part.state ?? open.state;
    if (!answer.own) dropAnswered(part, format.dialect, answer.losses);
    format.ending?.(answer, open, part);
    const handler: PartHandler<A> = format.kinds[part.kind];
    handler.end(answer, open, part);
  }
}

/** What is still to be written of a text of which the beginning was. */
export function remainder(whole: string, written: string): string {
  return whole.startsWith(written) ? whole.slice(written.length) : '';
}
