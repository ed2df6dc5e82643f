import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** What stands in the view lives on while another view is shown. */
let kept: HTMLElement | undefined;

/** A body with what it becomes in the other dialects. */
export function View() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (kept === undefined) {
      kept = document.createElement('div');
      render(<Panes />, kept);
    }
    place.current?.append(kept);
    void import('./start.js');
  }, []);
  return <div ref={place} />;
}

function Panes() {
  return (
    <main class="translate" id="main" aria-busy="true">
      <section class="controls" aria-label="What to translate">
        <div class="field wide">
          <label for="example">Example</label>
          <select id="example" autocomplete="off">
            <option value="">Your own input</option>
          </select>
        </div>
        <div class="field">
          <label for="dialect">Dialect</label>
          <select id="dialect" autocomplete="off">
            <option value="auto">auto</option>
          </select>
        </div>
        <div class="field">
          <span class="label" id="kind-label">
            Kind
          </span>
          <div class="choice" id="kinds" role="radiogroup" aria-labelledby="kind-label"></div>
        </div>
        <div class="field" id="status-field" hidden>
          <label for="status">Status</label>
          <input id="status" type="number" min="300" max="599" value="400" autocomplete="off" />
        </div>
        <div class="field check">
          <label>
            <input id="strict" type="checkbox" autocomplete="off" /> Strict
          </label>
        </div>
        <div class="field end">
          <button type="button" id="share">
            Share
          </button>
          <span class="said" id="shared" role="status" aria-label="Link"></span>
        </div>
      </section>

      <div class="sides">
        <section class="side" id="source" aria-label="Source">
          <div class="bar">
            <h2>Source</h2>
            <p class="meta" id="detected" role="status" aria-label="Detected"></p>
          </div>
          <div class="bar event" id="event-field" hidden>
            <label for="event">Event</label>
            <input id="event" type="range" min="0" max="0" value="0" autocomplete="off" />
            <output id="event-name" for="event"></output>
          </div>
          <p class="alert" id="problem" role="alert" hidden></p>
          <div class="scroll" id="source-scroll">
            <pre class="mirror" id="mirror" aria-hidden="true"></pre>
            <textarea
              id="input"
              aria-label="Input"
              spellcheck={false}
              autocomplete="off"
              autocapitalize="off"
              placeholder="Paste JSON or a stream of events"
            ></textarea>
          </div>
        </section>
        <div class="targets" id="targets"></div>
      </div>

      <section class="losses" aria-labelledby="losses-title">
        <div class="bar">
          <h2 id="losses-title">Losses</h2>
          <p class="meta" id="loss-count"></p>
          <ul class="legend" aria-label="Marks">
            <li>
              <mark class="dropped">
                <span>dropped</span>
              </mark>
            </li>
            <li>
              <mark class="approximated">
                <span>approximated</span>
              </mark>
            </li>
            <li>
              <mark class="moved">
                <span>moved</span>
              </mark>
            </li>
            <li>
              <mark class="invented">
                <span>invented</span>
              </mark>
            </li>
          </ul>
        </div>
        <table aria-label="Losses" role="table">
          <thead role="rowgroup">
            <tr role="row">
              <th scope="col" role="columnheader">
                towards
              </th>
              <th scope="col" role="columnheader">
                path
              </th>
              <th scope="col" role="columnheader">
                feature
              </th>
              <th scope="col" role="columnheader">
                kind
              </th>
              <th scope="col" role="columnheader">
                sentence
              </th>
            </tr>
          </thead>
          <tbody id="loss-rows" role="rowgroup"></tbody>
        </table>
        <p class="none" id="no-losses" hidden>
          Everything crosses unchanged.
        </p>
      </section>

      <section class="live" aria-labelledby="live-title">
        <div class="bar">
          <h2 id="live-title">Try it live</h2>
          <p class="meta" id="send-hint"></p>
        </div>
        <div class="controls">
          <div class="field wide">
            <label for="model">Model</label>
            <input id="model" list="models" autocomplete="off" spellcheck={false} placeholder="as the request says" />
          </div>
          <div class="field wide">
            <label for="key">Key</label>
            <input
              id="key"
              type="password"
              autocomplete="off"
              spellcheck={false}
              placeholder="only if the gateway asks for one"
            />
          </div>
          <div class="field end">
            <button type="button" class="main" id="send">
              Send
            </button>
            <button type="button" class="quiet" id="stop" hidden>
              Stop
            </button>
          </div>
        </div>
        <div class="answers">
          <section class="side" id="client" aria-label="Client side">
            <div class="bar">
              <h3>Client side</h3>
              <p class="meta" id="client-status" role="status" aria-label="Answer"></p>
            </div>
            <pre
              id="client-body"
              tabIndex={0}
              role="group"
              aria-label="Answer as the client gets it"
              data-empty="Nothing was sent."
            ></pre>
          </section>
          <section class="side" id="backend-side" aria-label="Backend side">
            <div class="bar">
              <h3>Backend side</h3>
            </div>
            <dl id="backend"></dl>
            <pre id="sent" tabIndex={0} role="group" aria-label="Request as the backend gets it" hidden></pre>
          </section>
        </div>
      </section>
    </main>
  );
}
