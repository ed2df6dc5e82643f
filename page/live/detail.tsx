import { useSignal } from '@preact/signals';
import { gatewayDialect } from '../../src/dialects/index.js';
import type { LiveAttempt, LiveDetail, LiveExchange, LiveLoss, LiveText } from '../../src/live/plain/index.js';
import { GatewayError, getJson } from '../gateway.js';
import { SIGNS } from '../translate/editor/signs.js';
import { durationText, NEXT, reasonText, sizeText } from './words.js';

/** All that is known of an exchange. */
export function Detail({ exchange }: { readonly exchange: LiveExchange }) {
  const { losses, attempts = [], restrictions = [], headers = {}, endpoints = {}, words, bodies } = exchange;
  return (
    <>
      <dl class="known">
        <Fact name="Request">{exchange.id}</Fact>
        <Fact name="Route">{exchange.route}</Fact>
        {exchange.client !== undefined && <Fact name="Client">{exchange.client}</Fact>}
        {exchange.answered?.model !== undefined && <Fact name="Answered by">{exchange.answered.model}</Fact>}
        {words !== undefined && <Fact name="Why">{words}</Fact>}
        {Object.keys(endpoints).length > 0 && (
          <Fact name="Losses by endpoint">
            {Object.entries(endpoints)
              .map(([dialect, lost]) => `${dialect}: ${lost === null ? 'cannot serve it' : lost}`)
              .join(', ')}
          </Fact>
        )}
        <Times exchange={exchange} />
      </dl>
      {losses !== undefined && losses.list.length > 0 && (
        <Part title="Losses">
          {losses.list.map((loss) => (
            <Loss key={`${loss.kind} ${loss.feature}`} loss={loss} />
          ))}
        </Part>
      )}
      {attempts.length > 0 && (
        <Part title="Calls that did not serve">
          {attempts.map((attempt) => (
            <Attempt key={attempt.ms} attempt={attempt} />
          ))}
        </Part>
      )}
      {restrictions.length > 0 && (
        <Part title="Learned restrictions">
          {restrictions.map(({ kind, restriction, learned, shared }) => (
            <li key={`${kind} ${restriction}`}>
              <code>{restriction}</code>
              {learned === true && ' was revealed by a refusal of this request'}
              {shared === true && ' applies to all keys'}
            </li>
          ))}
        </Part>
      )}
      {Object.keys(headers).length > 0 && (
        <Part title="Headers of the gateway">
          {Object.entries(headers).map(([name, value]) => (
            <li key={name}>
              <code>{`${name}: ${value}`}</code>
            </li>
          ))}
        </Part>
      )}
      {bodies === true && <Bodies exchange={exchange} />}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: preact.ComponentChildren }) {
  return (
    <section>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  );
}

function Times({ exchange: { times } }: { readonly exchange: LiveExchange }) {
  const { waiting, backend, gateway, firstByte, firstToken } = times;
  const parts = [
    ...(firstByte === undefined ? [] : [`first byte after ${durationText(firstByte)}`]),
    ...(firstToken === undefined ? [] : [`first token after ${durationText(firstToken)}`]),
    `waiting ${durationText(waiting)}`,
    `backend ${durationText(backend)}`,
    `gateway ${durationText(gateway)}`,
  ];
  return <Fact name="Time">{parts.join(', ')}</Fact>;
}

function Loss({ loss: { feature, kind, path, detail, advice, times } }: { readonly loss: LiveLoss }) {
  return (
    <li class="loss">
      <span class={`what ${kind}`}>{`${SIGNS[kind]} ${kind}`}</span> <code>{path === '' ? feature : path}</code>
      {times > 1 && ` (${times} times)`}
      <p>
        {`${detail}. `}
        <span class="soft">{advice}</span>
      </p>
    </li>
  );
}

function Attempt({ attempt }: { readonly attempt: LiveAttempt }) {
  const { backend, dialect, target, reason, status, kind, code, path, words, ms, next } = attempt;
  const facts = [status, kind?.replaceAll('_', ' '), code, path].filter((one) => one !== undefined && one !== '');
  return (
    <li>
      <b>{backend}</b> {`(${dialect}${target === undefined ? '' : `, ${target}`}) ${reasonText(reason)}`}
      {facts.length > 0 && `: ${facts.join(', ')}`}
      {` after ${durationText(ms)}`}
      {next !== undefined && `; ${NEXT[next]}`}
      {words !== undefined && <p class="soft">{words}</p>}
    </li>
  );
}

/** What was said, where the gateway keeps it. */
function Bodies({ exchange: { n, asked } }: { readonly exchange: LiveExchange }) {
  const detail = useSignal<LiveDetail | string | undefined>(undefined);
  const load = async (): Promise<void> => {
    try {
      detail.value = (await getJson(`/live/${n}`)) as LiveDetail;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      detail.value = error.message;
    }
  };
  const found = detail.value;
  if (found === undefined) {
    return (
      <button type="button" onClick={load}>
        Show what was said
      </button>
    );
  }
  if (typeof found === 'string') return <p role="status">{found}</p>;
  const { request, answer, backendRequest, backendAnswer } = found;
  return (
    <>
      {request !== undefined && (
        <Said title="Request" said={request}>
          <button type="button" disabled={request.cut === true} onClick={() => void openIn(request.text, asked)}>
            Open in Translate
          </button>
        </Said>
      )}
      {answer !== undefined && <Said title="Answer" said={answer} />}
      {backendRequest !== undefined && <Said title="What the backend was sent" said={backendRequest} />}
      {backendAnswer !== undefined && <Said title="What the backend answered" said={backendAnswer} />}
    </>
  );
}

/** A text in a place of its own, which is scrolled by keyboard too. */
export function Text({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <section class="text" aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}

interface SaidProps {
  readonly title: string;
  readonly said: LiveText;
  readonly children?: preact.ComponentChildren;
}

function Said({ title, said, children }: SaidProps) {
  return (
    <section>
      <h2>
        {title}
        <span class="soft">{sizeText(said)}</span>
        {children}
      </h2>
      <Text label={title} text={said.text} />
    </section>
  );
}

/** Opens a request in Translate. */
async function openIn(text: string, { dialect, model }: LiveExchange['asked']): Promise<void> {
  const { toFragment } = await import('../translate/share.js');
  const inUrl = !gatewayDialect(dialect).asksInBody && model !== undefined;
  const fragment = await toFragment({
    text,
    dialect,
    kind: 'request',
    status: 400,
    strict: false,
    selected: 0,
    allow: [],
    ...(inUrl && { model }),
  });
  location.hash = `#${fragment}`;
}
