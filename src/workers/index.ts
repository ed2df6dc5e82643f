export {
  type Answerer,
  answerWorkers,
  askPrimary,
  hearPrimary,
  isWorker,
  type Order,
  orderWorkers,
  workerId,
} from './messages.js';
export { startPool } from './pool.js';
