import { useAnswer } from '../../lib/answer.js';
import { SESSIONS } from './session-reads.js';

/** What is set for the hour of a session, and who waits for a seat in it. */
export const useClass = (sessionId: string) =>
  useAnswer([SESSIONS, sessionId, 'class'], 'GET /sessions/:id/class', { of: [sessionId] });
