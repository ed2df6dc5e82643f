/** The bare pipe as a process of its own, in front of the port that its parent names. */
import { startPipe } from './pipe.js';

const { url } = await startPipe(Number(process.argv[2]));
process.send?.({ url });
