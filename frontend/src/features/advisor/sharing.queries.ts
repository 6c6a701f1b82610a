import { useAnswer } from '../../lib/answer.js';
import { useSend } from '../../lib/command.js';
import { reads } from '../../lib/topics.js';

const SHARING = reads('advisor-sharing', []);

export const useSharing = () => useAnswer([SHARING], 'GET /settings/advisor');

export const useSetSharing = () => useSend('PUT /settings/advisor');
