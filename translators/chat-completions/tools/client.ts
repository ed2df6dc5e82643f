import { type ClientToolRules, COMPUTER, type RenderedCall, rawAction } from '../../adapt/index.js';
import { computerArguments, type FamilyCall } from '../../canonical/client-actions.js';
import { decodeComputer, encodeComputer } from './computer.js';

/** How this dialect has the built-in tools of clients [M §2.5]: plain calls with names it fixes. */
export const clientTools: ClientToolRules = {
  own: { computer: 'computer', bash: 'bash', shell: 'bash', localShell: 'bash', editor: 'editor', memory: 'memory' },
  points: 'pixels',
  tellsDisplay: true,
  batches: () => false,
  readComputer: ({ name, args }) =>
    name === COMPUTER && args.value !== undefined ? decodeComputer(args.value) : undefined,
  write: encodeFamilyCall,
};

function encodeFamilyCall(call: FamilyCall): readonly RenderedCall[] {
  if (call.family !== 'computer') return [{ name: call.name, args: call.args.value ?? {} }];
  return computerArguments(call).actions.map((action) => {
    const encoded = encodeComputer(action);
    if (encoded === undefined) return rawAction(action);
    const { input, poorer, invented } = encoded;
    return {
      name: COMPUTER,
      args: input,
      ...(poorer !== undefined && { poorer }),
      ...(invented !== undefined && { invented }),
    };
  });
}
