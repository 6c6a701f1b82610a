import { useAnswer } from '../../lib/answer.js';
import { reads } from '../../lib/topics.js';

const SHARING = reads('advisor-sharing', []);

export const useSharing = () => useAnswer([SHARING], 'GET /settings/advisor');
