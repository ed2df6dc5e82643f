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
  primaryStartedAt,
  workerId,
} from './messages.js';
export { startPool } from './pool.js';
