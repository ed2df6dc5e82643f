export {
  type Answerer,
  answerPrimary,
  answerWorkers,
  askPrimary,
  askWorkers,
  hearPrimary,
  isWorker,
  type Order,
  orderWorkers,
  workerId,
} from './messages.js';
export { startPool } from './pool.js';
