import { useAnswer } from '../../lib/answer.js';

export function useSettings() {
  return useAnswer(['settings'], 'GET /settings');
}
