import { type GatewayState, gateway } from '../gateway.js';
import { uptimeText } from './uptime.js';

/** The state of the gateway as a dot, with its words; on hover also since when it is up. */
export function Status() {
  const state = gateway.value;
  const words = wordsOf(state);
  const since = state.kind === 'up' && state.started !== undefined ? `, ${uptimeText(state.started, Date.now())}` : '';
  return (
    <p class={`status ${state.kind}`} role="status" aria-label="Gateway" title={words + since}>
      <span class="dot" aria-hidden="true" />
      <span class="words">{words}</span>
    </p>
  );
}

function wordsOf(state: GatewayState): string {
  switch (state.kind) {
    case 'asking':
      return 'asking the gateway';
    case 'unreachable':
      return 'gateway unreachable';
    case 'none':
      return 'no gateway here';
    case 'up':
      return `interlingua ${state.version}`;
    default:
      return state satisfies never;
  }
}
