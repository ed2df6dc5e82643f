import { gateway } from '../gateway.js';

/** The state of the gateway as a dot, with its words. */
export function Status() {
  const state = gateway.value;
  const words = {
    asking: 'asking the gateway',
    unreachable: 'gateway unreachable',
    none: 'no gateway here',
    up: state.kind === 'up' ? `interlingua ${state.version}` : '',
  }[state.kind];
  return (
    <p class={`status ${state.kind}`} role="status" aria-label="Gateway" title={words}>
      <span class="dot" aria-hidden="true" />
      <span class="words">{words}</span>
    </p>
  );
}
