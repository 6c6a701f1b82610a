import { reads } from '../../lib/topics.js';

/** First part of the query keys of sessions. */
export const SESSIONS = reads('sessions', ['students', 'locations', 'credits', 'charges', 'settings']);
