import { reads } from '../../lib/topics.js';

/** The first word of the query keys of sessions. */
export const SESSIONS = reads('sessions', ['students', 'locations', 'credits', 'settings']);
