import { handlerFor } from './handler.mjs';

let handler;

export default {
  fetch(request, { SIMULATOR }) {
    handler ??= handlerFor(SIMULATOR);
    return handler(request);
  },
};
