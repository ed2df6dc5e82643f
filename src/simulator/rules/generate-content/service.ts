import { type ServiceCheck, TRUSTED } from '../service.js';
import { checkGenerate } from './rules.js';

export const generateContent: ServiceCheck = ({ body, model = '', cloud = false }) => {
  const known = /^gem(?:ini|ma)-/.test(model);
  const gemini3 = model.startsWith('gemini-3');
  const host = cloud ? 'cloud' : 'dev';
  return checkGenerate(body, { model, host, gemini3, state: TRUSTED, takesAll: !known });
};
